import { expect, test } from 'vitest';
import { addEntryAgain, restoreAsNew } from '#client/store/outbox/decisions.ts';
import { addPlant, changePlant } from '#client/store/outbox/plant-changes.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { readPlants } from '#client/store/plants.ts';
import { opRow, plantRow, sentOnce } from '../../../support/device/device-rows.ts';
import { freshDb } from '../../../support/device/fresh-db.ts';
import { plantPayload } from '../../../support/factories.ts';

const now = Date.parse('2026-11-20T08:00:00Z');
const gone = {
  ...sentOnce,
  state: 'rejected',
  lastError: { message: 'Plant not found', status: 404 },
} as const;

test('a plant deleted elsewhere is created again from its last known fields, with its edits and waterings', async () => {
  const db = freshDb();
  await db.plants.add(plantRow());
  const edit = { edits: { location: 'Hall' }, base: { location: 'Bathroom' } };
  const { opId } = await changePlant(db, 'p1', edit, now - 9_000);
  await addWatering(db, 'p1', now - 5_000);
  await db.outbox.toCollection().modify(gone);
  await db.plants.clear();
  const key = await restoreAsNew(db, opId, now);
  expect(await readPlants(db)).toMatchObject([
    {
      key,
      waiting: [{ type: 'create' }, { type: 'water', occurredAt: now - 5_000 }],
      rejected: [],
    },
  ]);
  const [create] = await db.outbox.orderBy('seq').toArray();
  expect(create).toMatchObject({ entity: key, edits: plantPayload({ location: 'Hall' }) });
});

const entry = { id: 'e1', at: 5, note: 'A', amount_ml: null, days: null } as const;

test('a restored plant keeps its unconfirmed entries with their moments, but not the removals of entries', async () => {
  const db = freshDb();
  const [fed, note] = [
    { ...entry, type: 'fertilized' as const },
    { ...entry, id: 'e2', type: 'note' as const, at: 6 },
  ];
  await db.outbox.bulkAdd([
    opRow({ ...gone, seq: 1, type: 'add_entry', opId: 'e1', entry: fed, occurredAt: 7 }),
    opRow({ ...gone, seq: 2, type: 'edit_entry', entry: note }),
    opRow({ seq: 3, type: 'remove_entry', entry: { ...note, id: 'e3' } }),
  ]);
  const key = await restoreAsNew(db, 'e1', now);
  const [, ...entries] = await db.outbox.orderBy('seq').toArray();
  expect(entries).toMatchObject([
    { entity: key, type: 'add_entry', entry: { type: 'fertilized', at: 5 }, occurredAt: 7 },
    { entity: key, type: 'add_entry', entry: { type: 'note', note: 'A', at: 6 } },
  ]);
  expect(entries.map((op) => op.entry?.id)).toEqual(entries.map(({ opId }) => opId));
  expect(entries.map(({ opId }) => opId)).not.toContain('e1');
});

test('restoring a plant adds each unconfirmed entry once, with its edit, and no removed entry', async () => {
  const db = freshDb();
  const note = { ...entry, type: 'note' as const };
  const water = { ...note, id: 'w1', type: 'watered' as const, note: 'B' };
  const uncertain = { ...sentOnce, state: 'uncertain' } as const;
  await db.outbox.bulkAdd([
    opRow({ ...gone, seq: 1, base: { nickname: 'Fern' } }),
    opRow({ ...uncertain, seq: 2, type: 'add_entry', opId: 'e1', entry: note }),
    opRow({ ...uncertain, seq: 3, type: 'water', opId: 'w1', occurredAt: 7 }),
    opRow({ seq: 4, type: 'edit_entry', entry: water }),
    opRow({ seq: 5, type: 'remove_entry', entry: note }),
  ]);
  await restoreAsNew(db, 'op-1', now);
  const [create, ...entries] = await db.outbox.orderBy('seq').toArray();
  expect(create).toMatchObject({ type: 'create' });
  expect(entries).toMatchObject([{ type: 'add_entry', entry: { type: 'watered', note: 'B' } }]);
  expect(entries[0]?.entry?.id).toBe(entries[0]?.opId);
});

