import { type LogsQuery, logsRequest, readingLogsSchema } from '#contract/logs.ts';
import { type PlantDelta, plantDeltaSchema } from '#contract/plant-delta.ts';
import {
  type PlantWithReadings,
  plantListSchema,
  plantsRequest,
  plantsWithReadingsRequest,
  plantsWithReadingsSchema,
} from '#contract/plants.ts';
import { type SeriesQuery, seriesRequest, seriesResponseSchema } from '#contract/series.ts';
import type { PlantRecord, WireId } from '#domain/plant/plant.ts';
import type { BucketSeries } from '#domain/reading/bucket-series.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { type ListResponse, requestList, sendRequest } from './http.ts';
import type { ApiResponse, RequestOptions } from './send.ts';

export interface PlantListResponse<T> {
  list: ListResponse<T[], PlantDelta>;
  response: ApiResponse;
}

/** All plants, or what has changed since the version of `knownEtag`. Throws ApiError. */
export function fetchPlants(
  call: RequestOptions,
  knownEtag: string | null = null,
): Promise<PlantListResponse<PlantRecord>> {
  const schemas = { whole: plantListSchema, delta: plantDeltaSchema };
  const texts = { fallback: fallbackTexts.plants };
  return requestList(plantsRequest(), call, schemas, texts, knownEtag);
}

/** Like fetchPlants, each plant with its latest readings. A delta also contains the new readings. */
export function fetchPlantsWithReadings(
  call: RequestOptions,
  knownEtag: string | null = null,
): Promise<PlantListResponse<PlantWithReadings>> {
  const schemas = { whole: plantsWithReadingsSchema, delta: plantDeltaSchema };
  const texts = { fallback: fallbackTexts.plantsWithReadings };
  return requestList(plantsWithReadingsRequest(), call, schemas, texts, knownEtag);
}

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

/** A plant's readings in buckets. Throws ApiError. */
export function fetchSeries(
  id: WireId,
  query: SeriesQuery,
  call: RequestOptions,
): Promise<BucketSeries> {
  return sendRequest(seriesRequest(id, query), call, seriesResponseSchema, {
    fallback: 'Failed to fetch readings',
  });
}

/**
 * The messages when a request for plants or logs has no usable response. The spec defines them, also for requests that
 * this app does not make. The messages of failed changes are in the screens that make them.
 */
export const fallbackTexts = {
  plants: 'Failed to fetch plants',
  plantsWithReadings: 'Failed to fetch plants with readings',
  plant: (id: WireId) => `Failed to fetch plant with ID ${id}`,
  logs: (id: WireId) => `Failed to fetch logs for plant with ID ${id}`,
  logsSummary: (id: WireId) => `Failed to fetch logs summary for plant with ID ${id}`,
  createLog: 'Failed to create sensor log',
} as const;
