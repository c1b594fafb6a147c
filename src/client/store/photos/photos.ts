import type { JournalPhoto } from '#domain/journal/photo.ts';
import { enqueueIn } from '../outbox/enqueue.ts';
import { isRejected, newOp, newOpId, type Op } from '../outbox/op.ts';
import { opsOfPlant } from '../outbox/outbox.ts';
import { writeChange } from '../outbox/write-change.ts';
import type { DeviceDb } from '../schema.ts';
import { deleteStoredPhoto } from './photo-files.ts';

/** A photo of a plant, with the state of its upload. */
export interface PlantPhoto extends JournalPhoto {
  /** Whether it is not on the server yet and not rejected. */
  isWaiting: boolean;
  /** Whether the server rejected it. */
  isRejected: boolean;
}

/** A photo that was taken or chosen, already encoded. */
export interface NewPhoto {
  full: ArrayBuffer;
  small: ArrayBuffer;
  /** Of the full size, pixels. */
  width: number;
  height: number;
  /** Device's clock, ms. */
  takenAt: number;
  /** The journal entry that it belongs to, if any. */
  entryId: string | null;
}

/**
 * Adds photos to a plant at `now` (ms, device's clock), all or none. Resolves with their ids once they are stored on
 * this device; they are sent one by one, when no other change is due. Rejects and reports a storage problem when they
 * cannot be stored.
 */
export function addPhotos(
  db: DeviceDb,
  plantKey: string,
  photos: readonly NewPhoto[],
  now: number,
): Promise<string[]> {
  return writeChange(db, () =>
    db.transaction('rw', writtenTables(db), async () => {
      const ids: string[] = [];
      for (const { full, small, ...photo } of photos) {
        const id = newOpId();
        await db.photos.put({ id, plantId: plantKey, isWaiting: true, sizes: ['full', 'small'] });
        await db.photoFiles.bulkPut([
          { photoId: id, size: 'full', bytes: full, usedAt: now },
          { photoId: id, size: 'small', bytes: small, usedAt: now },
        ]);
        const change = { opId: newOpId(), entity: plantKey, type: 'add_photo' } as const;
        await enqueueIn(db, newOp({ ...change, photo: { id, ...photo }, occurredAt: now }));
        ids.push(id);
      }
      return ids;
    }),
  );
}

/**
 * Deletes a photo of a plant at `now` (ms, device's clock). It disappears from the screens at once. If its upload may
 * have been sent but is not confirmed, its bytes are kept. The upload may have to be repeated to find out whether the
 * server has the photo.
 */
export function removePhoto(
  db: DeviceDb,
  plantKey: string,
  photo: JournalPhoto,
  now: number,
): Promise<void> {
  const { id, width, height } = photo;
  const removed = {
    id,
    width,
    height,
    entryId: photo.entry_id,
    takenAt: Date.parse(photo.taken_at),
  };
  const change = { opId: newOpId(), entity: plantKey, type: 'remove_photo' } as const;
  return writeChange(db, () =>
    db.transaction('rw', writtenTables(db), async () => {
      await enqueueIn(db, newOp({ ...change, photo: removed, occurredAt: now }));
      const waiting = await opsOfPlant(db, plantKey);
      const isBeingSent = waiting.some((op) => op.type === 'add_photo' && op.photo?.id === id);
      if (!isBeingSent) await deleteStoredPhoto(db, id);
    }),
  );
}

function writtenTables(db: DeviceDb) {
  return [db.plants, db.outbox, db.idmap, db.photos, db.photoFiles];
}

/** A plant's photos on the server with the pending ops applied; newest first. */
export function applyPhotoOps(stored: readonly JournalPhoto[], ops: readonly Op[]): PlantPhoto[] {
  const removed = new Set(
    ops.filter((op) => op.type === 'remove_photo' && !isRejected(op)).map(({ photo }) => photo?.id),
  );
  const known = new Set(stored.map(({ id }) => id));
  const added = ops.flatMap((op): PlantPhoto[] => {
    if (op.type !== 'add_photo' || !op.photo || known.has(op.photo.id)) return [];
    const { id, entryId, takenAt, width, height } = op.photo;
    const taken_at = new Date(takenAt).toISOString();
    const state = { isWaiting: !isRejected(op), isRejected: isRejected(op) };
    return [{ id, entry_id: entryId, taken_at, width, height, ...state }];
  });
  const sent = stored.map((photo) => ({ ...photo, isWaiting: false, isRejected: false }));
  return [...sent, ...added].filter(({ id }) => !removed.has(id)).sort(newestFirst);
}

function newestFirst(a: JournalPhoto, b: JournalPhoto): number {
  return Date.parse(b.taken_at) - Date.parse(a.taken_at) || (a.id < b.id ? 1 : -1);
}
