import { serverIdLookup } from '#client/store/ids.ts';
import { blocksLaterOps } from '#client/store/outbox/blocking.ts';
import { isRejected, type Op } from '#client/store/outbox/op.ts';
import type { IdMapRow } from '#client/store/schema.ts';

/** `plantId`: the server's id of the op's plant where it has one. */
export type NextOp =
  | { type: 'op'; op: Op; plantId: string }
  | { type: 'wait'; until: number }
  | { type: 'nothing' };

/** An attempt is given up after 15 s; one that is older was broken off. */
const longestAttemptMs = 20_000;

/**
 * The next op to send at `now` (ms, device's clock): the oldest that no earlier op of its plant blocks. An op that
 * another engine is sending is left to it.
 */
export function nextOp(ops: readonly Op[], idmap: readonly IdMapRow[], now: number): NextOp {
  const plantIdOf = serverIdLookup(idmap);
  const blocked = new Set<string>();
  let until = Number.POSITIVE_INFINITY;
  for (const op of [...ops].sort((a, b) => a.seq - b.seq)) {
    const plant = plantIdOf(op.entity);
    if (blocked.has(plant)) continue;
    if (blocksLaterOps(op)) blocked.add(plant);
    if (isRejected(op)) continue;
    const dueAt = Math.max(op.nextAt, busyUntil(op, now));
    if (dueAt <= now) return { type: 'op', op, plantId: plant };
    until = Math.min(until, dueAt);
  }
  return Number.isFinite(until) ? { type: 'wait', until } : { type: 'nothing' };
}

function busyUntil({ state, sentAt }: Op, now: number): number {
  // A clock that was set back would keep it busy for long.
  const isBusy = state === 'inflight' && sentAt !== null && sentAt <= now;
  return isBusy ? sentAt + longestAttemptMs : 0;
}
