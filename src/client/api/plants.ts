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
import type { PlantFields, PlantRecord, WireId } from '#domain/plant/plant.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { ask, askUnlessKnown } from './http.ts';
import type { Answer, Call } from './send.ts';

const messageSchema: v.GenericSchema<unknown, MessageAnswer> = v.looseObject({
  message: v.string(),
});

/** Every function throws ApiFailure with the catalogue's text (spec section 8). */
export function fetchPlants(
  call: Call,
  knownEtag: string | null = null,
): Promise<{ value: PlantRecord[] | 'unchanged'; answer: Answer }> {
  const texts = { fallback: 'Failed to fetch plants' };
  return askUnlessKnown(plantsRequest(), call, plantListSchema, texts, knownEtag);
}

export function fetchPlantsWithReadings(
  call: Call,
  knownEtag: string | null = null,
): Promise<{ value: PlantWithReadings[] | 'unchanged'; answer: Answer }> {
  const texts = { fallback: 'Failed to fetch plants with readings' };
  return askUnlessKnown(
    plantsWithReadingsRequest(),
    call,
    plantsWithReadingsSchema,
    texts,
    knownEtag,
  );
}

export function fetchPlant(id: WireId, call: Call): Promise<PlantRecord> {
  const fallback = `Failed to fetch plant with ID ${id}`;
  return ask(plantRequest(id), call, plantRecordSchema, { fallback });
}

export function fetchLatestReadings(id: WireId, call: Call): Promise<ReadingLog | null> {
  const schema = v.union([readingLogSchema, emptyReading]);
  return ask(latestReadingsRequest(id), call, schema, { fallback: 'Failed to load plant data' });
}

/** A plant that never reported: every value null, the moment too. */
const emptyReading = v.pipe(
  v.looseObject({ timestamp: v.null() }),
  v.transform(() => null),
);

export function createPlant(plant: PlantFields, call: Call): Promise<PlantRecord> {
  const fallback = 'Failed to create plant';
  return ask(createPlantRequest(plant), call, plantRecordSchema, { fallback });
}

export function updatePlant(
  id: WireId,
  plant: PlantFields,
  etag: string | null,
  call: Call,
): Promise<PlantRecord> {
  const fallback = `Failed to update plant with ID ${id}`;
  return ask(updatePlantRequest(id, plant, etag), call, plantRecordSchema, { fallback });
}

export function deletePlant(id: WireId, call: Call): Promise<MessageAnswer> {
  const fallback = `Failed to delete plant with ID ${id}`;
  return ask(deletePlantRequest(id), call, messageSchema, { fallback });
}

export function waterPlant(id: WireId, query: WaterQuery, call: Call): Promise<PlantRecord> {
  const fallback = `Failed to water plant with ID ${id}`;
  return ask(waterPlantRequest(id, query), call, plantRecordSchema, { fallback });
}
