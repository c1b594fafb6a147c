import { backoffMs } from '../backoff.ts';
import type { SyncContext } from '../context.ts';
import type { SendResult } from './send.ts';

/** Nothing may be sent before `until` (device's clock, ms). `by`: the server requested it, or there was no response. */
export interface Pause {
  until: number;
  by: 'server' | 'backoff';
}

/** After a 429 without Retry-After, wait as long as after this many failures. */
const tooManyFailures = 4;

/** Until when nothing may be sent after these results; null if the next ops may succeed. */
export function pauseAfter(
  { now, random }: SyncContext,
  results: readonly Pick<SendResult, 'claimed' | 'result'>[],
): Pause | null {
  for (const { claimed, result } of results) {
    const isUnanswered = result.type === 'uncertain' && result.error.status === null;
    if (result.type !== 'later' && !isUnanswered) continue;
    const failures = isUnanswered ? claimed.op.attempts : tooManyFailures;
    const waitMs = result.retryAfterMs ?? backoffMs(failures, random);
    return { until: now() + waitMs, by: isUnanswered ? 'backoff' : 'server' };
  }
  return null;
}
