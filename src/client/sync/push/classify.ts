import { errorMessage, isFromServer } from '#client/api/http.ts';
import type { ApiResponse } from '#client/api/send.ts';
import { type OpError, type OpType, opTraits } from '#client/store/outbox/op.ts';
import type { DueOp } from './next-ops.ts';

/** What a response means for an op that was sent. */
export type OpResult =
  /** The server has applied it. */
  | { type: 'done'; response: ApiResponse }
  /** Unknown whether the server has applied it: resend the same bytes later. */
  | { type: 'uncertain'; error: OpError; retryAfterMs: number | null }
  /** Too early or too many requests: the whole outbox waits, and this does not count as an attempt. */
  | { type: 'later'; retryAfterMs: number | null }
  /** Not executed: it will be sent again as if it had not been claimed. */
  | { type: 'released' }
  /** The session has ended: everything stops, and the outbox is kept. */
  | { type: 'unauthorized' }
  /** The request is out of date, usually because the plant has changed on the server: build a new one and send it. */
  | { type: 'stale'; error: OpError }
  /** The server has this key for other bytes, so an earlier send was applied. */
  | { type: 'applied-before' }
  /** The server will never accept it: the person decides. */
  | { type: 'rejected'; error: OpError };

const tooLarge = 'The photo is larger than the server accepts.';
const addedBefore = 'This plant was already added as you entered it before. Edit that one instead.';

/** What a response to one op means; `response` null: there was none. Pure. */
export function classify(type: OpType, response: ApiResponse | null): OpResult {
  if (response === null) {
    return { type: 'uncertain', error: { message: 'No answer', status: null }, retryAfterMs: null };
  }
  const { status, retryAfterMs } = response;
  if (response.ok && response.isJson) return { type: 'done', response };
  if (isGoneAlready(type, status) && isFromServer(response)) return { type: 'done', response };
  if (status === 401) return { type: 'unauthorized' };
  if (status === 425 || status === 429) return { type: 'later', retryAfterMs };
  const error = {
    message: errorMessage(response, 'Request'),
    status: isFromServer(response) ? status : null,
  };
  // A proxy refuses the photo each time. A retry would only repeat the upload.
  if (type === 'add_photo' && status === 413 && !isFromServer(response)) {
    return { type: 'rejected', error: { message: tooLarge, status } };
  }
  if (!isFromServer(response) || status === 408 || status >= 500 || response.ok) {
    return { type: 'uncertain', error, retryAfterMs };
  }
  if (status === 412 || status === 409) return { type: 'stale', error };
  if (status === 422 && isMismatch(response.body)) {
    // This response does not contain the id of the plant that the earlier send created, so the person decides.
    if (type === 'create') return { type: 'rejected', error: { message: addedBefore, status } };
    return { type: 'applied-before' };
  }
  return { type: 'rejected', error };
}

/**
 * Whether the response says that what the op removes no longer exists, or that the photo that it adds was deleted
 * elsewhere after an earlier attempt.
 */
function isGoneAlready(type: OpType, status: number): boolean {
  const { isRemoval } = opTraits[type];
  return (isRemoval && status === 404) || ((isRemoval || type === 'add_photo') && status === 410);
}

function isMismatch(body: unknown): boolean {
  return (body as { code?: unknown } | null)?.code === 'idempotency_mismatch';
}

/**
 * The results of the ops of a batch. `responses`: one for each op; null if the response to the batch has none. Pure.
 */
export function classifyBatch(
  ops: readonly DueOp[],
  response: ApiResponse | null,
  responses: readonly ApiResponse[] | null,
): OpResult[] {
  if (responses) return classifyEach(ops, responses);
  return ops.map(({ op: { type } }) => {
    if (response === null || response.ok) return classify(type, null);
    return hasNoBatches(response) ? { type: 'released' } : classify(type, response);
  });
}

/** Whether the server or a proxy accepts no batches, so that none of the ops was executed. */
export function hasNoBatches({ status }: ApiResponse): boolean {
  return status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status);
}

function classifyEach(ops: readonly DueOp[], responses: readonly ApiResponse[]): OpResult[] {
  const failedPlants = new Set<string>();
  return ops.map(({ op, plantId }, i) => {
    const response = responses[i] ?? null;
    // Not executed, because an earlier op of its plant failed. Any other 424 is handled like other 4xx.
    if (response?.status === 424 && failedPlants.has(plantId)) return { type: 'released' };
    if (!response?.ok) failedPlants.add(plantId);
    return classify(op.type, response);
  });
}
