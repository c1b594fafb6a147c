import { backoffMs } from '../backoff.ts';
import type { SyncContext } from '../context.ts';
import { type Begun, type Taken, takeNext } from './claim.ts';
import { applyOutcome } from './commit.ts';
import { attemptOp, type Outcome } from './send.ts';

export interface PushResult {
  /** Ops that the server has answered for good, be it by a refusal: there may be news to pull. */
  answered: number;
  unauthorized: boolean;
  /** No op may be sent before this moment (device's clock, ms). */
  pausedUntil?: number;
  /** The server itself asked for the pause. */
  isAsked?: true;
  /** When the next waiting op is due (device's clock, ms). */
  dueAt?: number;
}

/** A 429 without Retry-After waits as after a few failures. */
const tooManyBackoff = 4;
const sendsUntilParked = 5;

/** What was taken up is sent before it may seem to be broken off. */
const longestReadyMs = 4_000;

/**
 * Sends everything that is due, one at a time, each plant's in order of intent. While one is on its way, what came of
 * the one before is written and the next one is taken up: a long queue takes as long as its requests.
 */
export async function push(context: SyncContext): Promise<PushResult> {
  const tally: Tally = { answered: 0, outdated: new Map() };
  let unwritten: Outcome | null = null;
  let next: Taken | null = await takeNext(context);
  while (next?.is === 'op') {
    const { begun }: { begun: Begun } = next;
    const [outcome, ahead]: [Outcome | null, Taken | null] = await bothOver(
      attemptOp(context, begun),
      turn(context, tally, unwritten, true),
    );
    const end: Partial<PushResult> | null = outcome && endAfter(context, outcome);
    if (!end && ahead?.is === 'op' && (await isStillOurs(context, ahead.begun))) {
      unwritten = outcome;
      next = ahead;
    } else {
      if (ahead?.is === 'op') await giveBack(context, ahead.begun);
      unwritten = null;
      next = await turn(context, tally, outcome, !end);
    }
    if (end) return { answered: tally.answered, unauthorized: false, ...end };
  }
  const dueAt = next?.is === 'wait' ? { dueAt: next.until } : {};
  return { answered: tally.answered, unauthorized: false, ...dueAt };
}

/** As Promise.all, but when one fails, the other has ended too: nothing is on its way for an engine that broke. */
async function bothOver<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}

interface Tally {
  answered: number;
  /** By op: how often the server said that its plant has changed meanwhile. */
  outdated: Map<number, number>;
}

/** Writes what came of an attempt and takes up the next op, in one transaction. */
function turn(
  context: SyncContext,
  tally: Tally,
  outcome: Outcome | null,
  takes: boolean,
): Promise<Taken | null> {
  const { db } = context;
  return db.transaction('rw', db.tables, async () => {
    if (outcome) await write(context, tally, outcome);
    return takes ? takeNext(context) : null;
  });
}

async function write(context: SyncContext, tally: Tally, outcome: Outcome): Promise<void> {
  const { seq } = outcome.op;
  const sends = (tally.outdated.get(seq) ?? 0) + 1;
  const fate = await applyOutcome(context, outcome, sends === sendsUntilParked);
  if (fate.is === 'outdated') tally.outdated.set(seq, sends);
  else if (fate.is !== 'uncertain') tally.answered += 1;
}

/** While the op before was on its way, a tab that knows nothing of this one may have taken what was ready here. */
async function isStillOurs({ db, now, isAlone }: SyncContext, { op }: Begun): Promise<boolean> {
  if (op.sentAt === null || Math.abs(now() - op.sentAt) >= longestReadyMs) return false;
  if (isAlone) return true;
  const current = await db.outbox.get(op.seq);
  return current?.state === 'inflight' && current.attempts === op.attempts;
}

/** It was not sent: as if it had not been taken up. */
async function giveBack({ db }: SyncContext, { op, before }: Begun): Promise<void> {
  await db.transaction('rw', db.outbox, async () => {
    const current = await db.outbox.get(op.seq);
    if (current?.attempts !== op.attempts) return;
    const { state, request, attempts, sentAt } = before;
    await db.outbox.update(op.seq, { state, request, attempts, sentAt });
  });
}

/** Why nothing more is sent after such an outcome; null when the next op may fare better. */
function endAfter(
  { now, random, signal }: SyncContext,
  { fate, op }: Outcome,
): Partial<PushResult> | null {
  if (fate.is === 'unauthorized') return { unauthorized: true };
  if (fate.is === 'later') {
    const waitMs = fate.retryAfterMs ?? backoffMs(tooManyBackoff, random);
    return { pausedUntil: now() + waitMs, isAsked: true };
  }
  // Nobody answers: the next op would fare the same.
  if (fate.is === 'uncertain' && fate.error.status === null) {
    return { pausedUntil: now() + (fate.retryAfterMs ?? backoffMs(op.attempts, random)) };
  }
  return signal.aborted ? {} : null;
}

/** What a crash left in flight may or may not have arrived. */
export async function recoverInflight({ db }: Pick<SyncContext, 'db'>): Promise<void> {
  await db.transaction('rw', db.outbox, async () => {
    const ops = await db.outbox.where('state').equals('inflight').toArray();
    for (const op of ops) {
      await db.outbox.update(op.seq, { state: op.request ? 'uncertain' : 'queued' });
    }
  });
}
