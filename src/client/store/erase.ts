import type { DeviceDb } from './schema.ts';

/** Removes everything of the account from this device. Clearing cannot be blocked by another tab; deleting can. */
export async function eraseDevice(db: DeviceDb): Promise<void> {
  await db.transaction('rw', db.tables, () => Promise.all(db.tables.map((table) => table.clear())));
  await db.delete();
}
