import { expect, test } from 'vitest';
import { dismissConflict, undoConflict } from '#client/store/outbox/decisions.ts';
import { changePlant } from '#client/store/outbox/plant-changes.ts';
import { readPlants } from '#client/store/plants.ts';
import type { ConflictRow, DeviceDb } from '#client/store/schema.ts';
import type { PlantFields } from '#domain/plant/fields.ts';
import { plantRecord, plantRow } from '../../../support/device/device-rows.ts';
import { freshDb } from '../../../support/device/fresh-db.ts';

const now = 1_000;
const conflict: ConflictRow = {
  id: 'op-1:location',
  entity: 'p1',
  mine: { location: 'Hall' },
  theirs: { location: 'Attic' },
  at: 500,
};

async function dbWithConflict(): Promise<DeviceDb> {
  const db = freshDb();
  await db.plants.add(plantRow(plantRecord({ location: 'Hall' })));
  await db.conflicts.add(conflict);
  return db;
}

test('undo restores the overwritten value as an op of its own', async () => {
  const db = await dbWithConflict();
  await undoConflict(db, conflict.id, now);
  expect((await readPlants(db)).map(({ record }) => record.location)).toEqual(['Attic']);
  expect(await db.outbox.toArray()).toMatchObject([
    { type: 'update', edits: conflict.theirs, base: conflict.mine, occurredAt: now },
  ]);
  expect(await db.conflicts.count()).toBe(0);
});

test('a second undo does nothing', async () => {
  const db = await dbWithConflict();
  await undoConflict(db, conflict.id, now);
  await undoConflict(db, conflict.id, now);
  expect(await db.outbox.count()).toBe(1);
});

test('dismissing a conflict keeps this device’s value', async () => {
  const db = await dbWithConflict();
  await dismissConflict(db, conflict.id);
  expect(await db.conflicts.count()).toBe(0);
  expect(await db.outbox.count()).toBe(0);
});

const edit = (edits: Partial<PlantFields>, base: Partial<PlantFields>) => ({ edits, base });

test('an edit of the field deletes its conflict, so that undoing it cannot overwrite the edit', async () => {
  const db = await dbWithConflict();
  await changePlant(db, 'p1', edit({ location: 'Balcony' }, { location: 'Hall' }), now);
  expect(await db.conflicts.count()).toBe(0);
  expect(await undoConflict(db, conflict.id, now)).toBe(false);
  expect((await readPlants(db)).map(({ record }) => record.location)).toEqual(['Balcony']);
});

test('an edit of one end of a range deletes the conflict of both', async () => {
  const db = await dbWithConflict();
  const ends = { soil_humidity_threshold_min: 20, soil_humidity_threshold_max: 60 };
  await db.conflicts.put({ ...conflict, mine: ends, theirs: ends });
  const edited = { soil_humidity_threshold_max: 70 };
  await changePlant(db, 'p1', edit(edited, { soil_humidity_threshold_max: 60 }), now);
  expect(await db.conflicts.count()).toBe(0);
});

test.each([
  ['local-1', 'p1'],
  ['p1', 'local-1'],
])('a conflict of %s is deleted by an edit of %s, the same plant', async (entity, edited) => {
  const db = await dbWithConflict();
  await db.idmap.add({ localId: 'local-1', serverId: 'p1' });
  await db.conflicts.put({ ...conflict, entity });
  await changePlant(db, edited, edit({ location: 'Balcony' }, { location: 'Hall' }), now);
  expect(await db.conflicts.count()).toBe(0);
});

test('saving a plant unchanged to unlock its automatic watering keeps its conflicts', async () => {
  const db = await dbWithConflict();
  const auto = { auto_watering_enabled: true };
  await db.conflicts.put({ ...conflict, mine: auto, theirs: { auto_watering_enabled: false } });
  await changePlant(db, 'p1', { edits: auto, base: auto }, now);
  expect(await db.conflicts.count()).toBe(1);
});

test('conflicts of other fields and other plants are kept', async () => {
  const db = await dbWithConflict();
  await db.conflicts.add({ ...conflict, id: 'op-2:location', entity: 'p2' });
  await changePlant(db, 'p1', edit({ nickname: 'Fernando' }, { nickname: 'Fern' }), now);
  expect(await db.conflicts.count()).toBe(2);
  await changePlant(db, 'p2', edit({ location: 'Balcony' }, { location: 'Hall' }), now);
  expect(await db.conflicts.toArray()).toEqual([conflict]);
});

test('if the edit cannot be stored, the conflict is kept', async () => {
  const db = await dbWithConflict();
  db.outbox.hook('creating', () => {
    throw new Error('No room');
  });
  const change = changePlant(db, 'p1', edit({ location: 'Balcony' }, { location: 'Hall' }), now);
  await expect(change).rejects.toThrow();
  expect(await db.conflicts.count()).toBe(1);
});