test('the photos of a restored plant belong to its restored entries, or to no entry if theirs was not restored', async () => {
  const db = freshDb();
  const photo = { id: 'f1', entryId: 'e1', takenAt: 5, width: 8, height: 6 };
  const note = { ...entry, type: 'note' as const };
  const ofPlant = { ...photo, id: 'f2', entryId: null };
  const ofKnownEntry = { ...photo, id: 'f3', entryId: 'on the server' };
  await db.outbox.bulkAdd([
    opRow({ ...gone, seq: 1, type: 'add_entry', opId: 'e1', entry: note }),
    opRow({ ...gone, seq: 2, type: 'water', opId: 'w1', occurredAt: 7 }),
    opRow({ ...gone, seq: 3, type: 'add_photo', opId: 'f1', photo }),
    opRow({ ...gone, seq: 4, type: 'add_photo', opId: 'f2', photo: ofPlant }),
    opRow({ ...gone, seq: 5, type: 'add_photo', opId: 'f3', photo: ofKnownEntry }),
    opRow({
      ...gone,
      seq: 6,
      type: 'add_photo',
      opId: 'f4',
      photo: { ...photo, id: 'f4', entryId: 'w1' },
    }),
  ]);
  await restoreAsNew(db, 'e1', now);
  const [, added, watered, ...photos] = await db.outbox.orderBy('seq').toArray();
  expect(photos.map((op) => [op.photo?.id, op.photo?.entryId])).toEqual([
    ['f1', added?.entry?.id],
    ['f2', null],
    ['f3', null],
    ['f4', watered?.opId],
  ]);
});

test('a photo stays with its entry when the plant is restored, even if the entry was edited after the photo was added', async () => {
  const db = freshDb();
  const photo = { id: 'f1', entryId: 'saved', takenAt: 5, width: 8, height: 6 };
  const edited = { ...entry, id: 'saved', type: 'note' as const };
  await db.outbox.bulkAdd([
    opRow({ ...gone, seq: 1, type: 'add_photo', opId: 'f1', photo }),
    opRow({ ...gone, seq: 2, type: 'edit_entry', entry: edited }),
  ]);
  await restoreAsNew(db, 'f1', now);
  const [, added, again] = await db.outbox.orderBy('seq').toArray();
  expect(added).toMatchObject({ type: 'add_entry', entry: { note: 'A' } });
  expect(again).toMatchObject({ type: 'add_photo', photo: { id: 'f1' } });
  expect(again?.photo?.entryId).toBe(added?.entry?.id);
});

test('a photo of a restored plant belongs to no entry if its entry was removed', async () => {
  const db = freshDb();
  const photo = { id: 'f1', entryId: 'e1', takenAt: 5, width: 8, height: 6 };
  const note = { ...entry, type: 'note' as const };
  await db.outbox.bulkAdd([
    opRow({ ...gone, seq: 1, type: 'add_entry', opId: 'e1', entry: note }),
    opRow({ ...gone, seq: 2, type: 'add_photo', opId: 'f1', photo }),
    opRow({ seq: 3, type: 'remove_entry', entry: note }),
  ]);
  await restoreAsNew(db, 'f1', now);
  const ops = await db.outbox.orderBy('seq').toArray();
  expect(ops.map(({ type, photo }) => [type, photo?.entryId])).toEqual([
    ['create', undefined],
    ['add_photo', null],
  ]);
});

test('a restored plant does not get a photo that was removed while its upload was not confirmed', async () => {
  const db = freshDb();
  const photo = { id: 'f1', entryId: null, takenAt: 5, width: 8, height: 6 };
  const kept = { ...photo, id: 'f2' };
  await db.outbox.bulkAdd([
    opRow({ ...sentOnce, seq: 1, type: 'add_photo', opId: 'f1', photo, state: 'uncertain' }),
    opRow({ ...gone, seq: 2, type: 'add_photo', opId: 'f2', photo: kept }),
    opRow({ seq: 3, type: 'remove_photo', opId: 'f3', photo }),
    opRow({ ...gone, seq: 4, type: 'remove_photo', opId: 'f4', photo: kept }),
  ]);
  await restoreAsNew(db, 'f2', now);
  const ops = await db.outbox.orderBy('seq').toArray();
  expect(ops.map(({ type, photo }) => [type, photo?.id])).toEqual([
    ['create', undefined],
    ['add_photo', 'f2'],
  ]);
});

