import { liveQuery } from 'dexie';
import { ApiError } from '#client/api/http.ts';
import { fetchPhoto } from '#client/api/photos.ts';
import { NoResponse } from '#client/api/send.ts';
import { storeInsteadOfPhotos } from '#client/store/outbox/write-change.ts';
import { deleteFullSizes, isSameFile, readWantedPhotos } from '#client/store/photos/photo-files.ts';
import type { DeviceDb, WantedPhoto } from '#client/store/schema.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import { singleFlight } from './concurrency.ts';

/** The number of sent photos whose full size is kept on the device: about 15 MB. */
const keptFullSizes = 40;

/**
 * Fetches the photo files that screens request, one after another, the newest request first. Runs independently of push
 * and pull, so that a photo on screen does not wait for them. A file that cannot be fetched stays requested, and is
 * tried again when the list of requested files changes and after the next pull. `stop`: changes of the list start no
 * more runs; a run in progress continues unless the signal aborts. `retryNow`: starts a run now.
 */
export function fetchWantedPhotos(context: SyncContext): {
  stop: () => void;
  retryNow: () => void;
} {
  const { db } = context;
  const run = singleFlight(context.signal, 'Wanted photos cannot be fetched:', () =>
    fetchAll(context),
  );
  const subscription = liveQuery(() => db.syncState.get('photos')).subscribe({
    next: (row) => {
      if (row?.id === 'photos' && row.wanted.length > 0) run();
    },
    error: (error) => console.error('Wanted photos cannot be read:', error),
  });
  return { stop: () => subscription.unsubscribe(), retryNow: run };
}

/** A request for a file, and the version of the plant's journal when it is sent; undefined if that is unknown. */
interface Next {
  wanted: WantedPhoto;
  version: number | undefined;
}

/** Fetches each requested file once, until fetching the next one would fail too. */
async function fetchAll(context: SyncContext): Promise<void> {
  const tried: WantedPhoto[] = [];
  while (!context.signal.aborted) {
    // Read again each time, because a photo that is opened meanwhile is next.
    const next = await nextOf(context.db, tried);
    if (!next || !(await fetchOne(context, next))) return;
    tried.push(next.wanted);
  }
}

/** The newest request that was not tried and may succeed; null if there is none. */
async function nextOf(db: DeviceDb, tried: readonly WantedPhoto[]): Promise<Next | null> {
  const newestFirst = [...(await readWantedPhotos(db))].reverse();
  for (const wanted of newestFirst) {
    if (tried.some((other) => isSameFile(wanted, other))) continue;
    const version = (await db.plants.get(wanted.plantId))?.record.journal_version ?? undefined;
    if (wanted.missingIn === undefined || wanted.missingIn !== version) return { wanted, version };
  }
  return null;
}

/** Fetches one file. Resolves to false if fetching the next one now would fail too. */
async function fetchOne(context: SyncContext, next: Next): Promise<boolean> {
  const { photoId, size } = next.wanted;
  try {
    const bytes = await fetchPhoto(photoId, size, requestOptions(context));
    await saveFile(context, next, bytes);
    return true;
  } catch (error) {
    // A large file may need too long where others do not.
    if (error instanceof NoResponse) return error.isTimeout;
    if (!(error instanceof ApiError)) throw error;
    return error.status !== null && error.status !== 401 && !error.isPause;
  }
}

/**
 * Stores a file and removes the request for it. `bytes`: null if the server has no such photo. The request is removed
 * too if the file cannot be stored, because it would be downloaded again after every pull. The request is kept if the
 * photo is the plant's picture, because a device sends the edit that sets the picture before it uploads the photo.
 */
async function saveFile(
  context: SyncContext,
  next: Next,
  bytes: ArrayBuffer | null,
): Promise<void> {
  const { db, signal } = context;
  const { wanted } = next;
  try {
    await storeInsteadOfPhotos(db, () => putFile(context, next, bytes));
    if (wanted.size === 'full') await deleteFullSizes(db, keptFullSizes);
  } catch (error) {
    if (signal.aborted) throw error;
    console.error('A photo cannot be stored:', error);
    await forget(db, wanted);
  }
}

/** Stores a file, unless its plant was deleted meanwhile, and removes the request for it. See saveFile for `bytes`. */
function putFile(
  { db, now, signal }: SyncContext,
  { wanted, version }: Next,
  bytes: ArrayBuffer | null,
): Promise<void> {
  const { plantId, photoId, size } = wanted;
  return db.transaction('rw', db.plants, db.photos, db.photoFiles, db.syncState, async () => {
    signal.throwIfAborted();
    const plant = await db.plants.get(plantId);
    if (!bytes && plant?.record.photo_id === photoId && version !== undefined) {
      return replaceRequest(db, wanted, [{ ...wanted, missingIn: version }]);
    }
    if (bytes && plant) {
      const known = await db.photos.get(photoId);
      const sizes = [...new Set([...(known?.sizes ?? []), size])];
      await db.photos.put({ isWaiting: false, ...known, id: photoId, plantId, sizes });
      await db.photoFiles.put({ photoId, size, bytes, usedAt: now() });
    }
    await forget(db, wanted);
  });
}

function forget(db: DeviceDb, fetched: WantedPhoto): Promise<void> {
  return replaceRequest(db, fetched, []);
}

function replaceRequest(db: DeviceDb, old: WantedPhoto, by: WantedPhoto[]): Promise<void> {
  return db.transaction('rw', db.syncState, async () => {
    const wanted = await readWantedPhotos(db);
    const changed = wanted.flatMap((one) => (isSameFile(one, old) ? by : [one]));
    await db.syncState.put({ id: 'photos', wanted: changed });
  });
}
