import type { IdMapRow } from '#data/db.ts';
import type { Op } from '#data/op.ts';

export type NextOp = { is: 'op'; op: Op } | { is: 'wait'; until: number } | { is: 'nothing' };

/**
 * The next op to send at `now`: the oldest whose plant is not held up. A waiting op holds up the later ones of its
 * plant; a parked one only when it is the create, since without it there is nothing to act on.
 */
export function nextOp(ops: readonly Op[], idmap: readonly IdMapRow[], now: number): NextOp {
  const serverIdOf = new Map(idmap.map(({ localId, serverId }) => [localId, serverId]));
  const heldUp = new Set<string>();
  let until = Number.POSITIVE_INFINITY;
  for (const op of [...ops].sort((a, b) => a.seq - b.seq)) {
    const plant = serverIdOf.get(op.entity) ?? op.entity;
    if (heldUp.has(plant)) continue;
    if (op.state === 'parked') {
      if (op.kind === 'create') heldUp.add(plant);
    } else if (op.nextAt > now) {
      until = Math.min(until, op.nextAt);
      heldUp.add(plant);
    } else {
      return { is: 'op', op };
    }
  }
  return Number.isFinite(until) ? { is: 'wait', until } : { is: 'nothing' };
}
