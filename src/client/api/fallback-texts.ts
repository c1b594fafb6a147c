import type { WireId } from '#domain/plant/plant.ts';

/**
 * What a person reads when a request for plants or logs fails and the server gave no words of its own. The spec fixes
 * these texts, also for requests that this app does not make. The texts of changes stand in the screens that make them.
 */
export const fallbackTexts = {
  plants: 'Failed to fetch plants',
  plantsWithReadings: 'Failed to fetch plants with readings',
  plant: (id: WireId) => `Failed to fetch plant with ID ${id}`,
  logs: (id: WireId) => `Failed to fetch logs for plant with ID ${id}`,
  logsSummary: (id: WireId) => `Failed to fetch logs summary for plant with ID ${id}`,
  createLog: 'Failed to create sensor log',
} as const;
