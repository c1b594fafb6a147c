import { expect, test } from 'vitest';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { readPlants, watchPlant, watchPlants } from '#client/store/plants.ts';
import { opRow, plantRecord, plantRow, sentOnce } from '../../support/device/device-rows.ts';
import { freshDb, listenTo } from '../../support/device/fresh-db.ts';

const now = Date.parse('2026-11-20T08:00:00Z');

test('a garden without plants is read as an empty list', async () => {
  expect(await readPlants(freshDb())).toEqual([]);
});

test('a screen shows the rows of the server, and a watering as soon as it is stored', async () => {
  const db = freshDb();
  await db.plants.add(plantRow());
  const values = listenTo(watchPlants(db));
  await expect.poll(() => values.at(-1)).toHaveLength(1);
  expect(values.at(-1)?.[0]).toMatchObject({ key: 'p1', record: plantRecord(), waiting: [] });
  const before = values.at(-1)?.[0]?.stamp;
  await addWatering(db, 'p1', now);
  await expect.poll(() => values.at(-1)?.[0]?.record.last_watered).toBe('2026-11-20T08:00:00.000Z');
  expect(values.at(-1)?.[0]?.stamp).not.toBe(before);
});

test('while a create is confirmed, the plant is always shown exactly once', async () => {
  const db = freshDb();
  const create = opRow({ type: 'create', entity: 'local-1', edits: { nickname: 'New' } });
  await db.outbox.add(create);
  const values = listenTo(watchPlants(db));
  await expect.poll(() => values.at(-1)).toHaveLength(1);
  await db.transaction('rw', db.outbox, db.plants, db.idmap, async () => {
    await db.outbox.delete(create.seq);
    await db.idmap.add({ localId: 'local-1', serverId: 's1' });
    await db.plants.add(plantRow(plantRecord({ id: 's1', nickname: 'New' })));
  });
  await expect.poll(() => values.at(-1)?.[0]?.record.id).toBe('s1');
  const seen = values.map((plants) => plants.map(({ key, record }) => [key, record.nickname]));
  expect(new Set(seen.map((plants) => JSON.stringify(plants)))).toEqual(
    new Set([JSON.stringify([['local-1', 'New']])]),
  );
});

test('a plant comes with its rejected ops', async () => {
  const db = freshDb();
  await db.plants.add(plantRow());
  await db.outbox.add(opRow({ ...sentOnce, state: 'rejected', edits: { nickname: 'B' } }));
  const [plant] = await readPlants(db);
  expect(plant).toMatchObject({ record: { nickname: 'B' }, waiting: [], rejected: [{ seq: 1 }] });
});

test('plants are listed in the order in which they were added, not by id', async () => {
  const db = freshDb();
  await db.plants.bulkAdd([
    plantRow(plantRecord({ id: 10, nickname: 'First', date_added: '2026-01-01T00:00:00Z' })),
    plantRow(plantRecord({ id: 9, nickname: 'Second', date_added: '2026-02-01T00:00:00Z' })),
  ]);
  const names = (await readPlants(db)).map(({ record }) => record.nickname);
  expect(names).toEqual(['First', 'Second']);
});

test('one plant is emitted with its pending changes, and null after its deletion', async () => {
  const db = freshDb();
  const values = listenTo(watchPlant(db, 'p1'));
  await expect.poll(() => values).toEqual([null]);
  await db.plants.put(plantRow(plantRecord({ nickname: 'Monty' })));
  await expect.poll(() => values.at(-1)?.record.nickname).toBe('Monty');
  await addWatering(db, 'p1', now);
  await expect.poll(() => values.at(-1)?.waiting).toHaveLength(1);
  expect(values.at(-1)?.record.last_watered).toBe(new Date(now).toISOString());
  await db.outbox.clear();
  await db.plants.delete('p1');
  await expect.poll(() => values.at(-1)).toBeNull();
});

test('a change of another plant emits nothing', async () => {
  const db = freshDb();
  await db.plants.put(plantRow());
  const values = listenTo(watchPlant(db, 'p1'));
  await expect.poll(() => values).toHaveLength(1);
  await db.plants.put(plantRow(plantRecord({ id: 'p2' })));
  await addWatering(db, 'p2', now);
  await db.plants.put(plantRow(plantRecord({ nickname: 'Again' }), 2));
  await expect.poll(() => values.at(-1)?.record.nickname).toBe('Again');
  expect(values).toHaveLength(2);
});

test('a plant made on this device keeps its local id, whichever id a link contains', async () => {
  const db = freshDb();
  await db.outbox.add(
    opRow({ entity: 'local-1', type: 'create', edits: { nickname: 'New', watering_frequency: 3 } }),
  );
  const byLocal = listenTo(watchPlant(db, 'local-1'));
  await expect.poll(() => byLocal.at(-1)).toMatchObject({ key: 'local-1' });
  await db.transaction('rw', db.plants, db.outbox, db.idmap, async () => {
    await db.outbox.clear();
    await db.plants.put(plantRow(plantRecord({ id: 'p9', nickname: 'New' })));
    await db.idmap.add({ localId: 'local-1', serverId: 'p9' });
  });
  await expect.poll(() => byLocal.at(-1)?.record.id).toBe('p9');
  expect(byLocal.at(-1)?.key).toBe('local-1');
  const byServer = listenTo(watchPlant(db, 'p9'));
  await expect.poll(() => byServer.at(-1)?.key).toBe('local-1');
});
