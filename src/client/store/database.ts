import { Dexie } from 'dexie';
import { followConnection } from './connection.ts';
import type { DeviceDb } from './schema.ts';
import { newStorageProblemLog } from './storage-problem.ts';
import { addNoticeFlag, renameOpFields, splitLatestFromSeries } from './upgrades.ts';

/** The device's database of one account. The first query opens it. */
export function openDeviceDb(name: string): DeviceDb {
  const db = new Dexie(name, { cache: 'immutable' }) as DeviceDb;
  db.storageProblem = newStorageProblemLog();
  db.version(1).stores({
    plants: 'id',
    outbox: '++seq, &opId, entity',
    idmap: 'localId, serverId',
    readings: 'plantId',
    syncState: 'id',
    meta: 'id',
  });
  db.version(2)
    .stores({ outbox: '++seq, &opId, entity, state', conflicts: 'id, at' })
    .upgrade(addNoticeFlag);
  db.version(3).stores({ latest: 'plantId' }).upgrade(splitLatestFromSeries);
  db.version(4).upgrade(renameOpFields);
  followConnection(db);
  return db;
}

/** Deletes the account's data from this device. Tables are cleared first, since another tab can block the deletion. */
export async function eraseDevice(db: DeviceDb): Promise<void> {
  await db.transaction('rw', db.tables, () => Promise.all(db.tables.map((table) => table.clear())));
  await db.delete();
}
