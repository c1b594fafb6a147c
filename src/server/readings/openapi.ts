import {
  logArrayOfPayloads,
  logPaths,
  logPayloadSchema,
  logResponseSchema,
  logsQuerySchema,
  logsResponseSchema,
  logsSummarySchema,
  readingLogsSchema,
} from '#contract/logs.ts';
import { seriesPaths, seriesQuerySchema, seriesResponseSchema } from '#contract/series.ts';
import type { Operation } from '../http/openapi/operation.ts';

const tag = 'Readings';

export const logOperations: readonly Operation[] = [
  {
    id: 'createLog',
    method: 'post',
    path: logPaths.create,
    tag,
    summary: 'Report a reading',
    description: `A second reading with the same plant and timestamp replaces the first. With a device token
\`device_id\` can be omitted. The response lists in \`commands\` what the device must do; the device reports the
results as \`command_results\` of its next reading, which may be a reading of another plant with the same device:
\`failed\` with \`amount_ml\` 0 for a command that had expired when it arrived, \`failed\` without an amount for a
pump that failed. The body may also be an array of up to 500 readings, for example those that a device stored during an
outage. Each is stored or rejected separately and has its own result, in the same order. Automatic watering is decided
once, by the newest reading of each plant; the result of the plant's last reading in the array contains the commands.
The response to a repeated \`Idempotency-Key\` leaves out commands that have ended since, or that a watering by hand or
an edit has withdrawn. Each device that uses a device token has keys of its own; people share the keys of their
account.`,
    caller: 'person or device',
    body: logPayloadSchema,
    example: { device_id: 'pot-1', soil_humidity: 41.5, temperature: 21 },
    isIdempotent: true,
    errors: {
      404: 'No plant of the account has this id or this device (`not_found`)',
      413: 'The body is larger than 128 KiB (`body_too_large`)',
    },
    success: { status: 201, description: 'The stored reading', schema: logResponseSchema },
    array: {
      body: logArrayOfPayloads,
      success: {
        status: 200,
        description: 'For an array: one result per reading, in their order',
        schema: logsResponseSchema,
      },
    },
    badInput: [
      {
        summary: 'An impossible humidity',
        body: { device_id: 'pot-1', soil_humidity: 120 },
        detail: [{ loc: ['body', 'soil_humidity'], msg: 'Expected <=100' }],
      },
      {
        summary: 'An empty array',
        body: [],
        detail: [{ loc: ['body'], msg: 'Must contain a reading' }],
      },
    ],
  },
  {
    id: 'listLogs',
    method: 'get',
    path: logPaths.ofPlant,
    tag,
    summary: 'The readings of a plant, newest first',
    caller: 'person',
    names: 'plant',
    query: logsQuerySchema,
    condition: 'if-none-match',
    success: { status: 200, description: 'The readings', schema: readingLogsSchema },
    badInput: [
      {
        summary: 'A malformed time',
        query: '?from=yesterday',
        detail: [{ loc: ['query', 'from'], msg: 'Must be a moment in ISO 8601' }],
      },
    ],
  },
  {
    id: 'summarizeLogs',
    method: 'get',
    path: logPaths.summary,
    tag,
    summary: 'Lowest, highest and mean value of every measure of a plant',
    caller: 'person',
    names: 'plant',
    success: { status: 200, description: 'The summary', schema: logsSummarySchema },
  },
  {
    id: 'plantSeries',
    method: 'get',
    path: seriesPaths.ofPlant,
    tag,
    summary: 'The readings of a plant over a long time, in buckets',
    description: `Minimum, maximum and mean of every measure in at most \`points\` buckets of equal length (200 by
default), as parallel arrays, oldest first, and the waterings. The length is a round number of minutes, hours or days.
Buckets begin at round times of UTC+7, those of a day and more at midnight. The first bucket contains \`from\`, the
last one ends at \`to\` or after it; bucket n begins \`n * step_seconds\` after \`start\`. A measure that was not
reported in a bucket is null. Buckets of an hour and more also contain readings that were deleted after
\`READINGS_DAYS\`.`,
    caller: 'person',
    names: 'plant',
    query: seriesQuerySchema,
    condition: 'if-none-match',
    success: { status: 200, description: 'The series', schema: seriesResponseSchema },
    badInput: [
      {
        summary: 'An end before the start',
        query: '?from=2026-11-20T08:00:00Z&to=2026-11-19T08:00:00Z',
        detail: [{ loc: ['query', 'to'], msg: 'Must be after from' }],
      },
    ],
  },
];
