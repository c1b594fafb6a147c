import { isRejected } from '#client/store/outbox/op.ts';
import { backoffMs } from '../backoff.ts';
import type { SyncContext } from '../context.ts';
import type { OpResult } from './classify.ts';
import type { SendResult } from './send.ts';

type Sent = Pick<SendResult, 'claimed' | 'result'>;

/** Nothing may be sent before `until` (device's clock, ms). `by`: the server requested it, or there was no response. */
export interface Pause {
  until: number;
  by: 'server' | 'backoff';
}

/** After a 425 or 429 without Retry-After, wait as long as after this many failures. */
const tooManyFailures = 4;

/**
 * Whether an upload got no response. That says nothing about other requests, because photos are much larger: a line may
 * be too slow for them, or a proxy may refuse them.
 */
export function isUploadWithoutResponse({ claimed, result }: Sent): boolean {
  return claimed.op.type === 'add_photo' && hasNoResponse(result);
}

function hasNoResponse(result: OpResult): result is OpResult & { type: 'uncertain' } {
  return result.type === 'uncertain' && result.error.status === null;
}

/** Until when nothing may be sent after these results; null if the next ops may succeed. */
export function pauseAfter({ now, random }: SyncContext, results: readonly Sent[]): Pause | null {
  for (const sent of results) {
    const { claimed, result } = sent;
    if (isUploadWithoutResponse(sent)) continue;
    if (result.type !== 'later' && !hasNoResponse(result)) continue;
    const failures = result.type === 'later' ? tooManyFailures : claimed.op.attempts;
    const waitMs = result.retryAfterMs ?? backoffMs(failures, random);
    return { until: now() + waitMs, by: result.type === 'later' ? 'server' : 'backoff' };
  }
  return null;
}

/**
 * After an upload failed, all uploads wait, longer after each further failure: otherwise twenty photos would make twenty
 * attempts in the first second without a network. Call it in the transaction that writes the failure.
 */
export async function postponeUploads(
  { db, now, random, signal }: SyncContext,
  retryAfterMs: number | null,
): Promise<void> {
  // This device aborted the request, so the next leader need not wait.
  if (signal.aborted) return;
  const uploads = await db.outbox
    .filter((op) => op.type === 'add_photo' && !isRejected(op))
    .toArray();
  const failures = uploads.reduce((sum, { attempts }) => sum + attempts, 0);
  const nextAt = now() + (retryAfterMs ?? backoffMs(failures, random));
  for (const { seq } of uploads) await db.outbox.update(seq, { nextAt });
}
