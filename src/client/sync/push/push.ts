import { isPhotoOp } from '#client/store/outbox/op.ts';
import type { SyncContext } from '../context.ts';
import { claimOps } from './claim.ts';
import { commitResults } from './commit.ts';
import type { Pause } from './pause.ts';
import { sendOps } from './send.ts';

/**
 * Why pushing ended. `needsPull`: whether to pull now. Times are of the device's clock, ms.
 */
export type PushResult =
  /** `dueAt`: when the next waiting op is due; null if none waits. */
  | { type: 'done'; needsPull: boolean; dueAt: number | null }
  | ({ type: 'paused'; needsPull: boolean } & Pause)
  | { type: 'unauthorized' };

/**
 * Sends all ops that are due, those of a plant in the order in which they were made, and after them at most `maxPhotos`
 * ops of photos. A further photo is reported as due at once, so that the caller can first do something more urgent,
 * such as a pull.
 */
export async function push(context: SyncContext, maxPhotos = 1): Promise<PushResult> {
  let needsPull = false;
  let photosLeft = maxPhotos;
  let next = await claimOps(context, photosLeft > 0);
  while (next.type === 'claimed') {
    if (next.ops.some(({ op }) => isPhotoOp(op))) photosLeft -= 1;
    const committed = await commitResults(context, await sendOps(context, next.ops));
    if (committed.isUnauthorized) return { type: 'unauthorized' };
    needsPull ||= committed.needsPull;
    if (committed.pause) return { type: 'paused', needsPull, ...committed.pause };
    next = await claimOps(context, photosLeft > 0);
  }
  return { type: 'done', needsPull, dueAt: next.type === 'wait' ? next.until : null };
}
