import { coalesce } from './coalesce.ts';
import type { DeviceDb } from './db.ts';
import type { NewOp, Op } from './op.ts';

/** Writes an intent into the queue, merged with what still waits for the same plant, in one transaction. */
export async function enqueue(db: DeviceDb, op: NewOp): Promise<void> {
  await db.transaction('rw', db.outbox, db.idmap, async () => {
    const waiting = await opsOfPlant(db, op.entity);
    const change = coalesce(waiting, op);
    await db.outbox.bulkDelete(change.drop);
    if (change.replace) await db.outbox.put(change.replace);
    if (change.add) await db.outbox.add(change.add);
  });
}

/** A plant's ops, oldest first, whether they name it by its local or its server id. */
async function opsOfPlant(db: DeviceDb, entity: string): Promise<Op[]> {
  const twins = await db.idmap.where('serverId').equals(entity).toArray();
  const mapped = await db.idmap.get(entity);
  const names = [entity, ...twins.map(({ localId }) => localId), mapped?.serverId ?? entity];
  return db.outbox
    .where('entity')
    .anyOf([...new Set(names)])
    .sortBy('seq');
}
