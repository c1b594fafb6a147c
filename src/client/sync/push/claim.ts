import { readClockOffset } from '#client/store/meta.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { countWaiting } from '#client/store/outbox/queue.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { setStatus } from '../connectivity.ts';
import type { SyncContext } from '../context.ts';
import { type NextOp, nextOp } from './next-op.ts';
import { requestOf } from './request.ts';

/** An op that this engine has to send now. */
export interface ClaimedOp {
  /** As stored: in flight, its attempt counted, its request frozen unless it needs its plant first. */
  op: Op;
  /** The server's id of its plant; for a create the local one. */
  plantId: string;
  /** Its request was sent before, and may have had its effect. */
  isResend: boolean;
  /** What the moment in its request was computed with, ms. */
  clockOffset: number;
}

export type Claim = { type: 'claimed'; claimed: ClaimedOp } | Exclude<NextOp, { type: 'op' }>;

/**
 * Claims the next op that is due, in one transaction: no two engines claim the same. 'wait': nothing is due before
 * `until` (device's clock, ms). Claims nothing once the engine has been stopped.
 */
export function claimOp(context: SyncContext): Promise<Claim> {
  const { db, now, signal } = context;
  const tables = [db.outbox, db.idmap, db.meta, db.syncState];
  return db.transaction('rw', tables, async (): Promise<Claim> => {
    if (signal.aborted) return { type: 'nothing' };
    const next = await readNextOp(db, now());
    if (next.type === 'op') return { type: 'claimed', claimed: await claim(context, next) };
    if (next.type === 'nothing' && (await countWaiting(db)) === 0) {
      await setStatus(db, { sentCount: 0 });
    }
    return next;
  });
}

/**
 * Whether this claim is still the latest; call it in the transaction that writes. After a crash, or without locks,
 * another engine may have claimed the op since, and this engine's result is out of date.
 */
export async function isStillClaimed(db: DeviceDb, { seq, attempts }: Op): Promise<boolean> {
  return (await db.outbox.get(seq))?.attempts === attempts;
}

/** After a crash, an op in flight may or may not have reached the server. */
export async function recoverInflight({ db }: Pick<SyncContext, 'db'>): Promise<void> {
  await db.transaction('rw', db.outbox, async () => {
    const ops = await db.outbox.where('state').equals('inflight').toArray();
    for (const op of ops) {
      await db.outbox.update(op.seq, { state: op.request ? 'uncertain' : 'queued' });
    }
  });
}

/** Later ops hold up no earlier one, so the head of a long queue usually decides. */
const headLength = 20;

async function readNextOp(db: DeviceDb, now: number): Promise<NextOp> {
  const [ops, idmap] = await Promise.all([
    db.outbox.limit(headLength).toArray(),
    db.idmap.toArray(),
  ]);
  const head = nextOp(ops, idmap, now);
  return head.type === 'op' ? head : nextOp(await db.outbox.toArray(), idmap, now);
}

async function claim(
  { db, now }: SyncContext,
  { op: queued, plantId }: NextOp & { type: 'op' },
): Promise<ClaimedOp> {
  const clockOffset = await readClockOffset(db);
  const built = requestOf(queued, plantId, { clockOffset, now: now() });
  const op: Op = {
    ...queued,
    request: built.type === 'ready' ? built.request : null,
    state: 'inflight',
    attempts: queued.attempts + 1,
    sentAt: now(),
  };
  await db.outbox.put(op);
  return { op, plantId, isResend: queued.request !== null, clockOffset };
}