test('an entry that was deleted elsewhere is added again with its edit', async () => {
  const db = freshDb();
  const edited = { ...entry, type: 'note' as const };
  await db.outbox.add(opRow({ ...gone, type: 'edit_entry', entry: edited }));
  expect(await addEntryAgain(db, 'op-1')).toBe(true);
  const [op, ...others] = await db.outbox.toArray();
  expect(others).toEqual([]);
  expect(op).toMatchObject({ seq: 1, type: 'add_entry', state: 'queued', request: null });
  expect(op?.entry).toEqual({ ...edited, id: op?.opId });
});

test('the unsent and rejected photos of an entry that is added again belong to the new one', async () => {
  const db = freshDb();
  const photo = { id: 'f1', entryId: 'e1', takenAt: 5, width: 8, height: 6 };
  await db.outbox.bulkAdd([
    opRow({ ...gone, seq: 1, type: 'edit_entry', entry: { ...entry, type: 'note' } }),
    opRow({ seq: 2, type: 'add_photo', opId: 'f1', photo }),
    opRow({ ...sentOnce, seq: 3, type: 'add_photo', opId: 'f2', photo: { ...photo, id: 'f2' } }),
    opRow({ seq: 4, type: 'add_photo', opId: 'f3', photo: { ...photo, entryId: 'e2' } }),
    opRow({ ...gone, seq: 5, type: 'add_photo', opId: 'f4', photo: { ...photo, id: 'f4' } }),
  ]);
  await addEntryAgain(db, 'op-1');
  const [added, ...photos] = await db.outbox.orderBy('seq').toArray();
  expect(photos.map((op) => op.photo?.entryId)).toEqual([
    added?.entry?.id,
    'e1',
    'e2',
    added?.entry?.id,
  ]);
});

test('a plant restored from a rejected watering keeps its fields, even if the watering was added before the create was confirmed', async () => {
  const db = freshDb();
  const created = await addPlant(db, plantPayload({ nickname: 'Fern' }), now - 9_000);
  const key = `local-${created.opId}`;
  await changePlant(db, key, { edits: { location: 'Hall' }, base: { location: null } }, now);
  await db.outbox.toCollection().modify(sentOnce);
  const opId = await addWatering(db, key, now - 5_000);
  // The plant and its edit were confirmed, and the plant was deleted elsewhere.
  await db.outbox.where('opId').notEqual(opId).delete();
  await db.outbox.toCollection().modify(gone);
  await restoreAsNew(db, opId, now);
  const create = await db.outbox.orderBy('seq').first();
  expect(create?.edits).toEqual(plantPayload({ nickname: 'Fern', location: 'Hall' }));
});

test('a plant whose row is still stored is restored with the fields of that row', async () => {
  const db = freshDb();
  await db.plants.add(plantRow());
  await db.outbox.add(opRow({ ...gone, type: 'water' }));
  await restoreAsNew(db, 'op-1', now);
  expect(await db.outbox.orderBy('seq').first()).toMatchObject({ edits: plantPayload() });
});

test('a plant is restored once, however often Restore is tapped', async () => {
  const db = freshDb();
  await db.outbox.add(opRow({ ...gone, base: { nickname: 'Fern' } }));
  const keys = [await restoreAsNew(db, 'op-1', now), await restoreAsNew(db, 'op-1', now)];
  expect(keys).toEqual([expect.stringMatching(/^local-/), null]);
  expect(await db.outbox.count()).toBe(1);
});

test('a restored plant also gets the changes that are in flight', async () => {
  const db = freshDb();
  await db.outbox.bulkAdd([
    opRow({ ...gone, seq: 1, base: { nickname: 'Fern' } }),
    opRow({ ...sentOnce, seq: 2, type: 'water', opId: 'w1', state: 'inflight', occurredAt: 7 }),
  ]);
  const key = await restoreAsNew(db, 'op-1', now);
  expect(await db.outbox.orderBy('seq').toArray()).toMatchObject([
    { entity: key, type: 'create', state: 'queued' },
    { entity: key, type: 'water', state: 'queued', occurredAt: 7 },
  ]);
});
