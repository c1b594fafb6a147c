import { defaultTimeoutMs } from '#client/api/send.ts';
import { serverIdLookup } from '#client/store/ids.ts';
import { blocks } from '#client/store/outbox/blocking.ts';
import { canUndo, isPhotoOp, isRejected, type Op, opTraits } from '#client/store/outbox/op.ts';
import type { IdMapRow } from '#client/store/schema.ts';
import { photoTimeoutMs } from '#contract/photos.ts';
import { longestRequestedMs } from '../backoff.ts';

export interface DueOp {
  op: Op;
  /** The server's id of its plant; for a create the local one. */
  plantId: string;
}

/**
 * wait: no op is due before `until` (device's clock, ms) · nothing: the outbox is empty, or no op can be sent until the
 * person decides.
 */
export type NextOps =
  | { type: 'ops'; ops: DueOp[] }
  | { type: 'wait'; until: number }
  | { type: 'nothing' };

/**
 * The next ops to send together at `now` (ms, device's clock), at most `limit`, oldest first. An example with the
 * plants A, B and C:
 *
 *   outbox       A water   A add_entry   A update   B update   B delete   C create   C water
 *   sent now     A water   A add_entry              B update              C create
 *
 * Waterings and journal entries of a plant are sent together. An update is sent only as the first op of its plant,
 * because every earlier one changes the version in its If-Match; a delete also waits until the earlier ones have their
 * responses. Nothing follows a create, because only its response contains the plant's id. A photo is sent alone, when
 * nothing else is due. The photo with the fewest attempts is sent first, so that one that never arrives does not delay
 * the others for ever. Ops that another engine is sending are not sent.
 */
export function nextOps(
  ops: readonly Op[],
  idmap: readonly IdMapRow[],
  now: number,
  limit: number,
): NextOps {
  const plantIdOf = serverIdLookup(idmap);
  const batch: DueOp[] = [];
  let photo: DueOp | null = null;
  /** By plant: the ops so far that later ones may have to wait for. */
  const earlierOps = new Map<string, Op[]>();
  let until = Number.POSITIVE_INFINITY;
  for (const op of [...ops].sort((a, b) => a.seq - b.seq)) {
    const plantId = plantIdOf(op.entity);
    const earlier = earlierOps.get(plantId) ?? [];
    earlierOps.set(plantId, earlier);
    if (earlier.some((one) => blocks(one, op))) {
      // A waiting op can block later ones too, e.g. a waiting add_entry blocks the photo of its entry.
      earlier.push(op);
      continue;
    }
    const dueAt = dueTime(op, now);
    const isDue = dueAt <= now;
    const isAdded = isDue && batch.length < limit && mayJoin(op, plantId, batch);
    if (isAdded) batch.push({ op, plantId });
    else if (isDue && isPhotoOp(op)) {
      if (!photo || op.attempts < photo.op.attempts) photo = { op, plantId };
    } else until = Math.min(until, dueAt);
    if (!isAdded || op.type === 'create') earlier.push(op);
  }
  if (batch.length > 0) return { type: 'ops', ops: batch };
  if (photo) return { type: 'ops', ops: [photo] };
  return Number.isFinite(until) ? { type: 'wait', until } : { type: 'nothing' };
}

/** Whether an op may be sent in the same request as the earlier ones in `batch`. */
function mayJoin(op: Op, plantId: string, batch: readonly DueOp[]): boolean {
  if (isPhotoOp(op)) return false;
  return !opTraits[op.type].needsResponses || batch.every((other) => other.plantId !== plantId);
}

/** When the op may be sent (ms); Infinity for a rejected one, which waits for the person. */
function dueTime(op: Op, now: number): number {
  if (isRejected(op)) return Number.POSITIVE_INFINITY;
  return Math.max(backoffEnd(op, now), undoEnd(op, now), busyUntil(op, now));
}

/**
 * Ignores a time that was stored before the clock was set back, which would delay the op: one beyond the longest wait,
 * or one of an attempt in the future.
 */
function backoffEnd({ nextAt, sentAt }: Op, now: number): number {
  const isOutdated = nextAt > now + longestRequestedMs || (sentAt !== null && sentAt > now);
  return isOutdated ? 0 : nextAt;
}

function undoEnd(op: Op, now: number): number {
  return canUndo(op, now) ? (op.undoUntil ?? 0) : 0;
}

/** An attempt that is older than its timeout by more than this was abandoned. */
const marginMs = 5_000;

/** Until when another engine may be sending the op (ms). */
function busyUntil({ type, state, sentAt }: Op, now: number): number {
  // Not if `sentAt` is in the future: after the clock was set back the op would count as busy for too long.
  const isBusy = state === 'inflight' && sentAt !== null && sentAt <= now;
  const timeoutMs = type === 'add_photo' ? photoTimeoutMs : defaultTimeoutMs;
  return isBusy ? sentAt + timeoutMs + marginMs : 0;
}
