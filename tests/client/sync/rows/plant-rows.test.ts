import { expect, test } from 'vitest';
import { deletePlantRows, nextRow, putPlantIfChanged } from '#client/sync/rows/plant-rows.ts';
import type { PlantWithReadings } from '#contract/plants.ts';
import {
  journalRow,
  latestRow,
  plantRecord,
  plantRow,
} from '../../../support/device/device-rows.ts';
import { freshDb } from '../../../support/device/fresh-db.ts';

const withReadings: PlantWithReadings = {
  ...plantRecord(),
  latest_soil_humidity: 40,
  latest_air_humidity: null,
  latest_temperature: 0,
  latest_luminance: 900,
  last_reading_time: '2026-11-20T08:00:00Z',
};

test('the first record of a plant becomes its row', () => {
  const record = plantRecord({ id: 7 });
  const row = nextRow(undefined, record, '"v1"', 500);
  expect(row).toMatchObject({ id: '7', record, etag: '"v1"', fetchedAt: 500 });
});

test('the stored record has the fields of the plant as received, without the latest readings', () => {
  expect(nextRow(undefined, withReadings, null, 0)?.record).toEqual(plantRecord());
});

test('the entry that a response contains is not part of the record', () => {
  const response = { ...plantRecord(), journal_entry: { id: 'e1' } };
  expect(nextRow(undefined, response, null, 0)?.record).toEqual(plantRecord());
});

test('deleting a plant deletes its latest readings, journal and photos, but not a photo that waits to be sent', async () => {
  const db = freshDb();
  await db.plants.bulkAdd([plantRow(), plantRow(plantRecord({ id: 'p2' }))]);
  await db.latest.add(latestRow({ plantId: 'p1' }));
  await db.journal.bulkAdd([journalRow(), journalRow({ plantId: 'p2' })]);
  await db.photos.bulkAdd([
    { plantId: 'p1', id: 'sent', isWaiting: false, sizes: ['full', 'small'] },
    { plantId: 'p1', id: 'waiting', isWaiting: true, sizes: ['full'] },
  ]);
  const file = { bytes: new ArrayBuffer(1), usedAt: 1 };
  await db.photoFiles.bulkAdd([
    { ...file, photoId: 'sent', size: 'full' },
    { ...file, photoId: 'sent', size: 'small' },
    { ...file, photoId: 'waiting', size: 'full' },
  ]);
  await deletePlantRows(db, ['p1']);
  const keys = [db.plants, db.latest, db.journal, db.photos].map((table) =>
    table.toCollection().primaryKeys(),
  );
  expect(await Promise.all(keys)).toEqual([['p2'], [], ['p2'], ['waiting']]);
  expect(await db.photoFiles.toCollection().primaryKeys()).toEqual([['waiting', 'full']]);
});

test('deleting a plant deletes its conflicts, those under its local id and those under its server id', async () => {
  const db = freshDb();
  await db.idmap.add({ localId: 'local-1', serverId: 'p1' });
  const conflict = { mine: { location: 'Hall' }, theirs: { location: 'Attic' }, at: 500 };
  await db.conflicts.bulkAdd([
    { ...conflict, id: 'a', entity: 'p1' },
    { ...conflict, id: 'b', entity: 'local-1' },
    { ...conflict, id: 'c', entity: 'p2' },
  ]);
  await deletePlantRows(db, ['p1']);
  expect(await db.conflicts.toCollection().primaryKeys()).toEqual(['c']);
});

test('an unchanged record is not written again', () => {
  const known = plantRow();
  const read: PlantWithReadings = { ...withReadings, latest_soil_humidity: 10 };
  expect(nextRow(known, plantRecord(), known.etag, 900)).toBeNull();
  expect(nextRow(known, read, null, 900)).toBeNull();
});

test('a new ETag of an unchanged record is stored, and its rev stays the same', () => {
  const known = plantRow();
  const noted = { ...known, etag: '"v2"' };
  expect(nextRow(known, plantRecord(), '"v2"', 900)).toEqual(noted);
  expect(nextRow(known, { ...plantRecord(), etag: '"v2"' }, null, 900)).toEqual(noted);
});

test('the ETag of a plant that was read is that of the lists, without the hash of the response', () => {
  const row = nextRow(undefined, plantRecord({ etag: '"v2"' }), '"v2.a1b2"', 900);
  expect(row?.etag).toBe('"v2"');
});

test('a changed record gets another rev', () => {
  const known = plantRow(plantRecord(), 4);
  const row = nextRow(known, plantRecord({ nickname: 'B' }), '"v2"', 900);
  expect(row).toMatchObject({ record: { nickname: 'B' }, etag: '"v2"', fetchedAt: 900 });
  expect(row?.rev).not.toBe(known.rev);
});

test.each([
  [{ mood: 'happy' }, { mood: 'sad' }],
  [{ location: null }, { location: '' }],
  [{ luminance_threshold_min: 0 }, { luminance_threshold_min: null }],
])('%j and %j are different records', (before, after) => {
  const known = plantRow({ ...plantRecord(), ...before });
  expect(nextRow(known, { ...plantRecord(), ...after }, null, 0)).not.toBeNull();
});

test('only rows that differ are written to the database', async () => {
  const db = freshDb();
  await putPlantIfChanged(db, plantRecord(), '"v1"', 1);
  const first = await db.plants.get('p1');
  await putPlantIfChanged(db, plantRecord(), '"v1"', 2);
  expect(await db.plants.get('p1')).toEqual(first);
  await putPlantIfChanged(db, plantRecord({ nickname: 'B' }), '"v2"', 3);
  expect(await db.plants.get('p1')).toMatchObject({ record: { nickname: 'B' }, fetchedAt: 3 });
});
