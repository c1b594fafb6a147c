import { expect, test } from 'vitest';
import { newOp } from '#client/store/outbox/op.ts';
import {
  addPlant,
  changePlant,
  deletePlant,
  withdrawOp,
} from '#client/store/outbox/plant-changes.ts';
import { readPlants } from '#client/store/plants.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { opRow, plantRow, sentOnce } from '../../../support/device/device-rows.ts';
import { freshDb } from '../../../support/device/fresh-db.ts';
import { plantPayload } from '../../../support/factories.ts';

const now = Date.parse('2026-11-20T08:00:00Z');
const rename = { edits: { nickname: 'Fernando' }, base: { nickname: 'Fern' } };
const rejection = { state: 'rejected', lastError: { message: 'Too long', status: 422 } } as const;

async function dbWithPlant(): Promise<DeviceDb> {
  const db = freshDb();
  await db.plants.add(plantRow());
  return db;
}

async function nicknames(db: DeviceDb) {
  return (await readPlants(db)).map(({ record }) => record.nickname);
}

test('a new plant is shown at once, and gets the same id if it is added again with the same op id', async () => {
  const db = freshDb();
  const { opId, isOwn } = await addPlant(db, plantPayload(), now);
  expect(isOwn).toBe(true);
  const [plant, ...others] = await readPlants(db);
  expect(others).toEqual([]);
  expect(plant).toMatchObject({ record: { nickname: 'Fern' }, waiting: [{ type: 'create' }] });
  await withdrawOp(db, opId);
  expect(await addPlant(db, plantPayload(), now, opId)).toEqual({ opId, isOwn: true });
  expect((await readPlants(db))[0]?.key).toBe(plant?.key);
});

test('an edit is shown at once, and its op also stores the values before the edit', async () => {
  const db = await dbWithPlant();
  const { opId, isOwn } = await changePlant(db, 'p1', rename, now);
  expect(isOwn).toBe(true);
  expect(await nicknames(db)).toEqual(['Fernando']);
  expect(await db.outbox.toArray()).toEqual([
    {
      seq: 1,
      ...newOp({ opId, entity: 'p1', type: 'update', occurredAt: now, ...rename }),
      base: plantPayload(),
    },
  ]);
});

test('an edit of an unsent plant is coalesced into its create', async () => {
  const db = freshDb();
  const made = await addPlant(db, plantPayload(), now);
  const [plant] = await readPlants(db);
  const changed = await changePlant(db, plant?.key ?? '', rename, now + 1);
  expect(changed).toEqual({ opId: made.opId, isOwn: false });
  expect(await db.outbox.toArray()).toMatchObject([
    { type: 'create', edits: plantPayload({ nickname: 'Fernando' }) },
  ]);
});

test('an edit after a rejected one is queued with the changes of both, and isOwn is false', async () => {
  const db = await dbWithPlant();
  await db.outbox.add(opRow({ ...sentOnce, ...rejection, edits: { location: 'Hall' } }));
  const { opId, isOwn } = await changePlant(db, 'p1', rename, now);
  expect(isOwn).toBe(false);
  expect(await db.outbox.toArray()).toMatchObject([
    { opId, state: 'queued', edits: { nickname: 'Fernando', location: 'Hall' } },
  ]);
});

test('a deleted plant disappears from the screens at once', async () => {
  const db = await dbWithPlant();
  await changePlant(db, 'p1', rename, now);
  const opId = await deletePlant(db, 'p1', now + 1);
  expect(await readPlants(db)).toEqual([]);
  expect(await db.outbox.toArray()).toMatchObject([{ opId, type: 'delete' }]);
});

test('deleting a plant that the server never had deletes all its ops', async () => {
  const db = freshDb();
  await db.outbox.bulkAdd([
    opRow({ ...sentOnce, ...rejection, seq: 1, entity: 'local-1', type: 'create' }),
    opRow({ seq: 2, entity: 'local-1', type: 'water' }),
  ]);
  await deletePlant(db, 'local-1', now);
  expect(await db.outbox.count()).toBe(0);
});

test('a rejected op is withdrawn once', async () => {
  const db = await dbWithPlant();
  await db.outbox.add(opRow({ ...sentOnce, ...rejection, opId: 'mine' }));
  expect(await withdrawOp(db, 'mine')).toBe(true);
  expect(await db.outbox.count()).toBe(0);
  expect(await withdrawOp(db, 'mine')).toBe(false);
});

test('an op in flight cannot be withdrawn', async () => {
  const db = await dbWithPlant();
  await db.outbox.add(opRow({ ...sentOnce, opId: 'mine', state: 'inflight', attempts: 2 }));
  expect(await withdrawOp(db, 'mine')).toBe(false);
  expect(await db.outbox.count()).toBe(1);
});
