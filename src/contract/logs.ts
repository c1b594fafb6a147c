import * as v from 'valibot';
import type { WireId } from '#domain/plant/plant.ts';
import { type Measure, measures, possibleRange, type ReadingLog } from '#domain/reading/reading.ts';
import { momentSchema } from './moment.ts';
import { type ApiRequest, pathFor, request } from './request.ts';

export const logPaths = {
  create: '/api/logs',
  ofPlant: '/api/logs/plant/:id',
  summary: '/api/logs/plant/:id/summary',
} as const;

const measured = v.optional(v.nullable(v.number()), null);
const measuredEntries = {
  soil_humidity: measured,
  air_humidity: measured,
  temperature: measured,
  luminance: measured,
};

/** A reading in a response. A measure that was not reported is null, never 0. */
export const readingLogSchema: v.GenericSchema<unknown, ReadingLog> = v.looseObject({
  timestamp: v.pipe(v.string(), v.minLength(1)),
  ...measuredEntries,
});

export const readingLogsSchema: v.GenericSchema<unknown, ReadingLog[]> = v.array(readingLogSchema);

/** A plant's newest reading; every field is null if the plant has none. */
export type LatestReading = Omit<ReadingLog, 'timestamp'> & { timestamp: string | null };

export const latestReadingSchema: v.GenericSchema<unknown, LatestReading> = v.looseObject({
  timestamp: v.nullable(v.string()),
  ...measuredEntries,
});

/** A watering command. The device runs each id at most once, and never after `expires_at`. */
export interface DeviceCommand {
  id: string;
  type: 'water';
  /** ml */
  amount_ml: number;
  /** ISO 8601 UTC */
  expires_at: string;
}

/** The result of a command, sent with the device's next reading. A repeated result counts once. */
export interface CommandResult {
  id: string;
  status: 'done' | 'failed';
  /**
   * The amount that was actually given, ml. If absent: the whole amount for `done`, unknown for `failed`. A command
   * that had expired when it arrived is reported as `failed` with 0, which is no failure of the pump.
   */
  amount_ml?: number | undefined;
}

export interface LogPayload extends Record<Measure, number | null> {
  plant_id?: string | undefined;
  device_id?: string | undefined;
  /** ISO 8601; now when absent */
  timestamp?: string | undefined;
  command_results?: CommandResult[] | undefined;
}

const commandResult = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  status: v.picklist(['done', 'failed']),
  amount_ml: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(10_000))),
});

const inRange = (measure: Measure) =>
  v.optional(
    v.nullable(
      v.pipe(
        v.number(),
        v.minValue(possibleRange[measure].min),
        v.maxValue(possibleRange[measure].max),
      ),
    ),
    null,
  );

export const logPayloadSchema: v.GenericSchema<unknown, LogPayload> = v.pipe(
  v.object({
    plant_id: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
    device_id: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200))),
    timestamp: v.optional(momentSchema),
    soil_humidity: inRange('soil_humidity'),
    air_humidity: inRange('air_humidity'),
    temperature: inRange('temperature'),
    luminance: inRange('luminance'),
    command_results: v.optional(v.pipe(v.array(commandResult), v.maxLength(100))),
  }),
  v.check(
    (log) => log.plant_id !== undefined || log.device_id !== undefined,
    'plant_id or device_id is required',
  ),
  v.check(
    (log) => measures.some((measure) => log[measure] !== null),
    'At least one measure is required',
  ),
);

/** Limits of a request: readings in an array, and bytes of the body. */
export const logLimits = { readings: 500, bytes: 128 * 1024 } as const;

/**
 * The body of a request: one reading, or an array. Only the length of an array is checked here, so that an invalid
 * reading does not prevent the others from being stored. The invalid reading is reported in its own result.
 */
export const logBodySchema: v.GenericSchema<unknown, LogPayload | readonly unknown[]> = v.lazy(
  (body) => (Array.isArray(body) ? logArraySchema : logPayloadSchema),
);

const logArraySchema = v.pipe(
  v.array(v.unknown()),
  v.minLength(1, 'Must contain a reading'),
  v.maxLength(logLimits.readings, `Must contain at most ${logLimits.readings} readings`),
);

/** An array of valid readings, for the description of the API. */
export const logArrayOfPayloads: v.GenericSchema<unknown, LogPayload[]> = v.pipe(
  v.array(logPayloadSchema),
  v.minLength(1),
  v.maxLength(logLimits.readings),
);

/** The stored reading, and the commands that the device must run. */
export interface LogResponse extends Record<Measure, number | null> {
  plant_id: string;
  /** ISO 8601 UTC */
  timestamp: string;
  commands: DeviceCommand[];
}

export const logResponseSchema: v.GenericSchema<unknown, LogResponse> = v.looseObject({
  plant_id: v.string(),
  timestamp: v.string(),
  ...measuredEntries,
  commands: v.array(
    v.looseObject({
      id: v.string(),
      type: v.literal('water'),
      amount_ml: v.number(),
      expires_at: v.string(),
    }),
  ),
});

/**
 * The response that a separate request with this reading would get. Only the result of a plant's last reading contains
 * commands.
 */
export interface LogResult {
  status: number;
  /** A LogResponse for the status 201, else an error body. */
  body?: unknown;
}

/** One result per reading, in the order of the readings. */
export interface LogsResponse {
  results: LogResult[];
}

export const logsResponseSchema: v.GenericSchema<unknown, LogsResponse> = v.looseObject({
  results: v.array(v.looseObject({ status: v.number(), body: v.optional(v.unknown()) })),
});

export interface LogsQuery {
  limit?: number | undefined;
  /** ISO 8601, inclusive */
  from?: string | undefined;
  /** ISO 8601, inclusive */
  to?: string | undefined;
}

export const logsQuerySchema: v.GenericSchema<unknown, LogsQuery> = v.object({
  limit: v.optional(
    v.pipe(v.string(), v.digits(), v.transform(Number), v.minValue(1), v.maxValue(1000)),
  ),
  from: v.optional(momentSchema),
  to: v.optional(momentSchema),
});

export interface MeasureSummary {
  min: number | null;
  max: number | null;
  avg: number | null;
  count: number;
}

export type LogsSummary = Record<Measure, MeasureSummary> & {
  from: string | null;
  to: string | null;
};

const summarySchema = v.looseObject({
  min: v.nullable(v.number()),
  max: v.nullable(v.number()),
  avg: v.nullable(v.number()),
  count: v.number(),
});

export const logsSummarySchema: v.GenericSchema<unknown, LogsSummary> = v.looseObject({
  soil_humidity: summarySchema,
  air_humidity: summarySchema,
  temperature: summarySchema,
  luminance: summarySchema,
  from: v.nullable(v.string()),
  to: v.nullable(v.string()),
});

export function createLogRequest(payload: LogPayload): ApiRequest {
  return request('POST', logPaths.create, { body: payload });
}

export function createLogsRequest(payloads: readonly LogPayload[]): ApiRequest {
  return request('POST', logPaths.create, { body: payloads });
}

export function logsRequest(id: WireId, query: LogsQuery = {}): ApiRequest {
  return request('GET', pathFor(logPaths.ofPlant, id), { query: { ...query } });
}
