import type { DeviceDb } from '#data/db.ts';
import { countWaiting } from '#data/outbox.ts';

/** Within the transaction that takes ops out of the queue: how many have gone out since it was last empty. */
export async function noteDrain(db: DeviceDb, gone: number): Promise<void> {
  const known = await db.syncState.get('drain');
  if ((await countWaiting(db)) === 0) {
    if (known) await db.syncState.delete('drain');
  } else if (gone > 0) {
    await db.syncState.put({ id: 'drain', sent: (known?.id === 'drain' ? known.sent : 0) + gone });
  }
}
