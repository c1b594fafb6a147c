import type { DeviceDb } from '../schema.ts';

/** Whether a change is on its way to the server at this moment. */
export async function isSending(db: DeviceDb): Promise<boolean> {
  return (await db.outbox.where('state').equals('inflight').count()) > 0;
}
