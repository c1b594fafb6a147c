import { openDeviceDb } from '#client/store/database.ts';
import type { DeviceDb } from '#client/store/schema.ts';

/**
 * Runs `work` with the database of an account, and closes it. Resolves to null without opening anything if this device
 * has no such database or one of another version: opening it would create it, or upgrade it while pages still run the
 * earlier version.
 */
export async function withAccountDb<T>(
  name: string,
  work: (db: DeviceDb) => Promise<T>,
): Promise<T | null> {
  const db = openDeviceDb(name);
  // indexedDB.databases() still lists a database that is being deleted. Opening it would create it again, empty.
  let isDeleted = false;
  db.on('populate', () => {
    isDeleted = true;
    throw new Error('The database was deleted');
  });
  try {
    return (await isCurrentVersion(db)) ? await work(db) : null;
  } catch (error) {
    if (isDeleted) return null;
    throw error;
  } finally {
    db.close();
  }
}

async function isCurrentVersion(db: DeviceDb): Promise<boolean> {
  const all = await indexedDB.databases();
  return all.some(({ name, version }) => name === db.name && version === db.verno * 10);
}

/** Whether this device has that database, of whichever version. */
export async function hasAccountDb(dbName: string): Promise<boolean> {
  return (await indexedDB.databases()).some(({ name }) => name === dbName);
}

/** The names of all databases of accounts on this device. */
export async function accountDbNames(): Promise<string[]> {
  const all = await indexedDB.databases();
  return all.flatMap(({ name }) => (name?.startsWith('sprig-') ? [name] : []));
}
