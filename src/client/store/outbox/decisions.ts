import type { DeviceDb } from '../schema.ts';
import { requestSync } from '../sync-status.ts';
import { opsOfPlant } from './enqueue.ts';
import type { Op } from './op.ts';
import { newOpId } from './op-id.ts';

/** What a person decides about a change that cannot go its way alone. Each answers whether there was such a change. */

/**
 * Sends a refused change once more, as it is now best told: the server keeps no refusal, so that its key may stand for
 * other bytes. The count of attempts goes on, for an outcome names the attempt that it answers.
 */
export function retryOp(db: DeviceDb, opId: string): Promise<boolean> {
  return decide(db, opId, 'parked', (op) => sendAfresh(db, op));
}

/**
 * Sends a change again of which nobody knows whether it arrived, as if it had never been sent: under a new key, for the
 * old one stands for what was sent.
 */
export function sendAgain(db: DeviceDb, opId: string): Promise<boolean> {
  return decide(db, opId, 'doubtful', async (op) => {
    await sendAfresh(db, op);
    await db.outbox.update(op.seq, { opId: newOpId() });
  });
}

/** Gives up a refused change, and with a plant that was never made all that waits for it. */
export function discardOp(db: DeviceDb, opId: string): Promise<boolean> {
  return decide(db, opId, 'parked', async (op) => {
    const ops = op.kind === 'create' ? await opsOfPlant(db, op.entity) : [op];
    await db.outbox.bulkDelete(ops.map(({ seq }) => seq));
  });
}

/**
 * Counts a doubtful change as done; the next pull brings what it did. A plant made here is known by its fields from
 * then on, if it came already, so that what waits for it is sent to it.
 */
export function markArrived(db: DeviceDb, opId: string): Promise<boolean> {
  return decide(db, opId, 'doubtful', async (op) => {
    if (op.kind === 'create') await adopt(db, op);
    await db.outbox.delete(op.seq);
  });
}

/** Puts a change's notice away; it stays in the list. */
export async function dismissNotice(db: DeviceDb, opId: string): Promise<void> {
  await db.outbox.where('opId').equals(opId).modify({ isNoticed: true });
}

async function sendAfresh(db: DeviceDb, { seq }: Op): Promise<void> {
  const afresh = { state: 'queued', request: null, nextAt: 0, lastError: null } as const;
  await db.outbox.update(seq, { ...afresh, isNoticed: false });
}

function decide(
  db: DeviceDb,
  opId: string,
  state: Op['state'],
  act: (op: Op) => Promise<void>,
): Promise<boolean> {
  return db.transaction('rw', db.outbox, db.idmap, db.plants, db.syncState, async () => {
    const op = await db.outbox.where('opId').equals(opId).first();
    if (op?.state !== state) return false;
    await act(op);
    await requestSync(db);
    return true;
  });
}

/** The plant on the server that a create without an answer has become: with the same fields, and nobody else's. */
async function adopt(db: DeviceDb, { entity, edits }: Op): Promise<void> {
  const claimed = new Set((await db.idmap.toArray()).map(({ serverId }) => serverId));
  const rows = await db.plants.filter(({ id }) => !claimed.has(id)).toArray();
  const [twin, ...others] = rows.filter(({ record }) =>
    Object.entries(edits).every(
      ([name, value]) => (record[name as keyof typeof edits] ?? null) === value,
    ),
  );
  if (twin && others.length === 0) await db.idmap.put({ localId: entity, serverId: twin.id });
}
