import { beforeEach, expect, test } from 'vitest';
import { readJournal } from '#client/store/journal/journal.ts';
import { restoreAsNew } from '#client/store/outbox/decisions.ts';
import { addEntry, removeEntry } from '#client/store/outbox/entries.ts';
import { addPhotos } from '#client/store/photos/photos.ts';
import type { PhotosResponse } from '#contract/photos.ts';
import { delayedResponse } from '../../../support/device/network.ts';
import { tinyJpeg } from '../../../support/photos/jpeg.ts';
import { addPlant, bearer } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();

let plantId: string;
beforeEach(async () => {
  plantId = String((await addPlant(engine.server, engine.account)).id);
  await engine.device.pull();
});

function addNote(): Promise<string> {
  const { db, now } = engine.device;
  const note = { type: 'note' as const, note: 'A', at: now(), days: null, amount_ml: null };
  return addEntry(db, plantId, note, now());
}

async function addPhotoOf(entryId: string): Promise<void> {
  const { db, now } = engine.device;
  const full = new Uint8Array(tinyJpeg({ width: 40, height: 30 })).buffer;
  const small = new Uint8Array(tinyJpeg({ width: 4, height: 3 })).buffer;
  const photo = { full, small, width: 40, height: 30, takenAt: now(), entryId };
  await addPhotos(db, plantId, [photo], now());
}

/** Removes the plant's only entry; the removal is sent with the next push. */
async function removeNote(): Promise<void> {
  const { db, now } = engine.device;
  const [entry] = (await readJournal(db, plantId)).entries;
  if (!entry) throw new Error('no entry');
  await removeEntry(db, plantId, entry, now());
  await db.outbox.toCollection().modify((op) => {
    delete op.undoUntil;
  });
}

/** The entry of each photo: on the server, and on the device. */
async function entriesOfPhotos() {
  const headers = bearer(engine.account);
  const response = await engine.server.app.inject({
    url: `/api/plants/${plantId}/photos`,
    headers,
  });
  const { photos } = response.json() as PhotosResponse;
  const here = await readJournal(engine.device.db, plantId);
  const entryOf = (photo: { entry_id: string | null }) => photo.entry_id;
  return { server: photos.map(entryOf), device: here.photos.map(entryOf) };
}

const none = { server: [null], device: [null] };

test('the photo of an entry that is removed before either of them is sent belongs to no entry', async () => {
  await addPhotoOf(await addNote());
  await removeNote();
  await engine.device.push();
  await engine.device.pull();
  expect(await entriesOfPhotos()).toEqual(none);
});

test('the photo of an entry that is removed before the photo is sent belongs to no entry', async () => {
  const entryId = await addNote();
  await engine.device.push();
  await addPhotoOf(entryId);
  await removeNote();
  await engine.device.push();
  await engine.device.pull();
  expect(await entriesOfPhotos()).toEqual(none);
});

test('the photo of an entry belongs to no entry if the entry is removed after both were sent', async () => {
  const entryId = await addNote();
  await addPhotoOf(entryId);
  await engine.device.push();
  await engine.device.pull();
  expect(await entriesOfPhotos()).toEqual({ server: [entryId], device: [entryId] });
  await removeNote();
  await engine.device.push();
  await engine.device.pull();
  expect(await entriesOfPhotos()).toEqual(none);
});

test('a plant that is restored while its photo is being sent gets the photo, and no second plant is offered', async () => {
  const { db, network, now, push, pull } = engine.device;
  await addPhotoOf(await addNote());
  await engine.elsewhere('DELETE', `/api/plants/${plantId}`);
  const { fault, arrived, release } = delayedResponse();
  network.failNext(/PUT \/api\/photos/, fault);
  const pushed = push();
  await arrived;
  const rejected = (await db.outbox.toArray()).find(({ state }) => state === 'rejected');
  expect(await restoreAsNew(db, rejected?.opId ?? '', now())).not.toBeNull();
  release();
  await pushed;
  await pull();
  expect(await db.outbox.count()).toBe(0);
  const [restored, ...others] = await engine.serverPlants();
  expect(others).toEqual([]);
  plantId = restored?.id ?? '';
  const [entry] = (await readJournal(db, plantId)).entries;
  expect(await entriesOfPhotos()).toEqual({ server: [entry?.id], device: [entry?.id] });
});
