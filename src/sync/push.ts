import { attemptOp } from './attempt.ts';
import { backoffMs } from './backoff.ts';
import type { SyncContext } from './context.ts';
import { takeNext } from './take.ts';

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

/** Sends everything that is due, one at a time in order of intent. */
export async function push(context: SyncContext): Promise<PushResult> {
  const { now, random, signal } = context;
  let answered = 0;
  let outdated = { seq: 0, sends: 0 };
  while (!signal.aborted) {
    const next = await takeNext(context);
    if (next.is === 'wait') return { answered, unauthorized: false, dueAt: next.until };
    if (next.is === 'nothing') return { answered, unauthorized: false };
    const { op } = next.begun;
    if (outdated.seq !== op.seq) outdated = { seq: op.seq, sends: 0 };
    const fate = await attemptOp(context, next.begun, outdated.sends === sendsUntilParked - 1);
    if (fate === null) continue;
    if (fate.is === 'unauthorized') return { answered, unauthorized: true };
    if (fate.is === 'later') {
      const pausedUntil = now() + (fate.retryAfterMs ?? backoffMs(tooManyBackoff, random));
      return { answered, unauthorized: false, pausedUntil, isAsked: true };
    }
    if (fate.is === 'uncertain') {
      if (fate.error.status !== null) continue;
      // Nobody answers: the next op would fare the same.
      const pausedUntil = now() + (fate.retryAfterMs ?? backoffMs(op.attempts, random));
      return { answered, unauthorized: false, pausedUntil };
    }
    if (fate.is === 'outdated') outdated.sends += 1;
    else answered += 1;
  }
  return { answered, unauthorized: false };
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
