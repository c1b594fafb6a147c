import { isUnsent, type NewOp, type Op } from './op.ts';

/** What a new intent does to the queue: ops to drop, and one to write (in place of an old one, or added). */
export interface QueueChange {
  drop: number[];
  replace: Op | null;
  add: NewOp | null;
}

const sameWateringMs = 10 * 60_000;

/**
 * Folds a new op into a plant's waiting ops (oldest first). Only unsent ops are ever touched, and only the last one
 * is merged into: a sent op is frozen, because its key stands for exactly what was sent.
 */
export function coalesce(waiting: readonly Op[], op: NewOp): QueueChange {
  const last = waiting.at(-1);
  if (last?.kind === 'delete' && last.state !== 'parked') return nothing;
  if (op.kind === 'delete') return coalesceDelete(waiting, op);
  if (!last || !isUnsent(last)) return { ...nothing, add: op };
  if (op.kind === 'water' && last.kind === 'water') {
    const same = Math.abs(op.occurredAt - last.occurredAt) <= sameWateringMs;
    return same ? nothing : { ...nothing, add: op };
  }
  if (op.kind === 'update' && (last.kind === 'create' || last.kind === 'update')) {
    return { ...nothing, replace: merged(last, op) };
  }
  return { ...nothing, add: op };
}

const nothing: QueueChange = { drop: [], replace: null, add: null };

/** A delete drops what was never sent; a plant that the server never saw is gone with that. */
function coalesceDelete(waiting: readonly Op[], op: NewOp): QueueChange {
  const drop = waiting.filter(isUnsent).map(({ seq }) => seq);
  const neverSent = waiting[0]?.kind === 'create' && isUnsent(waiting[0]);
  return { drop, replace: null, add: neverSent ? null : op };
}

/** The later edit wins per field; what the field was before the first edit stays its base. */
function merged(last: Op, op: NewOp): Op {
  return {
    ...last,
    edits: { ...last.edits, ...op.edits },
    base: last.kind === 'create' ? {} : { ...op.base, ...last.base },
  };
}
