import type { ModelDevice } from '../model-device.ts';
import type { AccountContent } from '../model-server.ts';
import type { Intent } from '../users/intent.ts';
import type { EffectLog, ExpectedPlant } from './effect-log.ts';

/** One line for each lost change of a photo of an existing plant. */
export function lostPhotos(
  own: readonly Intent[],
  { label, photos }: Pick<ExpectedPlant, 'label' | 'photos'>,
): string[] {
  return own.flatMap(({ photo, device }) => {
    if (!photo) return [];
    const { kind, photoId } = photo;
    // A photo that was removed before it was sent never reaches the server.
    const wasRemoved = own.some(
      (one) =>
        one.device === device &&
        one.photo?.kind === 'remove_photo' &&
        one.photo.photoId === photoId,
    );
    const isLost =
      kind === 'add_photo' ? !photos.added.has(photoId) && !wasRemoved : photos.ids.has(photoId);
    return isLost ? [`${label}: ${kind} of ${photoId} by ${device} is lost`] : [];
  });
}

/**
 * Checks that a device stores the photos that result from the logged effects, each for the same entry as on the server.
 * Each row of `photos` must have all files that it lists. No photo of an existing plant may still be waiting.
 */
export async function photoViolations(
  effects: EffectLog,
  { name, db }: ModelDevice,
  { entryOfPhoto }: Pick<AccountContent, 'entryOfPhoto'>,
): Promise<string[]> {
  const found: string[] = [];
  const plants = await db.plants.toArray();
  for (const { id } of plants) {
    const stored = (await db.journal.get(id))?.photos ?? [];
    const actual = textOf(stored.map((photo) => photo.id));
    const expected = textOf(effects.plants.get(id)?.photos.ids ?? []);
    if (actual !== expected)
      found.push(`${name} stores for ${id} photos ${actual}, not ${expected}`);
    for (const { id: photoId, entry_id } of stored) {
      const entryId = entryOfPhoto.get(photoId) ?? null;
      if (entry_id === entryId) continue;
      found.push(`${name} stores ${photoId} as a photo of ${entry_id}, not of ${entryId}`);
    }
  }
  const existing = new Set(plants.map(({ id }) => id));
  for (const { id, plantId, isWaiting, sizes } of await db.photos.toArray()) {
    if (isWaiting && existing.has(plantId)) found.push(`${name} keeps ${id} as waiting`);
    for (const size of sizes) {
      if (!(await db.photoFiles.get([id, size]))) found.push(`${name} has no ${size} of ${id}`);
    }
  }
  return found;
}

/** Checks that the server has the photos that result from the logged effects. One line for each plant that differs. */
export function serverPhotoViolations(
  effects: EffectLog,
  { photos }: Pick<AccountContent, 'photos'>,
): string[] {
  return [...photos].flatMap(([plantId, ids]) => {
    const expected = textOf(effects.plants.get(plantId)?.photos.ids ?? []);
    return textOf(ids) === expected
      ? []
      : [`the server has for ${plantId} photos ${textOf(ids)}, not ${expected}`];
  });
}

/** Each photo on the server belongs to the entry that it was added to, or to none if that entry was removed. */
export function detachedPhotos(
  intents: readonly Intent[],
  { entryOfPhoto, journals }: Pick<AccountContent, 'entryOfPhoto' | 'journals'>,
): string[] {
  const existing = new Set([...journals.values()].flat().map(({ id }) => id));
  // The last intent of each photo counts, because a decision may have moved it to another entry.
  const added = new Map(
    intents.flatMap(({ photo, device }) =>
      photo?.kind === 'add_photo' ? [[photo.photoId, { ...photo, device }]] : [],
    ),
  );
  return [...added.values()].flatMap(({ photoId, entryId, device }) => {
    if (!entryOfPhoto.has(photoId)) return [];
    const expected = entryId !== null && existing.has(entryId) ? entryId : null;
    const actual = entryOfPhoto.get(photoId) ?? null;
    return actual === expected
      ? []
      : [`the photo ${photoId} of ${device} belongs to ${actual}, not to ${expected}`];
  });
}

function textOf(ids: Iterable<string>): string {
  return `[${[...ids].sort().join(', ')}]`;
}
