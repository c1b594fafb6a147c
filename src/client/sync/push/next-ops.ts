import { uploadTimeoutMs } from '#client/api/photos.ts';
import { defaultTimeoutMs } from '#client/api/send.ts';
import { serverIdLookup } from '#client/store/ids.ts';
import { blocks } from '#client/store/outbox/blocking.ts';
import { canUndo, isPhotoOp, isRejected, type Op } from '#client/store/outbox/op.ts';
import type { IdMapRow } from '#client/store/schema.ts';

/** `plantId`: the server's id of the op's plant; for a create the local one. */
export interface DueOp {
  op: Op;
  plantId: string;
}

export type NextOps =
  | { type: 'ops'; ops: DueOp[] }
  | { type: 'wait'; until: number }
  | { type: 'nothing' };

/**
 * The next ops to send together at `now` (ms, device's clock), at most `limit`, oldest first: those that no earlier op
 * of their plant blocks. Leaves out ops that another engine is sending. They may contain any number of waterings and
 * journal entries of a plant, but an update or a delete only as its first op, because every earlier op changes the
 * version that it depends on. Nothing follows a create, because only its response contains the plant's id. A photo is
 * sent alone, when nothing else is due.
 */
export function nextOps(
  ops: readonly Op[],
  idmap: readonly IdMapRow[],
  now: number,
  limit: number,
): NextOps {
  const plantIdOf = serverIdLookup(idmap);
  const waiting = new Map<string, Op[]>();
  const started = new Set<string>();
  const due: DueOp[] = [];
  let photo: DueOp | null = null;
  let until = Number.POSITIVE_INFINITY;
  for (const op of [...ops].sort((a, b) => a.seq - b.seq)) {
    const plantId = plantIdOf(op.entity);
    const earlier = waiting.get(plantId) ?? [];
    if (earlier.some((one) => blocks(one, op))) continue;
    const leave = () => waiting.set(plantId, [...earlier, op]);
    if (isRejected(op)) {
      if (op.type === 'create') leave();
      continue;
    }
    const dueAt = Math.max(op.nextAt, undoEnd(op, now), busyUntil(op, now));
    if (isPhotoOp(op)) {
      if (dueAt <= now) photo ??= { op, plantId };
      else until = Math.min(until, dueAt);
      leave();
      continue;
    }
    const mayFollow = isUnconditional(op) || !started.has(plantId);
    if (dueAt <= now && mayFollow && due.length < limit) {
      due.push({ op, plantId });
      started.add(plantId);
      if (op.type === 'create') leave();
    } else {
      leave();
      until = Math.min(until, dueAt);
    }
  }
  if (due.length > 0) return { type: 'ops', ops: due };
  if (photo) return { type: 'ops', ops: [photo] };
  return Number.isFinite(until) ? { type: 'wait', until } : { type: 'nothing' };
}

/** Whether the op does not depend on the version of the plant. */
function isUnconditional({ type }: Op): boolean {
  return type !== 'create' && type !== 'update' && type !== 'delete';
}

function undoEnd(op: Op, now: number): number {
  return canUndo(op, now) ? (op.undoUntil ?? 0) : 0;
}

/** An attempt that is older than its timeout by more than this was abandoned. */
const marginMs = 5_000;

function busyUntil({ type, state, sentAt }: Op, now: number): number {
  // Otherwise it would count as busy for too long after the clock was set back.
  const isBusy = state === 'inflight' && sentAt !== null && sentAt <= now;
  const timeoutMs = type === 'add_photo' ? uploadTimeoutMs : defaultTimeoutMs;
  return isBusy ? sentAt + timeoutMs + marginMs : 0;
}
