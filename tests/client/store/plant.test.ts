import { expect, test, vi } from 'vitest';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { watchPlant } from '#client/store/plant.ts';
import { opRow, plantRecord, plantRow } from '../../support/device-rows.ts';
import { freshDb, listenTo } from '../../support/fresh-db.ts';

const now = Date.parse('2026-11-20T08:00:00Z');

test('one plant is heard with what waits for it, and with its end', async () => {
  const db = freshDb();
  const heard = listenTo(watchPlant(db, 'p1'));
  await vi.waitFor(() => expect(heard).toEqual([null]));
  await db.plants.put(plantRow(plantRecord({ nickname: 'Monty' })));
  await vi.waitFor(() => expect(heard.at(-1)?.record.nickname).toBe('Monty'));
  await addWatering(db, 'p1', now);
  await vi.waitFor(() => expect(heard.at(-1)?.waiting).toHaveLength(1));
  expect(heard.at(-1)?.record.last_watered).toBe(new Date(now).toISOString());
  await db.outbox.clear();
  await db.plants.delete('p1');
  await vi.waitFor(() => expect(heard.at(-1)).toBeNull());
});

test('nothing of another plant wakes it', async () => {
  const db = freshDb();
  await db.plants.put(plantRow());
  const heard = listenTo(watchPlant(db, 'p1'));
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  await db.plants.put(plantRow(plantRecord({ id: 'p2' })));
  await addWatering(db, 'p2', now);
  await db.plants.put(plantRow(plantRecord({ nickname: 'Again' }), 2));
  await vi.waitFor(() => expect(heard.at(-1)?.record.nickname).toBe('Again'));
  expect(heard).toHaveLength(2);
});

test('a plant made on this device keeps its id, whichever name a link has for it', async () => {
  const db = freshDb();
  await db.outbox.add(
    opRow({ entity: 'local-1', type: 'create', edits: { nickname: 'New', watering_frequency: 3 } }),
  );
  const byLocal = listenTo(watchPlant(db, 'local-1'));
  await vi.waitFor(() => expect(byLocal.at(-1)).toMatchObject({ key: 'local-1' }));
  await db.transaction('rw', db.plants, db.outbox, db.idmap, async () => {
    await db.outbox.clear();
    await db.plants.put(plantRow(plantRecord({ id: 'p9', nickname: 'New' })));
    await db.idmap.add({ localId: 'local-1', serverId: 'p9' });
  });
  await vi.waitFor(() => expect(byLocal.at(-1)?.record.id).toBe('p9'));
  expect(byLocal.at(-1)?.key).toBe('local-1');
  const byServer = listenTo(watchPlant(db, 'p9'));
  await vi.waitFor(() => expect(byServer.at(-1)?.key).toBe('local-1'));
});
