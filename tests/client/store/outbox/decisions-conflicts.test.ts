import { expect, test } from 'vitest';
import { dismissConflict, undoConflict } from '#client/store/outbox/decisions.ts';
import { readPlants } from '#client/store/plants.ts';
import type { ConflictRow, DeviceDb } from '#client/store/schema.ts';
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
