import { readClockOffset } from '#client/store/clock-offset.ts';
import type { Op } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { SyncContext } from '../context.ts';
import { endDrain } from './drain.ts';
import { type NextOp, nextOp } from './next-op.ts';
import { readyRequest } from './prepare.ts';

/** An op whose attempt has begun. */
export interface Begun {
  /** As it stands now, with the bytes that its key stands for; without them it has to look at its plant first. */
  op: Op;
  /** As it was. */
  before: Op;
  /** The plant it is bound to. */
  plantId: string;
  /** By which its moment was told, ms. */
  clockOffset: number;
}

export type Taken = { is: 'op'; begun: Begun } | Exclude<NextOp, { is: 'op' }>;

/** Takes up the next op that is due, in one transaction: no two engines take the same. Null once told to stop. */
export function takeNext(context: SyncContext): Promise<Taken | null> {
  const { db, now, signal } = context;
  const tables = [db.outbox, db.idmap, db.meta, db.syncState];
  return db.transaction('rw', tables, async () => {
    if (signal.aborted) return null;
    const next = await pickNext(db, now());
    return next.is === 'op' ? { is: 'op', begun: await begin(context, next) } : next;
  });
}

/** Of a long queue mostly the head tells: later ops hold up no earlier one. */
const headLength = 20;

async function pickNext(db: DeviceDb, now: number): Promise<NextOp> {
  const [ops, idmap] = await Promise.all([
    db.outbox.limit(headLength).toArray(),
    db.idmap.toArray(),
  ]);
  const head = nextOp(ops, idmap, now);
  const picked = head.is === 'op' ? head : nextOp(await db.outbox.toArray(), idmap, now);
  if (picked.is === 'nothing') await endDrain(db);
  return picked;
}

async function begin(
  context: SyncContext,
  { op: before, plantId }: NextOp & { is: 'op' },
): Promise<Begun> {
  const { db, now } = context;
  const clockOffset = await readClockOffset(db);
  const request = before.request ?? readyRequest(before, plantId, clockOffset, now());
  const attempts = before.attempts + 1;
  const op: Op = { ...before, request, state: 'inflight', attempts, sentAt: now() };
  await db.outbox.put(op);
  return { op, before, plantId, clockOffset };
}
