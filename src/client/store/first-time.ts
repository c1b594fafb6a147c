import type { DeviceDb } from './schema.ts';

/** Whether this is the first call by this name for the account on this device. */
export function isFirstTime(db: DeviceDb, name: string): Promise<boolean> {
  return db.transaction('rw', db.meta, async () => {
    if (await db.meta.get(name)) return false;
    await db.meta.put({ id: name, value: 1 });
    return true;
  });
}
