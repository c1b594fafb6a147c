import { isRejected, type Op } from './op.ts';

/**
 * Which op waits for which: those of one plant are sent in the order of intent. A rejected op blocks the later ones only
 * when it is the create, since without it there is no plant to change.
 */

/** Whether later ops of the same plant have to wait for this one. */
export function blocksLaterOps(op: Pick<Op, 'state' | 'type'>): boolean {
  return !isRejected(op) || op.type === 'create';
}

/** Whether an op has to wait for an earlier one of its plant; one that is being sent waits for none. */
export function isBlocked(op: Pick<Op, 'seq' | 'state'>, plantOps: readonly Op[]): boolean {
  if (op.state === 'inflight') return false;
  return plantOps.some((other) => other.seq < op.seq && blocksLaterOps(other));
}
