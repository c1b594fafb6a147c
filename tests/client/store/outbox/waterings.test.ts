import { expect, test } from 'vitest';
import { undoMs } from '#client/store/outbox/op.ts';
import {
  addWatering,
  addWaterings,
  undoWaterings,
  watchUndoableWaterings,
  watchWaterings,
} from '#client/store/outbox/waterings.ts';
import { opRow, plantRecord, plantRow } from '../../../support/device/device-rows.ts';
import { freshDb, listenTo } from '../../../support/device/fresh-db.ts';

const lastWatered = '2026-11-20T02:00:00.000Z';
const known = Date.parse(lastWatered);
const now = Date.parse('2026-11-20T08:00:00Z');

test('the last watering and the waiting ones are listed, oldest first', async () => {
  const db = freshDb();
  await db.plants.put(plantRow(plantRecord({ last_watered: lastWatered })));
  const values = listenTo(watchWaterings(db, 'p1'));
  await expect.poll(() => values).toEqual([[known]]);
  await addWatering(db, 'p1', now);
  await expect.poll(() => values.at(-1)).toEqual([known, now]);
});

test('edits and rejected waterings are not listed, and a plant may have no waterings', async () => {
  const db = freshDb();
  await db.plants.put(plantRow(plantRecord({ last_watered: null })));
  await db.outbox.bulkAdd([
    opRow({ type: 'water', state: 'rejected', occurredAt: now }),
    opRow({ seq: 2, type: 'update', occurredAt: now }),
  ]);
  const values = listenTo(watchWaterings(db, 'p1'));
  await expect.poll(() => values).toEqual([[]]);
});

test('the waterings of a plant that was added on this device are also found by the plant’s local id', async () => {
  const db = freshDb();
  await db.idmap.add({ localId: 'local-1', serverId: 'p1' });
  await db.plants.put(plantRow(plantRecord({ last_watered: lastWatered })));
  await addWatering(db, 'local-1', now);
  const values = listenTo(watchWaterings(db, 'local-1'));
  await expect.poll(() => values).toEqual([[known, now]]);
});

test('waterings of several plants at once can be undone until their undo period ends; a single watering cannot be undone', async () => {
  const db = freshDb();
  const values = listenTo(watchUndoableWaterings(db));
  const undoable = () => values.at(-1)?.map(({ entity, undoUntil }) => [entity, undoUntil]);
  await expect.poll(undoable).toEqual([]);
  await addWatering(db, 'p1', now);
  await addWaterings(db, ['p2', 'p3'], now);
  const until = now + undoMs;
  const both = [
    ['p2', until],
    ['p3', until],
  ];
  await expect.poll(undoable).toEqual(both);
  expect(await undoWaterings(db, now + undoMs)).toBe(0);
  expect(await undoWaterings(db, now + undoMs - 1)).toBe(2);
  await expect.poll(undoable).toEqual([]);
  expect((await db.outbox.toArray()).map(({ entity }) => entity)).toEqual(['p1']);
});

test('undoing waterings keeps the removal of an entry, which has an undo period too', async () => {
  const db = freshDb();
  await db.outbox.add(opRow({ type: 'remove_entry', undoUntil: now + undoMs }));
  await addWaterings(db, ['p2'], now);
  expect(await undoWaterings(db, now)).toBe(1);
  expect((await db.outbox.toArray()).map(({ type }) => type)).toEqual(['remove_entry']);
});

test('if one of many waterings cannot be stored, none is', async () => {
  const db = freshDb();
  const failForThird = (_: unknown, op: { entity: string }) => {
    if (op.entity === 'p3') throw new Error('No room');
  };
  db.outbox.hook('creating', failForThird);
  await expect(addWaterings(db, ['p1', 'p2', 'p3'], now)).rejects.toThrow('No room');
  expect(await db.outbox.count()).toBe(0);
});

test('a watering that has been sent once can no longer be undone', async () => {
  const db = freshDb();
  await db.outbox.add(
    opRow({ type: 'water', undoUntil: now + 5_000, state: 'inflight', attempts: 1 }),
  );
  expect(await undoWaterings(db, now)).toBe(0);
});
