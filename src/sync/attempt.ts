import { send } from '#api/send.ts';
import type { Op } from '#data/op.ts';
import { applyFate } from './apply.ts';
import { classify, type Fate } from './classify.ts';
import { rememberOffset } from './clock-offset.ts';
import { callOf, type SyncContext } from './context.ts';
import { isKeyRefused, learnKeySupport } from './key-support.ts';
import { type Prepared, prepareUpdate } from './prepare.ts';
import { noteReach } from './reach.ts';
import type { Begun } from './take.ts';

/**
 * One attempt that has begun: freeze, send, apply. A crash between any two leaves the op queued, uncertain or done.
 * Answers null when the op was not this engine's to send after all.
 */
export async function attemptOp(
  context: SyncContext,
  begun: Begun,
  isLast: boolean,
): Promise<Fate | null> {
  const { op, plantId } = begun;
  const prepared: Prepared = op.request
    ? { request: op.request }
    : await prepareUpdate(context, op, plantId);
  if ('fate' in prepared) {
    await applyFate(context, { ...begun, isLast }, prepared.fate);
    return prepared.fate;
  }
  const isFrozen = op.request !== null;
  const frozen: Sendable = { ...op, ...prepared };
  if (!isFrozen && !(await freeze(context, frozen))) return null;
  const fate = await exchange(context, begun, frozen);
  await applyFate(context, { ...begun, op: frozen, isLast }, fate);
  return fate;
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

async function exchange(context: SyncContext, begun: Begun, op: Sendable): Promise<Fate> {
  const { db, now } = context;
  const askedAt = now();
  const answer = await send(
    op.request,
    callOf(context),
    begun.keys === 'refused' ? {} : { idempotencyKey: op.opId },
  ).catch(() => null);
  const [clockWasWrong] = await Promise.all([
    rememberOffset(db, answer?.serverTime ?? null, now(), askedAt),
    learnKeySupport(context, answer, begun.wasThere),
    noteReach(context, answer),
  ]);
  const fate = classify(op.kind, answer);
  // It never left this device: begin anew, without the key.
  if (answer === null && (await isKeyRefused(context))) {
    return { is: 'outdated', error: { message: 'No answer', status: null } };
  }
  // The moment was told by a clock that has been set since: tell it again by the right one.
  const isMistimed = op.kind === 'water' && fate.is === 'refused' && clockWasWrong;
  return isMistimed ? { is: 'outdated', error: fate.error } : fate;
}
