import { type ApiResponse, send } from '#client/api/send.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import type { Begun } from './claim.ts';
import { classify, type Fate } from './classify.ts';
import { type Confirmation, confirmedRecord } from './confirmed-record.ts';
import { prepareUpdate } from './prepare.ts';

/** What came of one attempt; nothing of it is written yet. */
export interface Outcome {
  begun: Begun;
  /** The op as it was sent. */
  op: Op;
  fate: Fate;
  /** Of an op that is done: the record that it left behind. */
  confirmed: Confirmation;
  /** What the answer to the op itself tells beside its fate; null when it was not sent. */
  heard: Heard | null;
}

export interface Heard {
  answer: ApiResponse | null;
  /** Device's clock, ms. */
  askedAt: number;
  answeredAt: number;
}

/**
 * One attempt that has begun: freeze and send. A crash leaves the op queued or uncertain. Answers null when the op was
 * not this engine's to send after all.
 */
export async function attemptOp(context: SyncContext, begun: Begun): Promise<Outcome | null> {
  if (begun.op.request) return exchange(context, begun, { ...begun.op, request: begun.op.request });
  const prepared = await prepareUpdate(context, begun.op, begun.plantId);
  if ('fate' in prepared) {
    return { ...(await outcomeOf(context, begun, begun.op, prepared.fate)), heard: null };
  }
  const frozen: Sendable = { ...begun.op, ...prepared };
  return (await freeze(context, frozen)) ? exchange(context, begun, frozen) : null;
}

type Sendable = Op & { request: NonNullable<Op['request']> };

/** From here on the op's key stands for these bytes. False when the op was taken up again meanwhile. */
async function freeze({ db }: SyncContext, op: Sendable): Promise<boolean> {
  return db.transaction('rw', db.outbox, async () => {
    const current = await db.outbox.get(op.seq);
    if (current?.attempts !== op.attempts) return false;
    await db.outbox.put(op);
    return true;
  });
}

async function exchange(context: SyncContext, begun: Begun, op: Sendable): Promise<Outcome> {
  const askedAt = context.now();
  const answer = await send(op.request, requestOptions(context), { idempotencyKey: op.opId }).catch(
    () => null,
  );
  const heard = { answer, askedAt, answeredAt: context.now() };
  return { ...(await outcomeOf(context, begun, op, classify(op.kind, answer))), heard };
}

async function outcomeOf(context: SyncContext, begun: Begun, op: Op, fate: Fate) {
  const isDone = fate.is === 'done' || fate.is === 'landed';
  const confirmed = isDone ? await confirmedRecord(context, op, begun.plantId, fate) : 'none';
  return { begun, op, fate, confirmed };
}
