import { isRejected, isUnsent, type NewOp, type Op } from './op.ts';

/** The effect of a new op on the outbox: ops to delete, and one op to replace or to add. */
export interface OutboxChange {
  drop: number[];
  replace: Op | null;
  add: NewOp | null;
}

export const noChange: OutboxChange = { drop: [], replace: null, add: null };

/**
 * Whether the op can be dropped without a trace on the server, because it is unsent or rejected. Only a rejected
 * add_photo may have been applied by an earlier attempt.
 */
export function canDrop(op: Op): boolean {
  return isUnsent(op) || isRejected(op);
}
