import { serverIdLookup } from '#client/store/ids.ts';
import { blocksLaterOps } from '#client/store/outbox/blocking.ts';
import { canUndo, isRejected, type Op } from '#client/store/outbox/op.ts';
import type { IdMapRow } from '#client/store/schema.ts';

/** `plantId`: the server's id of the op's plant where it has one. */
export interface DueOp {
  op: Op;
  plantId: string;
}

export type NextOps =
  | { type: 'ops'; ops: DueOp[] }
  | { type: 'wait'; until: number }
  | { type: 'nothing' };

/** An attempt is given up after 15 s; one that is older was broken off. */
const longestAttemptMs = 20_000;

/**
 * The next ops to send together at `now` (ms, device's clock), at most `limit`, oldest first: those that no earlier op of
 * their plant blocks. An op that another engine is sending is left to it. A plant may have any number of waterings among
 * them, an update or a delete only as its first, because every earlier op changes the version that it depends on. Nothing
 * follows a create: only its answer names the plant.
 */
export function nextOps(
  ops: readonly Op[],
  idmap: readonly IdMapRow[],
  now: number,
  limit: number,
): NextOps {
  const plantIdOf = serverIdLookup(idmap);
  const blocked = new Set<string>();
  const started = new Set<string>();
  const due: DueOp[] = [];
  let until = Number.POSITIVE_INFINITY;
  for (const op of [...ops].sort((a, b) => a.seq - b.seq)) {
    const plantId = plantIdOf(op.entity);
    if (blocked.has(plantId)) continue;
    if (isRejected(op)) {
      if (blocksLaterOps(op)) blocked.add(plantId);
      continue;
    }
    const dueAt = Math.max(op.nextAt, undoEnd(op, now), busyUntil(op, now));
    const mayFollow = op.type === 'water' || !started.has(plantId);
    if (dueAt <= now && mayFollow && due.length < limit) {
      due.push({ op, plantId });
      started.add(plantId);
      if (op.type === 'create') blocked.add(plantId);
    } else {
      blocked.add(plantId);
      until = Math.min(until, dueAt);
    }
  }
  if (due.length > 0) return { type: 'ops', ops: due };
  return Number.isFinite(until) ? { type: 'wait', until } : { type: 'nothing' };
}

function undoEnd(op: Op, now: number): number {
  return canUndo(op, now) ? (op.undoUntil ?? 0) : 0;
}

function busyUntil({ state, sentAt }: Op, now: number): number {
  // A clock that was set back would keep it busy for long.
  const isBusy = state === 'inflight' && sentAt !== null && sentAt <= now;
  return isBusy ? sentAt + longestAttemptMs : 0;
}
