import { readClockOffset } from '#client/store/clock-offset.ts';
import type { Op } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { SyncContext } from '../context.ts';
import { endDrain } from './drain.ts';
import { isRiskyToRepeat, isSeenThere, type KeySupport, readKeySupport } from './key-support.ts';
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
  keys: KeySupport;
  /** By which its moment was told, ms. */
  clockOffset: number;
  /** An earlier send is known to have arrived. */
  wasThere: boolean;
}

export type Taken = { is: 'op'; begun: Begun } | Exclude<NextOp, { is: 'op' }>;

/** Takes up the next op that is due, in one transaction: no two engines take the same. Null once told to stop. */
export function takeNext(context: SyncContext): Promise<Taken | null> {
  const { db, now, signal } = context;
  const tables = [db.outbox, db.idmap, db.meta, db.syncState, db.plants];
  return db.transaction('rw', tables, async () => {
    while (!signal.aborted) {
      const next = await pickNext(db, now());
      if (next.is !== 'op') return next;
      const begun = await begin(context, next);
      if (begun) return { is: 'op', begun };
    }
    return null;
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

/** Null when only the person can say whether it may be sent again. */
async function begin(
  context: SyncContext,
  { op: before, plantId }: NextOp & { is: 'op' },
): Promise<Begun | null> {
  const { db, now } = context;
  const [keys, clockOffset] = await Promise.all([readKeySupport(db), readClockOffset(db)]);
  if (before.request && isRiskyToRepeat(before, keys)) {
    await db.outbox.update(before.seq, { state: 'doubtful' });
    return null;
  }
  // Without keys an update is looked at again rather than repeated.
  const frozen = before.kind === 'update' && keys !== 'assumed' ? null : before.request;
  const request = frozen ?? readyRequest(before, plantId, clockOffset, now());
  const attempts = before.attempts + 1;
  const op: Op = { ...before, request, state: 'inflight', attempts, sentAt: now() };
  await db.outbox.put(op);
  const wasThere = before.request !== null && (await isSeenThere(db, before, plantId));
  return { op, before, plantId, keys, clockOffset, wasThere };
}
