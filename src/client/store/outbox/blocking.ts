import { isRejected, type Op } from './op.ts';

/**
 * Which op waits for which: the ops of a plant are sent in the order in which they were made. A rejected op blocks later
 * ones only if it is the create, because without it there is no plant to change.
 */

/** Whether later ops of the same plant have to wait for this one. */
export function blocksLaterOps(op: Pick<Op, 'state' | 'type'>): boolean {
  return !isRejected(op) || op.type === 'create';
}

/** Whether an op has to wait for an earlier one of its plant. An op that is being sent does not wait. */
export function isBlocked(op: Pick<Op, 'seq' | 'state'>, plantOps: readonly Op[]): boolean {
  if (op.state === 'inflight') return false;
  return plantOps.some((other) => other.seq < op.seq && blocksLaterOps(other));
}
