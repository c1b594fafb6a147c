import { expect, test, vi } from 'vitest';
import { addWatering, watchWaterings } from '#client/store/outbox/waterings.ts';
import { opRow, plantRecord, plantRow } from '../../../support/device-rows.ts';
import { freshDb, listenTo } from '../../../support/fresh-db.ts';

const lastWatered = '2026-11-20T02:00:00.000Z';
const known = Date.parse(lastWatered);
const now = Date.parse('2026-11-20T08:00:00Z');

test('the last watering and the waiting ones are known, oldest first', async () => {
  const db = freshDb();
  await db.plants.put(plantRow(plantRecord({ last_watered: lastWatered })));
  const values = listenTo(watchWaterings(db, 'p1'));
  await vi.waitFor(() => expect(values).toEqual([[known]]));
  await addWatering(db, 'p1', now);
  await vi.waitFor(() => expect(values.at(-1)).toEqual([known, now]));
});

test('rejected waterings and edits are not listed, and a plant may have no waterings', async () => {
  const db = freshDb();
  await db.plants.put(plantRow(plantRecord({ last_watered: null })));
  await db.outbox.bulkAdd([
    opRow({ type: 'water', state: 'rejected', occurredAt: now }),
    opRow({ seq: 2, type: 'update', occurredAt: now }),
  ]);
  const values = listenTo(watchWaterings(db, 'p1'));
  await vi.waitFor(() => expect(values).toEqual([[]]));
});

test('a plant made on this device has them under its local id too', async () => {
  const db = freshDb();
  await db.idmap.add({ localId: 'local-1', serverId: 'p1' });
  await db.plants.put(plantRow(plantRecord({ last_watered: lastWatered })));
  await addWatering(db, 'local-1', now);
  const values = listenTo(watchWaterings(db, 'local-1'));
  await vi.waitFor(() => expect(values).toEqual([[known, now]]));
});
