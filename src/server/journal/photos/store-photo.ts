import type pg from 'pg';
import type { PhotoQuery } from '#contract/photos.ts';
import type { Queryable, Transaction } from '../../database/transaction.ts';
import { ApiError } from '../../http/api-error.ts';
import type { PlantKey } from '../../plants/schema.ts';
import { readEntry } from '../queries.ts';
import type { Upload } from './upload.ts';

/**
 * Stores a photo of a locked plant of a locked account. Resolves to false if it is already stored; then nothing is
 * changed. Throws a 410 if it was deleted, and a 422 if another photo has this id or the account has its maximum number
 * of photos.
 */
export async function storePhoto(
  tx: Transaction,
  plant: PlantKey,
  { id, query, upload }: { id: string; query: PhotoQuery; upload: Upload },
  { now, maxCount }: { now: Date; maxCount: number },
): Promise<boolean> {
  const { userId, id: plantId } = plant;
  const { full, small, hash, width, height } = upload;
  const stored = await storedPhoto(tx.$client, userId, id);
  if (stored?.isDeleted) throw new ApiError(410, 'gone', 'This photo was deleted');
  if (stored && stored.plantId === plantId && stored.hash === hash) return false;
  if (stored) throw otherPhoto();
  if ((await countPhotos(tx.$client, userId)) >= maxCount) throw tooMany(maxCount);
  const { entry_id: entryId, taken_at } = query;
  // The entry may have been removed by another device meanwhile; the photo is kept without it.
  const entry = entryId === undefined ? null : await readEntry(tx.$client, plant, entryId);
  // The clock of a camera may be wrong.
  const takenAt = new Date(Math.min(Date.parse(taken_at), now.getTime()));
  const { rowCount } = await tx.$client.query({
    name: 'store-photo',
    text: `INSERT INTO photos
        (user_id, id, plant_id, entry_id, taken_at, width, height, hash, full_jpeg, small_jpeg)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
    values: [userId, id, plantId, entry?.id ?? null, takenAt, width, height, hash, full, small],
  });
  if (rowCount === 0) throw otherPhoto();
  return true;
}

/** Photos that one statement deletes. */
const deletedAtOnce = 20;

/**
 * Deletes all photos of a locked plant. Deleting the plant would do so too, but in a single statement, which on a slow
 * disk can exceed the query timeout: each photo has hundreds of parts.
 */
export async function deletePhotosOf(
  client: pg.PoolClient,
  { userId, id }: PlantKey,
): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query({
      name: 'delete-photos-of-plant',
      text: `DELETE FROM photos WHERE user_id = $1 AND id IN
        (SELECT id FROM photos WHERE user_id = $1 AND plant_id = $2 LIMIT ${deletedAtOnce})`,
      values: [userId, id],
    });
    if ((rowCount ?? 0) < deletedAtOnce) return;
  }
}

interface StoredPhoto {
  plantId: string;
  hash: string;
  isDeleted: boolean;
}

/** The stored data of a photo, also of a deleted one. */
export async function storedPhoto(
  db: Queryable,
  userId: string,
  id: string,
): Promise<StoredPhoto | null> {
  const { rows } = await db.query<StoredPhoto>({
    name: 'stored-photo',
    text: `SELECT plant_id AS "plantId", hash, deleted_at IS NOT NULL AS "isDeleted" FROM photos
      WHERE user_id = $1 AND id = $2`,
    values: [userId, id],
  });
  return rows[0] ?? null;
}

async function countPhotos(db: Queryable, userId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-photos',
    text: 'SELECT count(*)::int AS count FROM photos WHERE user_id = $1 AND deleted_at IS NULL',
    values: [userId],
  });
  return rows[0]?.count ?? 0;
}

function otherPhoto(): ApiError {
  return new ApiError(422, 'invalid', 'Another photo has this id');
}

function tooMany(maxCount: number): ApiError {
  const message = `An account can have ${maxCount} photos; delete some that are not needed any more`;
  return new ApiError(422, 'invalid', message);
}

/** Deletes the bytes of a photo, whose row stays. False if it was deleted meanwhile. */
export async function deletePhoto(
  tx: Transaction,
  { userId, id }: { userId: string; id: string },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tx.$client.query({
    name: 'delete-photo',
    text: `UPDATE photos SET full_jpeg = NULL, small_jpeg = NULL, entry_id = NULL, deleted_at = $3
      WHERE user_id = $1 AND id = $2 AND deleted_at IS NULL`,
    values: [userId, id, now],
  });
  return rowCount === 1;
}
