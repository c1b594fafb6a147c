import { liveQuery } from 'dexie';
import type { Connectivity, DeviceDb } from '../schema.ts';
import { readStatus } from '../sync-status.ts';
import { isBlocked } from './blocking.ts';
import { isNotFound, isRejected, type Op } from './op.ts';
import { opsOfPlant } from './outbox.ts';

/** How long a button or a form waits for the answer to a change (ms). */
export const answerWithinMs = 10_000;

/**
 * The result that a form waits for. `waiting` is not a failure: the op stays in the outbox and is sent later. After
 * `failed` it may still be sent too (isStillQueued), e.g. after a server error. `isGone`: the server no longer has
 * what the op changes.
 */
export type OpAnswer =
  | { type: 'done' }
  | { type: 'failed'; message: string; isGone: boolean }
  | { type: 'waiting' };

/**
 * Waits for the first answer to an op, at most `ms`. Resolves with 'waiting' at once when no answer can be expected:
 * without a network, in backoff, or behind another op of its plant. Never rejects.
 */
export function waitForAnswer(
  db: DeviceDb,
  opId: string,
  ms: number = answerWithinMs,
): Promise<OpAnswer> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish({ type: 'waiting' }), ms);
    const subscription = liveQuery(() => answerNow(db, opId)).subscribe({
      next: (answer) => answer && finish(answer),
      error: () => finish({ type: 'waiting' }),
    });
    function finish(answer: OpAnswer): void {
      clearTimeout(timer);
      subscription.unsubscribe();
      resolve(answer);
    }
  });
}

/** Whether an op will be sent (again) without a decision of the person, e.g. after a server error. */
export async function isStillQueued(db: DeviceDb, opId: string): Promise<boolean> {
  const op = await db.outbox.where('opId').equals(opId).first();
  return op !== undefined && !isRejected(op);
}

/**
 * Whether the first answer to an op can be expected soon: its first attempt has not ended, and the server is not known
 * to be unreachable. False for an op that has an undo period. Ignores earlier ops of the plant.
 */
export function isAwaitingAnswer(
  { state, nextAt, attempts, undoUntil }: Pick<Op, 'state' | 'nextAt' | 'attempts' | 'undoUntil'>,
  connectivity: Connectivity,
): boolean {
  const isReachable = connectivity === 'online' || connectivity === 'unknown';
  const isFirstAttempt = attempts <= 1 && nextAt === 0 && undoUntil === undefined;
  return isReachable && isFirstAttempt && (state === 'queued' || state === 'inflight');
}

/** The answer so far; null while one can still be expected. */
function answerNow(db: DeviceDb, opId: string): Promise<OpAnswer | null> {
  return db.transaction('r', db.outbox, db.syncState, db.idmap, async () => {
    const op = await db.outbox.where('opId').equals(opId).first();
    if (!op) return { type: 'done' };
    if (hasFailed(op)) {
      const message = op.lastError?.message ?? '';
      return { type: 'failed', message, isGone: isNotFound(op) };
    }
    const { connectivity } = await readStatus(db);
    const isExpected =
      isAwaitingAnswer(op, connectivity) && !isBlocked(op, await opsOfPlant(db, op.entity));
    return isExpected ? null : { type: 'waiting' };
  });
}

/**
 * Whether the form reports that the change failed. It does so after a server error too, although sync will retry it.
 */
function hasFailed({ state, lastError }: Op): boolean {
  return state === 'rejected' || (state === 'uncertain' && typeof lastError?.status === 'number');
}
