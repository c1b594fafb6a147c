import * as v from 'valibot';
import { batchRequest, batchResponseSchema } from '#contract/batch.ts';
import type { ApiRequest } from '#contract/request.ts';
import { type ApiResponse, apiResponse, type RequestOptions, send } from './send.ts';

/** The result of a batch. `responses`: one per operation, in their order; null unless the server sent one for each. */
export interface SentBatch {
  /** The response to the batch itself. */
  response: ApiResponse;
  responses: ApiResponse[] | null;
}

/** Sends requests in one call, each with its idempotency key. Rejects only with NoResponse. */
export async function sendBatch(
  operations: readonly { key: string; request: ApiRequest }[],
  call: RequestOptions,
): Promise<SentBatch> {
  const response = await send(batchRequest(operations), call);
  const parsed = v.safeParse(batchResponseSchema, response.body);
  if (!response.ok || !parsed.success) return { response, responses: null };
  const { results } = parsed.output;
  if (results.length !== operations.length) return { response, responses: null };
  const responses = results.map(({ status, headers, body }) =>
    apiResponse(status, (name) => headers[name] ?? null, body),
  );
  return { response, responses };
}
