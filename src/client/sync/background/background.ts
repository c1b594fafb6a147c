import { openDeviceDb } from '#client/store/database.ts';
import { countWaiting } from '#client/store/outbox/enqueue.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { forgetBackoff, readPause } from '../backoff-memory.ts';
import type { SyncContext } from '../context.ts';
import { syncLockOf, type TryLock } from '../lock.ts';
import { recoverInflight } from '../push/claim.ts';
import { push } from '../push/push.ts';
import { forgetBackgroundToken, readBackgroundToken } from './token.ts';

/**
 * Sends what waits on this device while no page of the account is open, for a session that is remembered. It brings
 * nothing, and leaves a database of another version to the pages. 'later': something waits still, call again.
 */
export async function sendInBackground(
  dbName: string,
  tryLock: TryLock,
  outside: Omit<SyncContext, 'db' | 'token'>,
): Promise<'done' | 'later'> {
  const db = openDeviceDb(dbName);
  try {
    if (!(await isAsThisCodeKnowsIt(db))) return 'done';
    const token = await readBackgroundToken(db);
    if (token === null || (await countWaiting(db)) === 0) return 'done';
    const isSent = await tryLock(syncLockOf(db), () => sendAll({ ...outside, db, token }));
    return isSent ? 'done' : 'later';
  } finally {
    db.close();
  }
}

/** To open it otherwise would make it, or bring it to this version under pages that still run the one before. */
async function isAsThisCodeKnowsIt(db: DeviceDb): Promise<boolean> {
  const all = await indexedDB.databases();
  return all.some(({ name, version }) => name === db.name && version === db.verno * 10);
}

async function sendAll(context: SyncContext): Promise<boolean> {
  const { db, token, now } = context;
  if ((await readPause(db, now())) > 0) return false;
  // Called because there is a network again.
  await forgetBackoff(db, now(), false);
  await recoverInflight(context);
  const { type } = await push(context);
  if (type === 'unauthorized') {
    await forgetBackgroundToken(db, token);
    return true;
  }
  return (await countWaiting(db)) === 0;
}
