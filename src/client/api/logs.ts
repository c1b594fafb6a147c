import {
  createLogRequest,
  type LogPayload,
  type LogsQuery,
  type LogsSummary,
  logsRequest,
  logsSummaryRequest,
  logsSummarySchema,
  readingLogsSchema,
} from '#contract/logs.ts';
import type { WireId } from '#domain/plant/plant.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { anyJson, ask } from './http.ts';
import type { Call } from './send.ts';

/** Every function throws ApiFailure with the catalogue's text (spec section 8). */
export function fetchLogs(id: WireId, query: LogsQuery, call: Call): Promise<ReadingLog[]> {
  const fallback = `Failed to fetch logs for plant with ID ${id}`;
  return ask(logsRequest(id, query), call, readingLogsSchema, { fallback });
}

export function fetchLogsSummary(id: WireId, call: Call): Promise<LogsSummary> {
  const fallback = `Failed to fetch logs summary for plant with ID ${id}`;
  return ask(logsSummaryRequest(id), call, logsSummarySchema, { fallback });
}

export async function createLog(payload: LogPayload, call: Call): Promise<void> {
  await ask(createLogRequest(payload), call, anyJson, {
    fallback: 'Failed to create sensor log',
  });
}
