import {
  logAnswerSchema,
  logPaths,
  logPayloadSchema,
  logsQuerySchema,
  logsSummarySchema,
  readingLogsSchema,
} from '#contract/logs.ts';
import type { Operation } from '../openapi/operation.ts';

const tag = 'Readings';

export const logOperations: readonly Operation[] = [
  {
    id: 'createLog',
    method: 'post',
    path: logPaths.create,
    tag,
    summary: 'Report a reading',
    description:
      'A second reading of the same plant and moment replaces the first. A device token reports for its own device, which it need not name. The answer lists in `commands` what the device is to do; the device reports the results as `command_results` of its next reading.',
    caller: 'person or device',
    body: logPayloadSchema,
    example: { device_id: 'pot-1', soil_humidity: 41.5, temperature: 21 },
    isIdempotent: true,
    refuses: { 404: 'No plant of the account has this id or this device (`not_found`)' },
    success: { status: 201, description: 'The stored reading', schema: logAnswerSchema },
    badInput: [
      {
        summary: 'An impossible humidity',
        body: { device_id: 'pot-1', soil_humidity: 120 },
        detail: [{ loc: ['body', 'soil_humidity'], msg: 'Expected <=100' }],
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
];
