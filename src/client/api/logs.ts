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
import { anyJson, sendRequest } from './http.ts';
import type { RequestOptions } from './send.ts';

/** Every function throws ApiError with the catalogue's text (spec section 8). */
export function fetchLogs(
  id: WireId,
  query: LogsQuery,
  call: RequestOptions,
): Promise<ReadingLog[]> {
  const fallback = `Failed to fetch logs for plant with ID ${id}`;
  return sendRequest(logsRequest(id, query), call, readingLogsSchema, { fallback });
}

export function fetchLogsSummary(id: WireId, call: RequestOptions): Promise<LogsSummary> {
  const fallback = `Failed to fetch logs summary for plant with ID ${id}`;
  return sendRequest(logsSummaryRequest(id), call, logsSummarySchema, { fallback });
}

export async function createLog(payload: LogPayload, call: RequestOptions): Promise<void> {
  await sendRequest(createLogRequest(payload), call, anyJson, {
    fallback: 'Failed to create sensor log',
  });
}
