import { hourMs } from '#domain/time.ts';
import type { PostAnswer } from './post.ts';

/** The result of sending one message. `status`: of the HTTP response; null without one. */
export type SendResult =
  | { type: 'accepted' }
  /** The browser has unsubscribed. */
  | { type: 'gone' }
  /** A retry would be rejected again. */
  | { type: 'rejected'; status: number | null; problem: string }
  | { type: 'failed'; status: number | null; retryAfterMs: number; problem: string };

/** The meaning of a response. `service`: its name in problems. */
export function resultOf(
  { status, retryAfter }: PostAnswer,
  service: string,
  now: Date,
): SendResult {
  if (status >= 200 && status < 300) return { type: 'accepted' };
  const problem = `The ${service} did not accept the message (status ${status})`;
  if (status === 408 || status === 429 || status >= 500) {
    return { type: 'failed', status, retryAfterMs: msOfRetryAfter(retryAfter, now), problem };
  }
  return { type: 'rejected', status, problem };
}

export function unreachable(service: string): SendResult {
  const problem = `The ${service} could not be reached`;
  return { type: 'failed', status: null, retryAfterMs: 0, problem };
}

const maxRetryAfterMs = 24 * hourMs;

/** Seconds or a date; 0 if it is missing or malformed. */
function msOfRetryAfter(value: string | null, now: Date): number {
  if (value === null) return 0;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now.getTime();
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(0, ms), maxRetryAfterMs);
}
