import { errorMessage } from '#client/api/error-message.ts';
import { isFromServer } from '#client/api/http.ts';
import type { ApiResponse } from '#client/api/send.ts';
import type { OpError, OpType } from '#client/store/outbox/op.ts';

/** What an answer means for the op that it answers. */
export type Fate =
  /** The effect is there. */
  | { is: 'done'; answer: ApiResponse }
  /** Nobody knows whether the effect is there: resend the same bytes later. */
  | { is: 'uncertain'; error: OpError; retryAfterMs: number | null }
  /** Too early or too many: the whole queue waits, and this was no attempt. */
  | { is: 'later'; retryAfterMs: number | null }
  /** The session ended: everything stops, nothing is lost. */
  | { is: 'unauthorized' }
  /** The plant changed meanwhile: look again, then send anew. */
  | { is: 'outdated'; error: OpError }
  /** The server holds this key for other bytes: an earlier send had its effect. */
  | { is: 'landed' }
  /** Refused for good, until the person decides. */
  | { is: 'refused'; error: OpError };

/** The table of answers; `answer` is null when none came. Pure. */
export function classify(kind: OpType, answer: ApiResponse | null): Fate {
  if (answer === null) {
    return { is: 'uncertain', error: { message: 'No answer', status: null }, retryAfterMs: null };
  }
  const { status, retryAfterMs } = answer;
  if (answer.ok && answer.isJson) return { is: 'done', answer };
  if (kind === 'delete' && (status === 404 || status === 410) && isFromServer(answer)) {
    return { is: 'done', answer };
  }
  if (status === 401) return { is: 'unauthorized' };
  if (status === 425 || status === 429) return { is: 'later', retryAfterMs };
  const error = {
    message: errorMessage(answer, 'Request'),
    status: isFromServer(answer) ? status : null,
  };
  if (!isFromServer(answer) || status === 408 || status >= 500 || answer.ok) {
    return { is: 'uncertain', error, retryAfterMs };
  }
  if (status === 412 || status === 409) return { is: 'outdated', error };
  // Without an answer of its own a new plant's id is unknown: the person decides.
  if (status === 422 && isMismatch(answer.body) && kind !== 'create') return { is: 'landed' };
  return { is: 'refused', error };
}

function isMismatch(body: unknown): boolean {
  return (body as { code?: unknown } | null)?.code === 'idempotency_mismatch';
}
