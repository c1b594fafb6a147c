import { send } from '#api/send.ts';
import type { Op } from '#data/op.ts';
import { applyFate } from './apply.ts';
import { backoffMs } from './backoff.ts';
import { classify, type Fate } from './classify.ts';
import { rememberOffset } from './clock-offset.ts';
import { callOf, type SyncContext } from './context.ts';
import { nextOp } from './next-op.ts';
import { prepare } from './prepare.ts';
import { noteReach } from './reach.ts';

export interface PushResult {
  sent: number;
  unauthorized: boolean;
  /** No op may be sent before this moment (device's clock, ms). */
  pausedUntil?: number;
  /** When the next waiting op is due (device's clock, ms). */
  dueAt?: number;
}

/** A 429 without Retry-After waits as after a few failures. */
const tooManyBackoff = 4;

/** Sends everything that is due, one at a time in order of intent. */
export async function push(context: SyncContext): Promise<PushResult> {
  let sent = 0;
  while (!context.signal.aborted) {
    const next = await context.db.transaction('r', context.db.outbox, context.db.idmap, async () =>
      nextOp(await context.db.outbox.toArray(), await context.db.idmap.toArray(), context.now()),
    );
    if (next.is !== 'op') {
      return { sent, unauthorized: false, ...(next.is === 'wait' && { dueAt: next.until }) };
    }
    const fate = await sendOp(context, next.op);
    if (fate === null) continue;
    if (fate.is === 'unauthorized') return { sent, unauthorized: true };
    if (fate.is === 'later') {
      const waitMs = fate.retryAfterMs ?? backoffMs(tooManyBackoff, context.random);
      return { sent, unauthorized: false, pausedUntil: context.now() + waitMs };
    }
    if (fate.is === 'uncertain' && fate.error.status === null) {
      // Nobody answers: the next op would fare the same.
      const waitMs = fate.retryAfterMs ?? backoffMs(next.op.attempts + 1, context.random);
      return { sent, unauthorized: false, pausedUntil: context.now() + waitMs };
    }
    if (fate.is === 'done') sent += 1;
  }
  return { sent, unauthorized: false };
}

/** One attempt: begin, freeze, send, apply. A crash between any two leaves the op queued, uncertain or done. */
async function sendOp(context: SyncContext, picked: Op): Promise<Fate | null> {
  const begun = await begin(context, picked);
  if (!begun) return null;
  const { op, plantId } = begun;
  const prepared = op.request ? { request: op.request } : await prepare(context, op, plantId);
  if ('fate' in prepared) {
    await applyFate(context, op, plantId, prepared.fate);
    return prepared.fate;
  }
  const frozen = await freeze(context, { ...op, request: prepared.request });
  if (!frozen) return null;
  const answer = await send(prepared.request, callOf(context), {
    idempotencyKey: op.opId,
  }).catch(() => null);
  await noteReach(context, answer);
  const clockWasWrong = await rememberOffset(context.db, answer?.serverTime ?? null, context.now());
  const judged = classify(op.kind, answer);
  // The moment was told by a clock that has been set since: tell it again by the right one.
  const fate: Fate =
    judged.is === 'refused' && clockWasWrong ? { is: 'outdated', error: judged.error } : judged;
  await applyFate(context, frozen, plantId, fate);
  return fate;
}

async function begin({ db, now }: SyncContext, picked: Op) {
  return db.transaction('rw', db.outbox, db.idmap, async () => {
    const op = await db.outbox.get(picked.seq);
    if (!op || op.attempts !== picked.attempts || op.state === 'parked') return null;
    const begun: Op = { ...op, state: 'inflight', attempts: op.attempts + 1, sentAt: now() };
    await db.outbox.put(begun);
    const mapped = await db.idmap.get(op.entity);
    return { op: begun, plantId: mapped?.serverId ?? op.entity };
  });
}

/** From here on the op's key stands for these bytes. */
async function freeze({ db }: SyncContext, op: Op): Promise<Op | null> {
  return db.transaction('rw', db.outbox, async () => {
    const current = await db.outbox.get(op.seq);
    if (current?.attempts !== op.attempts) return null;
    await db.outbox.put(op);
    return op;
  });
}

/** What a crash left in flight may or may not have arrived. */
export async function recoverInflight({ db }: Pick<SyncContext, 'db'>): Promise<void> {
  await db.transaction('rw', db.outbox, async () => {
    const ops = await db.outbox.filter((op) => op.state === 'inflight').toArray();
    for (const op of ops) {
      await db.outbox.update(op.seq, { state: op.request ? 'uncertain' : 'queued' });
    }
  });
}
