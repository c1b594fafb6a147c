import { batchPaths, batchPayloadSchema, batchResponseSchema } from '#contract/batch.ts';
import type { Operation } from '../openapi/operation.ts';

const plant = '/api/plants/01890000-0000-7000-8000-000000000000';

export const batchOperations: readonly Operation[] = [
  {
    id: 'runBatch',
    method: 'post',
    path: batchPaths.batch,
    tag: 'Plants',
    summary: 'Send several changes of plants in one request',
    description: `Each operation is executed like a separate request: with its own key and its own result, independent of
failures of other plants. Allowed are POST /api/plants, PUT and DELETE of a plant, POST to its \`water\`, and POST, PUT and
DELETE of journal entries; any other operation gets a 422 as its result. Keys and ETags consist of visible ASCII characters
without spaces. Operations of one plant run in order. After a failed one, the later ones of that plant are not executed
and get a 424 (\`not_executed\`); a 404 or 410 to a DELETE does not count as failed. After a 425, 429 or 503 no further
operation is started, and those of other plants get the same response. If an operation gets a 401, the whole batch does.
The batch needs no Idempotency-Key: send it again after a lost response, and operations that are done are replayed.`,
    caller: 'person',
    body: batchPayloadSchema,
    example: {
      operations: [
        { key: 'op-1', method: 'POST', path: `${plant}/water?amount=250` },
        { key: 'op-2', method: 'DELETE', path: plant, if_match: '"v3"' },
      ],
    },
    errors: { 413: 'The body is larger than 128 KiB (`body_too_large`)' },
    success: {
      status: 200,
      description: 'One result per operation, in their order',
      schema: batchResponseSchema,
    },
    badInput: [
      {
        summary: 'No operations',
        body: { operations: [] },
        detail: [{ loc: ['body', 'operations'], msg: 'Must contain an operation' }],
      },
    ],
  },
];
