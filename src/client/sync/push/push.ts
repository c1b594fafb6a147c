import { backoffMs } from '../backoff.ts';
import type { SyncContext } from '../context.ts';
import { claimOp } from './claim.ts';
import type { OpResult } from './classify.ts';
import { commitResult } from './commit.ts';
import { sendOp } from './send.ts';

/**
 * Why pushing ended. `answered`: how many ops the server answered for good, also by a refusal: there may be news to
 * pull. Moments are of the device's clock, ms.
 */
export type PushResult =
  /** `dueAt`: when the next waiting op is due; null when nothing waits. */
  | { type: 'done'; answered: number; dueAt: number | null }
  /** Nothing may be sent before `until`. `by`: the server asked for it, or nobody answers. */
  | { type: 'paused'; answered: number; until: number; by: 'server' | 'backoff' }
  | { type: 'unauthorized' };

/** A 429 without Retry-After waits as long as after a few failures. */
const tooManyFailures = 4;

/** Sends everything that is due, one op at a time, those of a plant in order of intent. */
export async function push(context: SyncContext): Promise<PushResult> {
  let answered = 0;
  let next = await claimOp(context);
  while (next.type === 'claimed') {
    const sent = await sendOp(context, next.claimed);
    if (sent) {
      const result = await commitResult(context, sent);
      if (result.type === 'unauthorized') return { type: 'unauthorized' };
      const pause = pauseAfter(context, result, sent.claimed.op.attempts);
      if (pause) return { type: 'paused', answered, ...pause };
      if (isFinal(result)) answered += 1;
    }
    next = await claimOp(context);
  }
  return { type: 'done', answered, dueAt: next.type === 'wait' ? next.until : null };
}

/** How long nothing more may be sent; null when the next op may fare better. */
function pauseAfter({ now, random }: SyncContext, result: OpResult, attempts: number) {
  if (result.type === 'later') {
    const waitMs = result.retryAfterMs ?? backoffMs(tooManyFailures, random);
    return { until: now() + waitMs, by: 'server' } as const;
  }
  if (result.type === 'uncertain' && result.error.status === null) {
    const waitMs = result.retryAfterMs ?? backoffMs(attempts, random);
    return { until: now() + waitMs, by: 'backoff' } as const;
  }
  return null;
}

function isFinal({ type }: OpResult): boolean {
  return type === 'done' || type === 'landed' || type === 'refused';
}
