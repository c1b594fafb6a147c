import { type LogsQuery, logsRequest, readingLogsSchema } from '#contract/logs.ts';
import type { WireId } from '#domain/plant/plant.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { fallbackTexts } from './fallback-texts.ts';
import { sendRequest } from './http.ts';
import type { RequestOptions } from './send.ts';

/** A plant's readings, newest first. Throws ApiError. */
export function fetchLogs(
  id: WireId,
  query: LogsQuery,
  call: RequestOptions,
): Promise<ReadingLog[]> {
  return sendRequest(logsRequest(id, query), call, readingLogsSchema, {
    fallback: fallbackTexts.logs(id),
  });
}
