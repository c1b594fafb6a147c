import { Dexie } from 'dexie';
import { expect, test } from 'vitest';
import { deleteDeviceDb, openDeviceDb } from '#client/store/database.ts';
import { countPending, isSending, whenOutboxEmpty } from '#client/store/outbox/outbox.ts';
import { opRow, plantRow, sentOnce } from '../../../support/device/device-rows.ts';
import { freshDb } from '../../../support/device/fresh-db.ts';

test('rejected changes are counted as unsynced, since the server does not have them', async () => {
  const db = freshDb();
  await db.outbox.bulkAdd([opRow({ seq: 1 }), opRow({ seq: 2, state: 'rejected' })]);
  expect(await countPending(db)).toBe(2);
});

test('the wait for an empty outbox ends once it is empty', async () => {
  const db = freshDb();
  await whenOutboxEmpty(db, 100_000);
  await db.outbox.add(opRow());
  const sent = whenOutboxEmpty(db, 100_000).then(() => countPending(db));
  await db.outbox.clear();
  expect(await sent).toBe(0);
});

test('the wait for an empty outbox ends after the time limit', async () => {
  const db = freshDb();
  await db.outbox.add(opRow());
  await whenOutboxEmpty(db, 20);
  expect(await countPending(db)).toBe(1);
});

test('deleteDeviceDb deletes the database of the account with all its data', async () => {
  const db = freshDb();
  await db.plants.add(plantRow());
  await db.outbox.add(opRow());
  await deleteDeviceDb(db);
  expect(await Dexie.exists(db.name)).toBe(false);
  const again = openDeviceDb(db.name);
  for (const table of again.tables) expect(await table.count()).toBe(0);
  await again.delete();
});

test('only an op in flight counts as being sent', async () => {
  const db = freshDb();
  expect(await isSending(db)).toBe(false);
  await db.outbox.bulkAdd([
    opRow({ seq: 1 }),
    opRow({ ...sentOnce, seq: 2, opId: 'uncertain', state: 'uncertain' }),
    opRow({ ...sentOnce, seq: 3, opId: 'rejected', state: 'rejected' }),
  ]);
  expect(await isSending(db)).toBe(false);
  await db.outbox.update(1, { state: 'inflight' });
  expect(await isSending(db)).toBe(true);
});
