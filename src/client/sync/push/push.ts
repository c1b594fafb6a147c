import type { SyncContext } from '../context.ts';
import { claimOps } from './claim.ts';
import { commitResults } from './commit.ts';
import type { Pause } from './pause.ts';
import { sendOps } from './send.ts';

/**
 * Why pushing ended. `needsPull`: whether the server has newer data than the rows. Times are of the device's clock, ms.
 */
export type PushResult =
  /** `dueAt`: when the next waiting op is due; null if none waits. */
  | { type: 'done'; needsPull: boolean; dueAt: number | null }
  | ({ type: 'paused'; needsPull: boolean } & Pause)
  | { type: 'unauthorized' };

/** Sends all ops that are due, those of a plant in the order in which they were made. */
export async function push(context: SyncContext): Promise<PushResult> {
  let needsPull = false;
  let next = await claimOps(context);
  while (next.type === 'claimed') {
    const committed = await commitResults(context, await sendOps(context, next.ops));
    if (committed.isUnauthorized) return { type: 'unauthorized' };
    needsPull ||= committed.needsPull;
    if (committed.pause) return { type: 'paused', needsPull, ...committed.pause };
    next = await claimOps(context);
  }
  return { type: 'done', needsPull, dueAt: next.type === 'wait' ? next.until : null };
}
