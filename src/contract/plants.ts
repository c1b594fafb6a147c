import * as v from 'valibot';
import { mapFields, type PlantFieldName, type PlantFields } from '#domain/plant/fields.ts';
import type { LatestFields, PlantRecord, WireId } from '#domain/plant/plant.ts';
import type { Measure } from '#domain/reading/reading.ts';
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
 * Checks the shape of a response. The check is loose, so that an installed app works with a newer server: any field but
 * the id may be missing, and unknown fields are kept. Values must have the right type.
 */
const text = v.nullish(v.string());
const number = v.nullish(v.number());
const flag = v.nullish(v.boolean());
const value = v.optional(v.nullable(v.number()));

const latestEntries: Record<`latest_${Measure}`, typeof value> = {
  latest_soil_humidity: value,
  latest_air_humidity: value,
  latest_temperature: value,
  latest_luminance: value,
};

type FieldEntries = {
  [Name in PlantFieldName]: v.GenericSchema<unknown, PlantFields[Name] | null | undefined>;
};

const fieldEntries = mapFields<v.GenericSchema>(({ spec }) => {
  if (spec.type === 'number' || spec.type === 'range') return number;
  return spec.type === 'flag' ? flag : text;
}) as FieldEntries;

/** The fields of a plant record. */
export const recordEntries = {
  id: v.union([v.pipe(v.string(), v.minLength(1)), v.number()]),
  etag: text,
  ...fieldEntries,
  date_added: text,
  age: text,
  last_watered: text,
  next_watering_date: text,
  last_fertilized: text,
  snoozed_until: text,
  journal_version: number,
  health_status: text,
  auto_watering_reason: text,
  auto_watering_since: text,
  /**
   * The reason in words. Apps older than `auto_watering_reason` show it, and newer apps show it for an unknown code.
   * Keep it as long as such apps may be installed.
   */
  auto_watering_note: text,
};

export const plantRecordSchema: v.GenericSchema<unknown, PlantRecord> =
  v.looseObject(recordEntries);

export const plantListSchema: v.GenericSchema<unknown, PlantRecord[]> = v.array(plantRecordSchema);

export const plantsWithReadingsSchema: v.GenericSchema<unknown, PlantWithReadings[]> = v.array(
  v.looseObject({
    ...recordEntries,
    ...latestEntries,
    last_reading_time: v.optional(v.nullable(v.string())),
  }),
);

/** Query of POST /api/plants. `added_at` is not in the spec: the time at which the plant was added. Default: now. */
export interface CreateQuery {
  /** ISO 8601 */
  added_at?: string | undefined;
}

export const createQuerySchema: v.GenericSchema<unknown, CreateQuery> = v.object({
  added_at: v.optional(momentSchema),
});

/** Query of PUT /api/plants/:id. `edited_at` is not in the spec: the time of the edit; now when absent. */
export interface UpdateQuery {
  /** ISO 8601 */
  edited_at?: string | undefined;
}

export const updateQuerySchema: v.GenericSchema<unknown, UpdateQuery> = v.object({
  edited_at: v.optional(momentSchema),
});

/** Query of POST …/water. `watered_at` is not in the spec. It is the time of the watering; now when absent. */
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

export interface MessageResponse {
  message: string;
}

export const messageResponseSchema: v.GenericSchema<unknown, MessageResponse> = v.looseObject({
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

export function createPlantRequest(plant: PlantFields, query: CreateQuery = {}): ApiRequest {
  return request('POST', plantPaths.all, { body: plant, query: { ...query } });
}

/** `etag`: the version the edit was merged with, or null to overwrite any version. */
export function updatePlantRequest(
  id: WireId,
  plant: PlantFields,
  etag: string | null,
  query: UpdateQuery = {},
): ApiRequest {
  return {
    ...request('PUT', pathFor(plantPaths.one, id), { body: plant, query: { ...query } }),
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
