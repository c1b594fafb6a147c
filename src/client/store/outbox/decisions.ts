import type { DeviceDb } from '../schema.ts';
import { requestSync } from '../sync-status.ts';
import { opsOfPlant } from './enqueue.ts';
import type { Op } from './op.ts';

/** What a person decides about a change that cannot go its way alone. Each answers whether there was such a change. */

/**
 * Sends a refused change once more, as it is now best told: the server keeps no refusal, so that its key may stand for
 * other bytes. The count of attempts goes on, for an outcome names the attempt that it answers.
 */
export function retryOp(db: DeviceDb, opId: string): Promise<boolean> {
  return decide(db, opId, (op) => sendAfresh(db, op));
}

/** Gives up a refused change, and with a plant that was never made all that waits for it. */
export function discardOp(db: DeviceDb, opId: string): Promise<boolean> {
  return decide(db, opId, async (op) => {
    const ops = op.type === 'create' ? await opsOfPlant(db, op.entity) : [op];
    await db.outbox.bulkDelete(ops.map(({ seq }) => seq));
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

function decide(db: DeviceDb, opId: string, act: (op: Op) => Promise<void>): Promise<boolean> {
  return db.transaction('rw', db.outbox, db.idmap, db.syncState, async () => {
    const op = await db.outbox.where('opId').equals(opId).first();
    if (op?.state !== 'rejected') return false;
    await act(op);
    await requestSync(db);
    return true;
  });
}
