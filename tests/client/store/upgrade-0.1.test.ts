import { Dexie } from 'dexie';
import { expect, onTestFinished, test } from 'vitest';
import { openDeviceDb } from '#client/store/database.ts';
import { readPlants } from '#client/store/plants.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { readStatus } from '#client/store/sync-status.ts';
import { createBatchSize } from '#client/sync/push/batch-size.ts';
import { recoverInflight } from '#client/sync/push/claim.ts';
import { push } from '#client/sync/push/push.ts';
import device from './support/device-0.1.json' with { type: 'json' };
import { createPlantsServer } from './support/plants-server.ts';

/**
 * Written by version 0.1: a database with ops of every type and state, and the requests that 0.1 then sent to the
 * server of plants-server.ts. For the op in the state `doubtful` they contain the request that 0.1 had sent before the
 * database was saved.
 */
const { tables, sends, writtenAt } = device;

/** The tables as version 0.1 declared them. */
const stores = {
  plants: 'id',
  outbox: '++seq, &opId, entity, state',
  idmap: 'localId, serverId',
  latest: 'plantId',
  readings: 'plantId',
  syncState: 'id',
  conflicts: 'id, at',
  meta: 'id',
};

async function upgradedDb(): Promise<DeviceDb> {
  const old = new Dexie(`test-${crypto.randomUUID()}`);
  old.version(3).stores(stores);
  for (const [name, rows] of Object.entries(tables)) await old.table(name).bulkAdd(rows);
  old.close();
  const db = openDeviceDb(old.name);
  onTestFinished(() => db.delete());
  return db;
}

test('the outbox of 0.1 contains every type and every state of an op', () => {
  const valuesOf = (name: 'kind' | 'state') => [...new Set(tables.outbox.map((op) => op[name]))];
  expect(valuesOf('kind').sort()).toEqual(['create', 'delete', 'update', 'water']);
  expect(valuesOf('state').sort()).toEqual([
    'doubtful',
    'inflight',
    'parked',
    'queued',
    'uncertain',
  ]);
});

test('no op of 0.1 is lost, and each keeps its place, key, frozen request and last error', async () => {
  const db = await upgradedDb();
  const newStates: Record<string, string> = { parked: 'rejected', doubtful: 'uncertain' };
  const expected = tables.outbox.map(({ kind, state, ...op }) => {
    const nextAt = state === 'doubtful' ? 0 : op.nextAt;
    return { ...op, v: 3, type: kind, state: newStates[state] ?? state, nextAt };
  });
  expect(await db.outbox.orderBy('seq').toArray()).toEqual(expected);
});

test('plants, readings, local ids, conflicts and sync state of 0.1 are kept', async () => {
  const db = await upgradedDb();
  for (const name of ['plants', 'latest', 'readings', 'idmap', 'conflicts'] as const) {
    expect(await db.table(name).toArray()).toEqual(tables[name]);
  }
  const kept = tables.meta.filter(({ id }) => id !== 'key-support');
  expect(await db.meta.toArray()).toEqual(kept);
  const status = tables.syncState.find(({ id }) => id === 'status');
  expect(await readStatus(db)).toMatchObject({
    id: 'status',
    connectivity: status?.reach,
    pulledAt: status?.pulledAt,
    pullError: status?.pullError,
  });
  const others = tables.syncState.filter(({ id }) => id !== 'status');
  expect(await db.syncState.where('id').notEqual('status').toArray()).toEqual(others);
});

test('the requests that 0.1 would have sent are sent with the same bytes and keys, in the order of the changes; waiting creates and edits also have their time', async () => {
  const db = await upgradedDb();
  const server = createPlantsServer(tables.plants.map(({ record }) => record));
  const context = {
    db,
    fetch: server.fetch,
    token: 'aaa.bbb.ccc',
    now: () => writtenAt + 100_000,
    random: () => 0,
    isOnline: () => true,
    batchSize: createBatchSize(),
    signal: new AbortController().signal,
  };
  await recoverInflight(context);
  await push(context);
  // Version 0.1 could send ops of other plants before an edit that it was still preparing. The keys increase in the order
  // of the changes.
  const inOrder = [...sends].sort((a, b) => (String(a.key) < String(b.key) ? -1 : 1));
  const times: Record<string, string> = { create: 'added_at', update: 'edited_at' };
  const withTime = (request: (typeof inOrder)[number]) => {
    const op = tables.outbox.find(({ opId }) => request.key === `"${opId}"`);
    const name = op?.state === 'queued' ? times[op.kind] : undefined;
    if (!op || name === undefined) return request;
    const query = new URLSearchParams({ [name]: new Date(op.occurredAt).toISOString() });
    return { ...request, path: `${request.path}?${query}` };
  };
  expect(server.sent).toEqual(inOrder.map(withTime));
  const left = await db.outbox.orderBy('seq').toArray();
  expect(left.map(({ type, state }) => `${type} ${state}`)).toEqual([
    'update rejected',
    'water rejected',
    'create rejected',
    'water queued',
  ]);
});

test('screens show the same plants after the upgrade, with waiting and rejected changes', async () => {
  const plants = await readPlants(await upgradedDb());
  const summary = plants.map(({ record, waiting, rejected }) => [
    record.nickname,
    waiting.length,
    rejected.length,
  ]);
  expect(summary.sort()).toEqual([
    ['Here', 2, 0],
    ['Made here', 2, 0],
    ['Plant s1', 1, 0],
    ['Plant s3', 0, 1],
    ['Plant s4', 0, 1],
    ['Plant s6', 1, 0],
    ['Refused', 1, 1],
    ['Renamed', 3, 0],
    ['Uncertain edit', 1, 0],
  ]);
});
