import { entryIdOf, isPhotoOp, isRejected, type Op } from './op.ts';

/**
 * Decides which op waits for which. The ops of a plant are sent in the order in which they were made, except photos,
 * because an upload takes long. A photo op waits only for the create of the plant, for the op that adds its entry and
 * for earlier ops of the same photo. No other op waits for a photo, not even the delete of the plant, because an upload
 * may fail each time. A rejected op blocks later ones only if it is the create, because without it there is no plant to
 * change.
 */

type BlockingOp = Pick<Op, 'state' | 'type' | 'opId' | 'entry' | 'photo'>;

/** Whether `later` has to wait for `earlier`, an op of the same plant. */
export function blocks(earlier: BlockingOp, later: BlockingOp): boolean {
  if (isRejected(earlier) || isPhotoOp(later)) {
    return earlier.type === 'create' || isSamePhoto(earlier, later) || addsEntryOf(earlier, later);
  }
  return !isPhotoOp(earlier);
}

/** A photo is removed after it was added. */
function isSamePhoto(earlier: BlockingOp, later: BlockingOp): boolean {
  return (
    !isRejected(earlier) && earlier.photo !== undefined && earlier.photo.id === later.photo?.id
  );
}

/**
 * Whether `earlier` adds the journal entry of the photo. If the server did not know the entry, it would store the photo
 * without one.
 */
function addsEntryOf(earlier: BlockingOp, { photo }: BlockingOp): boolean {
  if (isRejected(earlier) || !photo || photo.entryId === null) return false;
  const isAddition = earlier.type === 'add_entry' || earlier.type === 'water';
  return isAddition && entryIdOf(earlier) === photo.entryId;
}

/** Whether an op has to wait for an earlier one of its plant. An op that is being sent does not wait. */
export function isBlocked(op: BlockingOp & Pick<Op, 'seq'>, plantOps: readonly Op[]): boolean {
  if (op.state === 'inflight') return false;
  return plantOps.some((other) => other.seq < op.seq && blocks(other, op));
}
