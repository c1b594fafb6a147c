import { liveQuery, type Observable } from 'dexie';
import type { DeviceDb } from '../schema.ts';
import { readStatus } from '../sync-status.ts';
import { opsOfPlant } from './enqueue.ts';
import { isRejected, type Op } from './op.ts';

/** What became of an op while somebody looks: `waiting` is no failure, only not now. */
export type OpAnswer =
  | { type: 'done' }
  | { type: 'refused'; message: string }
  | { type: 'waiting' };

/**
 * The first answer to an op, or 'waiting' after `ms` — at once when there is nothing to wait for: no network, an op
 * that already backs off or stands behind another of its plant. Never rejects; the op goes its way whatever is
 * decided here.
 */
export function waitForAnswer(db: DeviceDb, opId: string, ms: number): Promise<OpAnswer> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish({ type: 'waiting' }), ms);
    const subscription = liveQuery(() => answerNow(db, opId)).subscribe({
      next: (outcome) => outcome && finish(outcome),
      error: () => finish({ type: 'waiting' }),
    });
    function finish(outcome: OpAnswer): void {
      clearTimeout(timer);
      subscription.unsubscribe();
      resolve(outcome);
    }
  });
}

/** Whether an op still goes its way by itself, e.g. after a failure inside the server. */
export async function isStillQueued(db: DeviceDb, opId: string): Promise<boolean> {
  const op = await db.outbox.where('opId').equals(opId).first();
  return op !== undefined && !isRejected(op);
}

/** Whether the first answer to an op is still to come and worth waiting for, as `waitForAnswer` judges it. */
export function watchAwaited(db: DeviceDb, opId: string): Observable<boolean> {
  return liveQuery(async () => (await answerNow(db, opId)) === null);
}

/** null while the first attempt is still to be answered. */
function answerNow(db: DeviceDb, opId: string): Promise<OpAnswer | null> {
  return db.transaction('r', db.outbox, db.syncState, db.idmap, async () => {
    const op = await db.outbox.where('opId').equals(opId).first();
    if (!op) return { type: 'done' };
    if (isRefused(op)) return { type: 'refused', message: op.lastError?.message ?? '' };
    const { reach } = await readStatus(db);
    const isOutOfReach = reach !== 'online' && reach !== 'unknown';
    const isLater = op.state === 'uncertain' || isRejected(op) || op.nextAt > 0 || op.attempts > 1;
    return isOutOfReach || isLater || (await isBehind(db, op)) ? { type: 'waiting' } : null;
  });
}

/** A failure inside the server is an answer to the person, although the engine goes on trying. */
function isRefused({ state, lastError }: Op): boolean {
  return state === 'parked' || (state === 'uncertain' && typeof lastError?.status === 'number');
}

async function isBehind(db: DeviceDb, { seq, entity }: Op): Promise<boolean> {
  const ops = await opsOfPlant(db, entity);
  return ops.some((op) => op.seq < seq && (!isRejected(op) || op.kind === 'create'));
}
