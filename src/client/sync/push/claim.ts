import { readClockOffset } from '#client/store/meta.ts';
import { isPhotoOp, isUnsent, type Op } from '#client/store/outbox/op.ts';
import { countWaiting } from '#client/store/outbox/outbox.ts';
import { writeWithRoom } from '#client/store/outbox/write-change.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { batchLimits } from '#contract/batch.ts';
import { setStatus } from '../connectivity.ts';
import type { SyncContext } from '../context.ts';
import { readGeneration } from '../rows/list-state.ts';
import { type DueOp, type NextOps, nextOps } from './next-ops.ts';
import { type FrozenRequest, requestOf } from './request.ts';

/** An op that this engine has to send now. */
export interface ClaimedOp {
  /**
   * The op as stored: in flight, with its attempt counted, and with a frozen request unless its plant must be read
   * first.
   */
  op: Op;
  /** The server's id of its plant; for a create the local one. */
  plantId: string;
  /** Whether its request was frozen before: it may have been sent, and the server may have applied it. */
  isResend: boolean;
  /** The generation of the plants' rows when it was claimed (list-state.ts). */
  generation: number;
}

/** `ops`: to be sent together, in this order. One whose plant must be read first is claimed alone. */
export type Claim = { type: 'claimed'; ops: ClaimedOp[] } | Exclude<NextOps, { type: 'ops' }>;

/**
 * Claims the next ops that are due, in one transaction, so that no two engines claim the same op. 'wait': nothing can
 * be claimed before `until` (device's clock, ms). `photos`: whether ops of photos may be claimed. If not, and only such
 * an op is due, the result is 'wait' with the current time as `until`. Claims nothing once the engine has been stopped.
 */
export function claimOps(context: SyncContext, photos: boolean): Promise<Claim> {
  const { db, now, signal, batchSize } = context;
  const tables = [db.outbox, db.plants, db.idmap, db.meta, db.syncState];
  const claimNext = async (): Promise<Claim> => {
    if (signal.aborted) return { type: 'nothing' };
    const next = await readNextOps(db, now(), batchSize.limit());
    const isPhoto = next.type === 'ops' && next.ops.some(({ op }) => isPhotoOp(op));
    if (isPhoto && !photos) return { type: 'wait', until: now() };
    if (next.type === 'ops') return { type: 'claimed', ops: await claim(context, next.ops) };
    if (next.type === 'nothing' && (await countWaiting(db)) === 0) {
      await setStatus(db, { sentCount: 0 });
    }
    return next;
  };
  return writeWithRoom(db, () => db.transaction('rw', tables, claimNext));
}

/**
 * Returns the ops whose claim is still the latest. Call it in the transaction that writes. After a crash, or without
 * locks, another engine may have claimed an op since; then this engine's result is out of date. The result is also out
 * of date if the other engine has made the op unsent again, because edits may have been coalesced into it since.
 */
export async function filterValidClaims<T extends { op: Op }>(
  db: DeviceDb,
  claimed: readonly T[],
): Promise<T[]> {
  const rows = await db.outbox.bulkGet(claimed.map(({ op }) => op.seq));
  return claimed.filter(({ op }, i) => {
    const row = rows[i];
    return row?.attempts === op.attempts && !isUnsent(row);
  });
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

/** Number of ops that are read at first. They usually suffice, because later ops do not block earlier ones. */
const firstCount = 100;

async function readNextOps(db: DeviceDb, now: number, limit: number): Promise<NextOps> {
  const [ops, idmap] = await Promise.all([
    db.outbox.limit(firstCount).toArray(),
    db.idmap.toArray(),
  ]);
  const next = nextOps(ops, idmap, now, limit);
  // A photo is sent only if no other op is due. One that was not read may be due, so all are read.
  const isFinal = next.type === 'ops' && !next.ops.some(({ op }) => isPhotoOp(op));
  if (isFinal || ops.length < firstCount) return next;
  return nextOps(await db.outbox.toArray(), idmap, now, limit);
}

async function claim({ db, now }: SyncContext, due: readonly DueOp[]): Promise<ClaimedOp[]> {
  const clock = { clockOffset: await readClockOffset(db), now: now() };
  const generation = await readGeneration(db);
  const rows = await db.plants.bulkGet(due.map(({ plantId }) => plantId));
  const built = due.map((one, i) => ({ ...one, frozen: requestOf(one, rows[i], clock) }));
  const claimed = opsThatFit(built).map(({ op, plantId, frozen }) => ({
    op: {
      ...op,
      ...(frozen ?? { request: null }),
      state: 'inflight' as const,
      attempts: op.attempts + 1,
      sentAt: clock.now,
    },
    plantId,
    isResend: op.request !== null,
    generation,
  }));
  await db.outbox.bulkPut(claimed.map(({ op }) => op));
  return claimed;
}

type BuiltOp = DueOp & { frozen: FrozenRequest | null };

/** The ops that fit into one request. An op whose plant must be read first is sent alone, when no other can be sent. */
function opsThatFit(built: readonly BuiltOp[]): readonly BuiltOp[] {
  const skippedPlants = new Set<string>();
  let bytes = 0;
  const fitting = built.filter((one) => {
    const size = sizeOf(one.frozen);
    const fits = one.frozen !== null && bytes + size <= batchLimits.bytes;
    // Later ops of a plant wait for an earlier one that is skipped.
    if (!fits || skippedPlants.has(one.plantId)) {
      skippedPlants.add(one.plantId);
      return false;
    }
    bytes += size;
    return true;
  });
  return fitting.length > 0 ? fitting : built.slice(0, 1);
}

/** Upper bound of an operation's bytes in a batch: its path, its body and the JSON around them. */
function sizeOf(frozen: FrozenRequest | null): number {
  const { path = '', body = null } = frozen?.request ?? {};
  return new TextEncoder().encode(path + (body ?? '')).length + 250;
}
