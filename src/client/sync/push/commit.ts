import { readClockOffset } from '#client/store/clock-offset.ts';
import { opsOfPlant } from '#client/store/outbox/enqueue.ts';
import type { Op, OpError } from '#client/store/outbox/op.ts';
import { backoffMs } from '../backoff.ts';
import { rememberOffset } from '../clock-offset.ts';
import { recordConnectivity } from '../connectivity.ts';
import type { SyncContext } from '../context.ts';
import type { Fate } from './classify.ts';
import { settle } from './commit-confirmed.ts';
import type { Outcome } from './send.ts';

/**
 * Writes what came of an attempt, row and queue together, within the caller's transaction. The fate is not written
 * when the op was taken up again meanwhile: then this is the outcome of an attempt that no longer counts. `isLast`:
 * another answer that the plant has changed meanwhile is one too many. Answers the fate that was written.
 */
export async function applyOutcome(
  context: SyncContext,
  outcome: Outcome,
  isLast: boolean,
): Promise<Fate> {
  const fate = await learn(context, outcome);
  const current = await context.db.outbox.get(outcome.op.seq);
  if (current?.attempts === outcome.op.attempts) {
    await write(context, { ...outcome, fate }, isLast);
  }
  return fate;
}

/** What the answer tells of server, clock and network, and what that makes of the op's fate. */
async function learn(context: SyncContext, { begun, op, fate, heard }: Outcome): Promise<Fate> {
  if (!heard) return fate;
  const { answer, askedAt, answeredAt } = heard;
  await Promise.all([
    rememberOffset(context.db, answer?.serverTime ?? null, answeredAt, askedAt),
    recordConnectivity(context, answer),
  ]);
  if (op.kind !== 'water' || fate.is !== 'refused') return fate;
  // The moment was told by a clock that has been set since: tell it again by the right one.
  const isMistimed = begun.clockOffset !== (await readClockOffset(context.db));
  return isMistimed ? { is: 'outdated', error: fate.error } : fate;
}

async function write(context: SyncContext, outcome: Outcome, isLast: boolean): Promise<unknown> {
  const { op, begun, fate, confirmed } = outcome;
  const { before, plantId } = begun;
  const state = op.request ? 'uncertain' : 'queued';
  const keep = (change: Partial<Op>) => context.db.outbox.update(op.seq, change);
  switch (fate.is) {
    case 'done':
    case 'landed':
      if (confirmed !== 'unknown') return settle(context, op, plantId, confirmed);
      return keep({ state, nextAt: delayed(context, op, null) });
    case 'uncertain':
      // Broken off by ourselves: the next leader need not wait.
      if (context.signal.aborted) return keep({ state });
      return keep({
        state,
        nextAt: delayed(context, op, fate.retryAfterMs),
        lastError: fate.error,
      });
    case 'later':
    case 'unauthorized':
      return keep({
        request: before.request,
        overwritten: before.overwritten ?? [],
        attempts: before.attempts,
        state: before.request ? 'uncertain' : 'queued',
      });
    case 'outdated':
      if (isLast) return park(context, op, fate.error);
      return keep({
        state: 'queued',
        request: null,
        // An earlier send may have landed after all: then this is what it overwrote.
        overwritten: (before.request && op.overwritten) ?? [],
        nextAt: 0,
      });
    case 'refused':
      return park(context, op, fate.error);
  }
}

function delayed({ now, random }: SyncContext, op: Op, retryAfterMs: number | null): number {
  return now() + (retryAfterMs ?? backoffMs(op.attempts, random));
}

/** A plant that was never made needs no deleting: both go, with all between. */
async function park({ db }: SyncContext, op: Op, lastError: OpError): Promise<void> {
  const ops = await opsOfPlant(db, op.entity);
  if (op.kind === 'create' && ops.some(({ kind }) => kind === 'delete')) {
    await db.outbox.bulkDelete(ops.map(({ seq }) => seq));
  } else await db.outbox.update(op.seq, { state: 'parked', lastError });
}
