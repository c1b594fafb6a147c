import { readJournal } from '#client/store/journal/journal.ts';
import {
  addPhotos,
  applyPhotoOps,
  type PlantPhoto,
  removePhoto,
} from '#client/store/photos/photos.ts';
import { tinyJpeg } from '../../../../support/photos/jpeg.ts';
import type { ModelDevice } from '../model-device.ts';
import type { Simulation } from '../simulation.ts';
import { ownEntries } from './journal-intents.ts';

/** What a person did to a photo. */
export interface PhotoIntent {
  kind: 'add_photo' | 'remove_photo';
  photoId: string;
  /** The entry that the photo was added to; null if it was added to none, or removed. */
  entryId: string | null;
}

const width = 8;
const height = 6;
const full = bytesOf(tinyJpeg({ width, height }));
const small = bytesOf(tinyJpeg({ width: 4, height: 3 }));

/** Adds a photo to a plant or to one of its entries, or removes a photo that the device shows. */
export async function changePhotos(
  sim: Simulation,
  device: ModelDevice,
  plantKey: string,
): Promise<PhotoIntent> {
  const { random } = sim;
  const now = sim.timeOf(device);
  const shown = (await shownPhotos(device, plantKey)).filter((photo) => !photo.isRejected);
  // In the order in which they were added, which is the same when a run is repeated: screens order photos of the same
  // time by their ids, which are random.
  const removable = sim.photoIds.flatMap((id) => shown.find((photo) => photo.id === id) ?? []);
  if (removable.length === 0 || random.chance(0.6)) {
    const own = await ownEntries(device, plantKey);
    // Preferably an entry that is not sent yet, as when a person adds a note with a photo.
    const unsent = own.filter(({ state }) => state !== 'saved');
    const choice = unsent.length > 0 ? unsent : own;
    const entryId = choice.length > 0 && random.chance(0.7) ? random.pick(choice).id : null;
    const photo = { full, small, width, height, takenAt: now, entryId };
    const [photoId = ''] = await addPhotos(device.page, plantKey, [photo], now);
    sim.photoIds.push(photoId);
    await expectShown(sim, device, plantKey, photoId, true);
    return { kind: 'add_photo', photoId, entryId };
  }
  const photo = random.pick(removable);
  await removePhoto(device.page, plantKey, photo, now);
  await expectShown(sim, device, plantKey, photo.id, false);
  return { kind: 'remove_photo', photoId: photo.id, entryId: null };
}

async function shownPhotos({ db }: ModelDevice, plantKey: string): Promise<PlantPhoto[]> {
  const { photos, ops } = await readJournal(db, plantKey);
  return applyPhotoOps(photos, ops);
}

/** A change is shown at once, even if other ops wait in the outbox. */
async function expectShown(
  sim: Simulation,
  device: ModelDevice,
  plantKey: string,
  id: string,
  isExpected: boolean,
): Promise<void> {
  const isShown = (await shownPhotos(device, plantKey)).some((photo) => photo.id === id);
  if (isShown === isExpected) return;
  const state = isShown ? 'is still shown' : 'is not shown';
  sim.effects.violations.push(`${device.name}: the photo ${id} ${state}`);
}

function bytesOf(jpeg: Buffer): ArrayBuffer {
  return new Uint8Array(jpeg).buffer;
}
