import { isRejected, isUnsent, type NewOp, type Op } from './op.ts';

/** The effect of a new op on the outbox: ops to delete, and one op to replace or to add. */
export interface QueueChange {
  drop: number[];
  replace: Op | null;
  add: NewOp | null;
}

export const noChange: QueueChange = { drop: [], replace: null, add: null };

/** Whether the server cannot have applied the op, because it is unsent or rejected. */
export function canDrop(op: Op): boolean {
  return isUnsent(op) || isRejected(op);
}
