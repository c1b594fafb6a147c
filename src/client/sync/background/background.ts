import { countWaiting } from '#client/store/outbox/queue.ts';
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

/**
 * Sends the outbox of a remembered session while no page holds the account's lock. Does not pull, and does not open a
 * database of another version. 'later': ops are still waiting or a page holds the lock. Then call it again.
 */
export async function sendInBackground(
  dbName: string,
  tryLock: TryLock,
  outside: Omit<SyncContext, 'db' | 'token' | 'batchSize'>,
): Promise<'done' | 'later'> {
  const result = await withAccountDb(dbName, async (db) => {
    if ((await readBackgroundToken(db)) === null || (await countWaiting(db)) === 0) return 'done';
    const isSent = await tryLock(syncLockOf(db), async () => {
      // Read again: while this waited for a page's lock, the person may have signed out there.
      const token = await readBackgroundToken(db);
      if (token === null) return true;
      return await sendAll({ ...outside, db, token, batchSize: createBatchSize() });
    });
    return isSent ? 'done' : 'later';
  });
  return result ?? 'done';
}

async function sendAll(context: SyncContext): Promise<boolean> {
  const { db, token, now } = context;
  if ((await readPause(db, now())) > 0) return false;
  // Ends the client's own backoff: the network is back, or the person has tapped Watered in a notification.
  await clearBackoff(db, now(), false);
  await recoverInflight(context);
  const result = await push(context, Number.POSITIVE_INFINITY);
  if (result.type === 'paused' && result.by === 'server') await savePause(db, result.until);
  if (result.type === 'unauthorized') {
    await clearBackgroundToken(db, token);
    return true;
  }
  return (await countWaiting(db)) === 0;
}
