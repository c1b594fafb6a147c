import type { Op } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { SyncContext } from '../context.ts';
import { forgetLists } from '../pull/list-memory.ts';
import { forgetPlants, putPlantIfNew } from '../pull/plant-rows.ts';
import type { Confirmed } from './confirmed-record.ts';
import { countGone } from './drain.ts';

/**
 * The op's effect is confirmed: what it left behind becomes the row, what it overwrote is told, and the op goes, all
 * within the caller's transaction.
 */
export async function settle(
  { db, now }: SyncContext,
  op: Op,
  plantId: string,
  confirmed: Confirmed | 'none',
): Promise<void> {
  await Promise.all([
    db.outbox.delete(op.seq),
    countGone(db),
    forgetLists(db),
    tellOverwritten(db, op, now()),
  ]);
  if (op.kind === 'delete') await forgetPlants(db, [plantId]);
  if (confirmed === 'none') return;
  if (op.kind === 'create') {
    await db.idmap.put({ localId: op.entity, serverId: String(confirmed.record.id) });
  }
  await putPlantIfNew(db, confirmed.record, confirmed.etag, now());
}

async function tellOverwritten(db: DeviceDb, op: Op, at: number): Promise<void> {
  for (const { mine, theirs } of op.overwritten ?? []) {
    const [field] = Object.keys(mine);
    await db.conflicts.put({ id: `${op.opId} ${field}`, entity: op.entity, mine, theirs, at });
  }
}
