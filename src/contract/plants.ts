import * as v from 'valibot';
import type { LatestFields, PlantFields, PlantRecord, WireId } from '#domain/plant/plant.ts';
import { momentSchema } from './moment.ts';
import { type ApiRequest, pathFor, request } from './request.ts';

export const plantPaths = {
  all: '/api/plants',
  withReadings: '/api/plants/with-latest-readings',
  one: '/api/plants/:id',
  latestReadings: '/api/plants/:id/latest-readings',
  water: '/api/plants/:id/water',
} as const;

/** A plant in the list with readings: the record and its latest values. */
export type PlantWithReadings = PlantRecord & {
  [K in keyof LatestFields]?: LatestFields[K] | undefined;
};

/**
 * The shape check of an answer. It is as loose as can be without storing nonsense: an id is a must, texts and
 * numbers must be such, unknown fields pass, so that an installed app survives a newer server.
 */
const text = v.nullish(v.string());
const number = v.nullish(v.number());
const flag = v.nullish(v.boolean());
const value = v.optional(v.nullable(v.number()));

const recordEntries = {
  id: v.union([v.pipe(v.string(), v.minLength(1)), v.number()]),
  nickname: text,
  plant_name: text,
  category: text,
  species: text,
  location: text,
  description: text,
  watering_frequency: number,
  sunlight_requirements: text,
  fertilizer_schedule: text,
  ideal_temperature_min: number,
  ideal_temperature_max: number,
  soil_humidity_threshold_min: number,
  soil_humidity_threshold_max: number,
  air_humidity_threshold_min: number,
  air_humidity_threshold_max: number,
  temperature_threshold_min: number,
  temperature_threshold_max: number,
  luminance_threshold_min: number,
  luminance_threshold_max: number,
  device_id: text,
  auto_watering_enabled: flag,
  date_added: text,
  age: text,
  last_watered: text,
  next_watering_date: text,
  last_fertilized: text,
  reminder_enabled: flag,
  health_status: text,
  auto_watering_note: text,
};

export const plantRecordSchema: v.GenericSchema<unknown, PlantRecord> =
  v.looseObject(recordEntries);

export const plantListSchema: v.GenericSchema<unknown, PlantRecord[]> = v.array(plantRecordSchema);

export const plantsWithReadingsSchema: v.GenericSchema<unknown, PlantWithReadings[]> = v.array(
  v.looseObject({
    ...recordEntries,
    latest_soil_humidity: value,
    latest_air_humidity: value,
    latest_temperature: value,
    latest_luminance: value,
    last_reading_time: v.optional(v.nullable(v.string())),
  }),
);

/** Query of POST …/water. `watered_at` is our addition: the moment of the tap, where it differs from now. */
export interface WaterQuery {
  /** ml */
  amount?: number | undefined;
  /** ISO 8601 */
  watered_at?: string | undefined;
}

export const waterQuerySchema: v.GenericSchema<unknown, WaterQuery> = v.object({
  amount: v.optional(
    v.pipe(v.string(), v.decimal(), v.transform(Number), v.minValue(1), v.maxValue(10_000)),
  ),
  watered_at: v.optional(momentSchema),
});

export interface MessageAnswer {
  message: string;
}

export const messageAnswerSchema: v.GenericSchema<unknown, MessageAnswer> = v.looseObject({
  message: v.string(),
});

export function plantsRequest(): ApiRequest {
  return request('GET', plantPaths.all);
}

export function plantsWithReadingsRequest(): ApiRequest {
  return request('GET', plantPaths.withReadings);
}

export function plantRequest(id: WireId): ApiRequest {
  return request('GET', pathFor(plantPaths.one, id));
}

export function latestReadingsRequest(id: WireId): ApiRequest {
  return request('GET', pathFor(plantPaths.latestReadings, id));
}

export function createPlantRequest(plant: PlantFields): ApiRequest {
  return request('POST', plantPaths.all, { body: plant });
}

/** `etag`: the version the edit was merged with, or null to overwrite whatever is there. */
export function updatePlantRequest(
  id: WireId,
  plant: PlantFields,
  etag: string | null,
): ApiRequest {
  return {
    ...request('PUT', pathFor(plantPaths.one, id), { body: plant }),
    ifMatch: etag,
  };
}

export function deletePlantRequest(id: WireId): ApiRequest {
  return request('DELETE', pathFor(plantPaths.one, id));
}

export function waterPlantRequest(id: WireId, query: WaterQuery = {}): ApiRequest {
  return request('POST', pathFor(plantPaths.water, id), {
    query: { ...query },
  });
}
