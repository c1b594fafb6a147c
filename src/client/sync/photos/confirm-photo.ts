import type { Op } from '#client/store/outbox/op.ts';
import { deletePhotoFiles } from '#client/store/photos/photo-files.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { JournalPhoto } from '#domain/journal/photo.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { journalOneBehind } from '../push/confirmed-entry.ts';

/**
 * Commits a confirmed op of a photo within the caller's transaction: marks the photo as sent, and adds it to the stored
 * journal of its plant or removes it from there (`isStored`: whether the server now has the photo). If the stored
 * journal also lacks earlier changes, it is left unchanged and fetched.
 */
export async function confirmPhoto(
  db: DeviceDb,
  { photo, request }: Op,
  { plantId, plant, isStored }: { plantId: string; plant: PlantRecord | null; isStored: boolean },
): Promise<void> {
  if (!photo) return;
  if (isStored) await db.photos.update(photo.id, { isWaiting: false, plantId });
  else await deletePhotoFiles(db, photo.id);
  const journal = plant && (await journalOneBehind(db, plant));
  if (!journal) return;
  const others = journal.photos.filter(({ id }) => id !== photo.id);
  // Fetched after an earlier send had its effect. What made the newer version is another change, which the journal
  // lacks.
  const isListed = others.length < journal.photos.length;
  if (isListed === isStored) return;
  const added: JournalPhoto = {
    id: photo.id,
    entry_id: photo.entryId,
    // The time as it was sent, corrected to the server's clock.
    taken_at: sentTakenAt(request) ?? new Date(photo.takenAt).toISOString(),
    width: photo.width,
    height: photo.height,
  };
  const photos = isStored ? [added, ...others] : others;
  await db.journal.put({ ...journal, version: plant.journal_version ?? 0, photos });
}

function sentTakenAt(request: Op['request']): string | null {
  return new URLSearchParams(request?.path.split('?')[1]).get('taken_at');
}

/** Deletes unsent photos whose op or plant was discarded. */
export function deleteOrphanedPhotos(db: DeviceDb): Promise<void> {
  return db.transaction('rw', db.photos, db.photoFiles, db.outbox, async () => {
    const waiting = await db.photos.filter(({ isWaiting }) => isWaiting).toArray();
    if (waiting.length === 0) return;
    const ops = await db.outbox.filter(({ type }) => type === 'add_photo').toArray();
    const pending = new Set(ops.map(({ photo }) => photo?.id));
    for (const { id } of waiting) if (!pending.has(id)) await deletePhotoFiles(db, id);
  });
}
