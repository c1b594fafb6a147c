import * as v from 'valibot';
import { readingLogSchema } from '#contract/logs.ts';
import {
  createPlantRequest,
  deletePlantRequest,
  latestReadingsRequest,
  type MessageAnswer,
  type PlantWithReadings,
  plantListSchema,
  plantRecordSchema,
  plantRequest,
  plantsRequest,
  plantsWithReadingsRequest,
  plantsWithReadingsSchema,
  updatePlantRequest,
  type WaterQuery,
  waterPlantRequest,
} from '#contract/plants.ts';
import type { PlantFields } from '#domain/plant/fields.ts';
import type { PlantRecord, WireId } from '#domain/plant/plant.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { requestIfChanged, sendRequest } from './http.ts';
import type { ApiResponse, RequestOptions } from './send.ts';

const messageSchema: v.GenericSchema<unknown, MessageAnswer> = v.looseObject({
  message: v.string(),
});

/** Every function throws ApiError with the catalogue's text (spec section 8). */
export function fetchPlants(
  call: RequestOptions,
  knownEtag: string | null = null,
): Promise<{ value: PlantRecord[] | 'unchanged'; answer: ApiResponse }> {
  const texts = { fallback: 'Failed to fetch plants' };
  return requestIfChanged(plantsRequest(), call, plantListSchema, texts, knownEtag);
}

export function fetchPlantsWithReadings(
  call: RequestOptions,
  knownEtag: string | null = null,
): Promise<{ value: PlantWithReadings[] | 'unchanged'; answer: ApiResponse }> {
  const texts = { fallback: 'Failed to fetch plants with readings' };
  return requestIfChanged(
    plantsWithReadingsRequest(),
    call,
    plantsWithReadingsSchema,
    texts,
    knownEtag,
  );
}

export function fetchPlant(id: WireId, call: RequestOptions): Promise<PlantRecord> {
  const fallback = `Failed to fetch plant with ID ${id}`;
  return sendRequest(plantRequest(id), call, plantRecordSchema, { fallback });
}

export function fetchLatestReadings(id: WireId, call: RequestOptions): Promise<ReadingLog | null> {
  const schema = v.union([readingLogSchema, emptyReading]);
  return sendRequest(latestReadingsRequest(id), call, schema, {
    fallback: 'Failed to load plant data',
  });
}

/** A plant that never reported: every value null, the moment too. */
const emptyReading = v.pipe(
  v.looseObject({ timestamp: v.null() }),
  v.transform(() => null),
);

export function createPlant(plant: PlantFields, call: RequestOptions): Promise<PlantRecord> {
  const fallback = 'Failed to create plant';
  return sendRequest(createPlantRequest(plant), call, plantRecordSchema, { fallback });
}

export function updatePlant(
  id: WireId,
  plant: PlantFields,
  etag: string | null,
  call: RequestOptions,
): Promise<PlantRecord> {
  const fallback = `Failed to update plant with ID ${id}`;
  return sendRequest(updatePlantRequest(id, plant, etag), call, plantRecordSchema, { fallback });
}

export function deletePlant(id: WireId, call: RequestOptions): Promise<MessageAnswer> {
  const fallback = `Failed to delete plant with ID ${id}`;
  return sendRequest(deletePlantRequest(id), call, messageSchema, { fallback });
}

export function waterPlant(
  id: WireId,
  query: WaterQuery,
  call: RequestOptions,
): Promise<PlantRecord> {
  const fallback = `Failed to water plant with ID ${id}`;
  return sendRequest(waterPlantRequest(id, query), call, plantRecordSchema, { fallback });
}
