import { expect, test } from 'vitest';
import {
  idsOfPlant,
  mappedServerIds,
  plantRowOf,
  screenIdLookup,
  serverIdLookup,
  serverIdOf,
} from '#client/store/ids.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { plantRecord, plantRow } from '../../support/device/device-rows.ts';
import { freshDb } from '../../support/device/fresh-db.ts';

/** s1 was made on this device as local-1, p1 was not. */
async function dbWithBoth(): Promise<DeviceDb> {
  const db = freshDb();
  await db.idmap.put({ localId: 'local-1', serverId: 's1' });
  await db.plants.bulkPut([plantRow(), plantRow(plantRecord({ id: 's1' }))]);
  return db;
}

test('a known local id is mapped to its server id, and any other id to itself', async () => {
  const db = await dbWithBoth();
  const lookup = serverIdLookup(await db.idmap.toArray());
  for (const [id, serverId] of [
    ['local-1', 's1'],
    ['s1', 's1'],
    ['p1', 'p1'],
    ['local-2', 'local-2'],
  ] as const) {
    expect(await serverIdOf(db, id)).toBe(serverId);
    expect(lookup(id)).toBe(serverId);
  }
});

test('screens keep the local id of a plant made on this device', async () => {
  const db = await dbWithBoth();
  const lookup = screenIdLookup(await db.idmap.toArray());
  expect(['local-1', 's1', 'p1', 'local-2'].map(lookup)).toEqual([
    'local-1',
    'local-1',
    'p1',
    'local-2',
  ]);
});

test('both ids of a plant are found by either of them', async () => {
  const db = await dbWithBoth();
  expect((await idsOfPlant(db, 'local-1')).sort()).toEqual(['local-1', 's1']);
  expect((await idsOfPlant(db, 's1')).sort()).toEqual(['local-1', 's1']);
  expect(await idsOfPlant(db, 'p1')).toEqual(['p1']);
});

test('the row of a plant is found by either of its ids', async () => {
  const db = await dbWithBoth();
  expect((await plantRowOf(db, 'local-1'))?.id).toBe('s1');
  expect((await plantRowOf(db, 's1'))?.id).toBe('s1');
  expect((await plantRowOf(db, 'p1'))?.id).toBe('p1');
  expect(await plantRowOf(db, 'local-2')).toBeUndefined();
});

test('only the server ids of plants made on this device are listed as mapped', async () => {
  expect(await mappedServerIds(await dbWithBoth())).toEqual(new Set(['s1']));
});
