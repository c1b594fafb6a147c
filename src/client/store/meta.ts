import { type LiveStore, liveStore } from './live-store.ts';
import type { DeviceDb } from './schema.ts';

/** The row of `meta` in which sync stores the measured offset. */
export const clockOffsetId = 'clock-offset-ms';

/** How far the server's clock is ahead of this device's (ms), live; 0 until the first response with a Date header. */
export function watchClockOffset(db: DeviceDb): LiveStore<number> {
  return liveStore(db, () => readClockOffset(db));
}

export async function readClockOffset(db: DeviceDb): Promise<number> {
  return Number((await db.meta.get(clockOffsetId))?.value ?? 0);
}

/** Whether this is the first call with this name for the account on this device. */
export function isFirstTime(db: DeviceDb, name: string): Promise<boolean> {
  return db.transaction('rw', db.meta, async () => {
    if (await db.meta.get(name)) return false;
    await db.meta.put({ id: name, value: 1 });
    return true;
  });
}

const pushEndpointId = 'push-endpoint';

/** The endpoint of this browser's push subscription if this account subscribed it; null if it did not. */
export async function readPushEndpoint(db: DeviceDb): Promise<string | null> {
  const value = (await db.meta.get(pushEndpointId))?.value;
  return typeof value === 'string' ? value : null;
}

/** Stores the endpoint under which this account has subscribed this browser; null: it is no longer subscribed. */
export async function storePushEndpoint(db: DeviceDb, endpoint: string | null): Promise<void> {
  await db.transaction('rw', db.meta, () => db.meta.put({ id: pushEndpointId, value: endpoint }));
}
