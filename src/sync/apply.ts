import type { Op } from '#data/op.ts';
import { opsOfPlant } from '#data/outbox.ts';
import { backoffMs } from './backoff.ts';
import type { Fate } from './classify.ts';
import { confirmedRecord } from './confirmed-record.ts';
import type { SyncContext } from './context.ts';
import { noteDrain } from './drain.ts';
import { settle } from './settle.ts';

/** One begun attempt: the op as it is now, as it was before, and the plant it is bound to. */
export interface Attempt {
  op: Op;
  before: Op;
  plantId: string;
  /** Another answer that the plant has changed meanwhile is one too many. */
  isLast: boolean;
}

/**
 * Writes an op's fate, row and queue in one transaction. Nothing is written when the op was sent again meanwhile:
 * then this is the outcome of an attempt that no longer counts.
 */
export async function applyFate(context: SyncContext, attempt: Attempt, fate: Fate): Promise<void> {
  const { op, before, plantId, isLast } = attempt;
  const state = op.request ? 'uncertain' : 'queued';
  switch (fate.is) {
    case 'done':
    case 'landed': {
      const confirmed = await confirmedRecord(context, op, plantId, fate);
      if (confirmed === 'unclear') return keep(context, op, { state: 'doubtful' });
      if (confirmed !== 'unknown') return settle(context, op, plantId, confirmed);
      return keep(context, op, { state, nextAt: delayed(context, op, null) });
    }
    case 'uncertain':
      // Broken off by ourselves: the next leader need not wait.
      if (context.signal.aborted) return keep(context, op, { state });
      return keep(context, op, {
        state,
        nextAt: delayed(context, op, fate.retryAfterMs),
        lastError: fate.error,
      });
    case 'later':
    case 'unauthorized':
      return keep(context, op, {
        request: before.request,
        overwritten: before.overwritten ?? [],
        attempts: before.attempts,
        state: before.request ? 'uncertain' : 'queued',
      });
    case 'outdated':
      if (isLast) return park(context, op, { state: 'parked', lastError: fate.error });
      return keep(context, op, {
        state: 'queued',
        request: null,
        // An earlier send may have landed after all: then this is what it overwrote.
        overwritten: (before.request && op.overwritten) ?? [],
        nextAt: 0,
      });
    case 'refused':
      return park(context, op, { state: 'parked', lastError: fate.error });
  }
}

function delayed({ now, random }: SyncContext, op: Op, retryAfterMs: number | null): number {
  return now() + (retryAfterMs ?? backoffMs(op.attempts, random));
}

async function keep({ db }: SyncContext, op: Op, change: Partial<Op>): Promise<void> {
  await db.transaction('rw', db.outbox, db.syncState, async () => {
    const current = await db.outbox.get(op.seq);
    if (current?.attempts !== op.attempts) return;
    await db.outbox.update(op.seq, change);
    await noteDrain(db, 0);
  });
}

/** A plant that was never made needs no deleting: both go, with all between. */
async function park(context: SyncContext, op: Op, change: Partial<Op>): Promise<void> {
  const { db } = context;
  await db.transaction('rw', db.outbox, db.idmap, db.syncState, async () => {
    const current = await db.outbox.get(op.seq);
    if (current?.attempts !== op.attempts) return;
    const ops = await opsOfPlant(db, op.entity);
    if (op.kind === 'create' && ops.some(({ kind }) => kind === 'delete')) {
      await db.outbox.bulkDelete(ops.map(({ seq }) => seq));
      await noteDrain(db, 0);
    } else await keep(context, op, change);
  });
}
