import { countWaiting } from '#client/store/outbox/outbox.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { clearBackoff, readPause, savePause } from '../backoff.ts';
import type { SyncContext } from '../context.ts';
import { syncLockOf, type TryLock } from '../lock.ts';
import { createBatchSize } from '../push/batch-size.ts';
import { recoverInflight } from '../push/claim.ts';
import { push } from '../push/push.ts';
import { withAccountDb } from './account-db.ts';

/** A service worker cannot read localStorage, so the token of a remembered session is stored here for it. */
const tokenId = 'background-token';

export async function saveBackgroundToken(db: DeviceDb, token: string): Promise<void> {
  await db.transaction('rw', db.meta, () => db.meta.put({ id: tokenId, value: token }));
}

/** Deletes only this token: another tab may have stored a newer one. */
export async function clearBackgroundToken(db: DeviceDb, token: string): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    if ((await readBackgroundToken(db)) === token) await db.meta.delete(tokenId);
  });
}

export async function readBackgroundToken(db: DeviceDb): Promise<string | null> {
  const value = (await db.meta.get(tokenId))?.value;
  return typeof value === 'string' ? value : null;
}

export interface BackgroundOptions extends Omit<SyncContext, 'db' | 'token' | 'batchSize'> {
  tryLock: TryLock;
  /** Whether another context, such as a page that was just opened, waits for the lock. */
  isLockAwaited: (name: string) => Promise<boolean>;
  sleep: (ms: number) => Promise<void>;
}

/** The longest wait for an op. Longer than an undo period, so that waterings are sent although the page was closed. */
const longestWaitMs = 15_000;

/**
 * Sends the outbox of a remembered session while no page holds the account's lock. Does not pull, and does not open a
 * database of another version. Waits once for an op that is due soon, without the lock. 'later': ops are still waiting,
 * or a page holds the lock or waits for it. Then call it again.
 */
export async function sendInBackground(
  dbName: string,
  options: BackgroundOptions,
): Promise<'done' | 'later'> {
  const { now, sleep } = options;
  const first = await sendOnce(dbName, options, true);
  if (typeof first === 'string') return first;
  const waitMs = first.dueAt - now();
  if (waitMs > longestWaitMs) return 'later';
  await sleep(waitMs);
  return (await sendOnce(dbName, options, false)) === 'done' ? 'done' : 'later';
}

/** `dueAt`: when the next op is due (device's clock, ms). */
type SendState = 'done' | 'later' | { dueAt: number };

async function sendOnce(
  dbName: string,
  { tryLock, isLockAwaited, ...rest }: BackgroundOptions,
  isFirst: boolean,
): Promise<SendState> {
  const result = await withAccountDb(dbName, async (db): Promise<SendState> => {
    if ((await readBackgroundToken(db)) === null || (await countWaiting(db)) === 0) return 'done';
    const lockName = syncLockOf(db);
    const sent = await tryLock(lockName, async (): Promise<SendState> => {
      // Read again: while this waited for a page's lock, the person may have signed out there.
      const token = await readBackgroundToken(db);
      if (token === null) return 'done';
      if ((await readPause(db, rest.now())) > 0) return 'later';
      // Ends the client's own backoff: the network is back, or the person has tapped Watered in a notification.
      if (isFirst) await clearBackoff(db, rest.now(), false);
      const context = { ...rest, db, token, batchSize: createBatchSize() };
      return await sendDue(context, () => isLockAwaited(lockName));
    });
    return sent ?? 'later';
  });
  return result ?? 'done';
}

/** Sends all ops that are due. Ends before the next photo if a page waits, which then sends the rest itself. */
async function sendDue(
  context: SyncContext,
  isAwaited: () => Promise<boolean>,
): Promise<SendState> {
  const { db, token, now } = context;
  await recoverInflight(context);
  for (;;) {
    const result = await push(context);
    if (result.type === 'unauthorized') {
      await clearBackgroundToken(db, token);
      return 'done';
    }
    if (result.type === 'paused') {
      if (result.by === 'server') await savePause(db, now(), result.until);
      return 'later';
    }
    const { dueAt } = result;
    if (dueAt === null) return (await countWaiting(db)) === 0 ? 'done' : 'later';
    if (dueAt > now()) return { dueAt };
    if (await isAwaited()) return 'later';
  }
}
