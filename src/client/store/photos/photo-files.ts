import type { PhotoSize } from '#contract/photos.ts';
import { serverIdOf } from '../ids.ts';
import { type LiveStore, liveStore } from '../live-store.ts';
import type { DeviceDb, WantedPhoto } from '../schema.ts';

/** The bytes of a photo on this device, live; null while they are not stored. */
export function watchPhotoFile(
  db: DeviceDb,
  photoId: string,
  size: PhotoSize,
): LiveStore<ArrayBuffer | null> {
  return liveStore(db, async () => (await db.photoFiles.get([photoId, size]))?.bytes ?? null);
}

/** Minimum time between two updates of a file's `usedAt`. */
const usedEveryMs = 3_600_000;

/**
 * Makes sync (in the leading tab) fetch a photo file that a screen shows, before those that were requested earlier. If it
 * is stored already, only the `usedAt` of a full size is updated. `now`: device's clock, ms.
 */
export async function requestPhoto(
  db: DeviceDb,
  { plantKey, photoId, size }: { plantKey: string; photoId: string; size: PhotoSize },
  now: number,
): Promise<void> {
  if ((await db.photos.get(photoId))?.sizes.includes(size)) {
    // `usedAt` is not updated for small sizes. They are never deleted to make room, and a write for each card of a
    // screen would delay the taps.
    if (size === 'full') await markUsed(db, photoId, now);
    return;
  }
  await db.transaction('rw', db.idmap, db.syncState, async () => {
    const plantId = await serverIdOf(db, plantKey);
    const wanted = await readWantedPhotos(db);
    const known = wanted.find((one) => isSameFile(one, { photoId, size }));
    const others = wanted.filter((one) => one !== known);
    // With its `missingIn`, a file that the server does not have is not fetched again for each screen that shows it.
    const latest = { ...known, plantId, photoId, size };
    await db.syncState.put({ id: 'photos', wanted: [...others, latest] });
  });
}

async function markUsed(db: DeviceDb, photoId: string, now: number): Promise<void> {
  const file = await db.photoFiles.get([photoId, 'full']);
  if (file && Math.abs(now - file.usedAt) > usedEveryMs) {
    await db.photoFiles.put({ ...file, usedAt: now });
  }
}

/** The files that were requested and not fetched yet, in the order of their latest requests. */
export async function readWantedPhotos(db: DeviceDb): Promise<readonly WantedPhoto[]> {
  const row = await db.syncState.get('photos');
  return row?.id === 'photos' ? row.wanted : [];
}

export function isSameFile(
  a: Pick<WantedPhoto, 'photoId' | 'size'>,
  b: Pick<WantedPhoto, 'photoId' | 'size'>,
): boolean {
  return a.photoId === b.photoId && a.size === b.size;
}

/** Deletes a photo's row and its files, within the caller's transaction on photos and photoFiles. */
export async function deleteStoredPhoto(db: DeviceDb, photoId: string): Promise<void> {
  await db.photos.delete(photoId);
  await db.photoFiles.bulkDelete([
    [photoId, 'full'],
    [photoId, 'small'],
  ]);
}

/**
 * Deletes full sizes of sent photos, the least recently viewed first, until at most `keep` are left. Never deletes an
 * unsent photo. Resolves to how many were deleted.
 */
export function deleteFullSizes(db: DeviceDb, keep: number): Promise<number> {
  return db.transaction('rw', db.photos, db.photoFiles, async () => {
    const rows = await db.photos.filter(({ isWaiting }) => !isWaiting).toArray();
    const sent = new Map(rows.map((row) => [row.id, row]));
    const oldestFirst = await db.photoFiles.orderBy('usedAt').primaryKeys();
    const files = oldestFirst.filter(([id, size]) => size === 'full' && sent.has(id));
    const dropped = files.slice(0, Math.max(0, files.length - keep));
    await db.photoFiles.bulkDelete(dropped);
    const changed = dropped.flatMap(([id]) => sent.get(id) ?? []);
    const withoutFull = (sizes: PhotoSize[]) => sizes.filter((size) => size !== 'full');
    await db.photos.bulkPut(changed.map((row) => ({ ...row, sizes: withoutFull(row.sizes) })));
    return dropped.length;
  });
}

/** Deletes unsent photos whose op or plant was discarded. */
export function deleteOrphanedPhotos(db: DeviceDb): Promise<void> {
  return db.transaction('rw', db.photos, db.photoFiles, db.outbox, async () => {
    const waiting = await db.photos.filter(({ isWaiting }) => isWaiting).toArray();
    if (waiting.length === 0) return;
    const ops = await db.outbox.filter(({ type }) => type === 'add_photo').toArray();
    const pending = new Set(ops.map(({ photo }) => photo?.id));
    for (const { id } of waiting) if (!pending.has(id)) await deleteStoredPhoto(db, id);
  });
}
