import { countWaiting } from '#client/store/outbox/enqueue.ts';
import type { DeviceDb } from '#client/store/schema.ts';

/** Within the transaction that takes an op out of the queue and then looks for the next. */
export async function countGone(db: DeviceDb): Promise<void> {
  const known = await db.syncState.get('drain');
  await db.syncState.put({ id: 'drain', sent: (known?.id === 'drain' ? known.sent : 0) + 1 });
}

/** Within the transaction that found nothing to send: the next queue is counted anew. */
export async function endDrain(db: DeviceDb): Promise<void> {
  const known = await db.syncState.get('drain');
  if (known && (await countWaiting(db)) === 0) await db.syncState.delete('drain');
}
