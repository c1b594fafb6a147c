import { coalesce } from './coalesce.ts';
import type { DeviceDb } from './db.ts';
import type { NewOp, Op } from './op.ts';

/**
 * Writes an intent into the queue, merged with what still waits for the same plant, in one transaction.
 * Answers the id of the op that now stands for it.
 */
export async function enqueue(db: DeviceDb, op: NewOp): Promise<string> {
  return db.transaction('rw', db.outbox, db.idmap, async () => {
    const waiting = await opsOfPlant(db, op.entity);
    const change = coalesce(waiting, op);
    await db.outbox.bulkDelete(change.drop);
    if (change.replace) await db.outbox.put(change.replace);
    if (change.add) await db.outbox.add(change.add);
    const standsFor = change.add ?? change.replace ?? waiting.at(-1);
    return standsFor?.opId ?? op.opId;
  });
}

/** A plant's ops, oldest first, whether they name it by its local or its server id. */
export async function opsOfPlant(db: DeviceDb, entity: string): Promise<Op[]> {
  const twins = await db.idmap.where('serverId').equals(entity).toArray();
  const mapped = await db.idmap.get(entity);
  const names = [entity, ...twins.map(({ localId }) => localId), mapped?.serverId ?? entity];
  return db.outbox
    .where('entity')
    .anyOf([...new Set(names)])
    .sortBy('seq');
}
