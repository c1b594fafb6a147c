import { isRejected } from '#client/store/outbox/op.ts';
import { backoffMs } from '../backoff.ts';
import type { SyncContext } from '../context.ts';

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
