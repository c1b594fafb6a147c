import { expect, test } from 'vitest';
import { type Change, type ChangeList, watchChanges } from '#client/store/outbox/changes.ts';
import type { Op } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { opRow, plantRecord, plantRow, sentOnce } from '../../../support/device/device-rows.ts';
import { freshDb, listenTo } from '../../../support/device/fresh-db.ts';
import { plantPayload } from '../../../support/factories.ts';

async function listOf(db: DeviceDb): Promise<ChangeList> {
  const results = listenTo(watchChanges(db));
  await expect.poll(() => results.at(-1)).toBeDefined();
  const list = results.at(-1);
  if (!list) throw new Error('No list');
  return list;
}

async function changesOf(ops: Partial<Op>[], rows = [plantRow()]): Promise<Change[]> {
  const db = freshDb();
  await db.plants.bulkAdd(rows);
  await db.outbox.bulkAdd(ops.map((op, i) => opRow({ seq: i + 1, ...op })));
  return (await listOf(db)).changes;
}

const rejection = { ...sentOnce, state: 'rejected' } as const;

test('changes are listed in the order in which they were made, with the plant names that the screens show', async () => {
  const changes = await changesOf([
    { type: 'water', occurredAt: 7 },
    { edits: { nickname: 'Fernando' }, base: { nickname: 'Fern' } },
    { entity: 'local-1', type: 'create', edits: plantPayload({ nickname: 'Newcomer' }) },
  ]);
  expect(changes).toMatchObject([
    { type: 'water', nickname: 'Fernando', plantKey: 'p1', occurredAt: 7, state: 'waiting' },
    { type: 'update', nickname: 'Fernando', edits: { nickname: 'Fernando' } },
    { type: 'create', nickname: 'Newcomer', plantKey: 'local-1' },
  ]);
});

test('a waiting delete is listed with the name of its plant', async () => {
  expect(await changesOf([{ type: 'delete' }])).toMatchObject([
    { type: 'delete', nickname: 'Fern', state: 'waiting' },
  ]);
});

test('a plant made on this device is listed by its local id even after the server has given it another id', async () => {
  const db = freshDb();
  await db.plants.add(plantRow());
  await db.idmap.add({ localId: 'local-1', serverId: 'p1' });
  await db.outbox.add(opRow({ type: 'water' }));
  expect((await listOf(db)).changes).toMatchObject([{ plantKey: 'local-1', nickname: 'Fern' }]);
});

test.each<[what: string, op: Partial<Op>, waitsFor: Change['waitsFor']]>([
  ['its turn', {}, 'turn'],
  ['a response', { ...sentOnce, state: 'inflight' }, 'response'],
  ['the next try', { ...sentOnce, state: 'uncertain', nextAt: 9 }, 'retry'],
  ['the next try, never having been sent', { attempts: 2, nextAt: 9 }, 'retry'],
])('a waiting change says that it waits for %s', async (_, op, waitsFor) => {
  expect(await changesOf([op])).toMatchObject([{ state: 'waiting', waitsFor }]);
});

test.each<[what: string, first: Partial<Op>, waitsFor: Change['waitsFor']]>([
  ['an earlier one of its plant', { nextAt: 9, attempts: 1 }, 'plant'],
  ['a plant that could not be made', { ...rejection, type: 'create' }, 'plant'],
  ['its turn, not for a rejected watering', { ...rejection, type: 'water' }, 'turn'],
  ['its turn, not for another plant', { entity: 'p2', nextAt: 9 }, 'turn'],
])('a change waits for %s', async (_, first, waitsFor) => {
  const [, second] = await changesOf([first, { type: 'water' }]);
  expect(second).toMatchObject({ waitsFor });
});

test('a rejected change shows the message of the server and how many changes depend on it', async () => {
  const lastError = { message: 'nickname: too long', status: 422 };
  const [create, water] = await changesOf([
    { ...rejection, entity: 'local-1', type: 'create', edits: plantPayload(), lastError },
    { entity: 'local-1', type: 'water' },
  ]);
  expect(create).toMatchObject({ state: 'rejected', message: lastError.message, dependents: 1 });
  expect(water).toMatchObject({ state: 'waiting', dependents: 0 });
});

test.each<
  [what: string, op: Partial<Op>, rows: ReturnType<typeof plantRow>[], state: Change['state']]
>([
  [
    'an edit of a deleted plant',
    { lastError: { message: 'No', status: 404 } },
    [plantRow()],
    'gone',
  ],
  [
    'a watering of a deleted plant',
    { type: 'water', lastError: { message: 'No', status: 410 } },
    [],
    'gone',
  ],
  ['an edit rejected by a pull', { lastError: null }, [], 'gone'],
  [
    'an edit that was rejected',
    { lastError: { message: 'No', status: 422 } },
    [plantRow()],
    'rejected',
  ],
  [
    'an edit of a deleted entry',
    { type: 'edit_entry', lastError: { message: 'No', status: 404 } },
    [plantRow()],
    'entry-gone',
  ],
  [
    'an edit of an entry of a deleted plant',
    { type: 'edit_entry', lastError: { message: 'No', status: 404 } },
    [],
    'gone',
  ],
  [
    'a new entry of a deleted plant',
    { type: 'add_entry', lastError: { message: 'No', status: 404 } },
    [plantRow()],
    'gone',
  ],
  [
    'an entry that may not be changed',
    { type: 'edit_entry', lastError: { message: 'No', status: 403 } },
    [plantRow()],
    'rejected',
  ],
  ['a rejected plant itself', { type: 'create', lastError: null }, [], 'rejected'],
])(
  'a rejected change is listed as rejected, gone or entry-gone, depending on its type, error and plant: %s',
  async (_, op, rows, state) => {
    expect(await changesOf([{ ...rejection, ...op }], rows)).toMatchObject([{ state }]);
  },
);

test('a deleted plant is listed by its last known name', async () => {
  const base = { nickname: 'Fern' };
  expect(await changesOf([{ ...rejection, type: 'water', base }], [])).toMatchObject([
    { state: 'gone', nickname: 'Fern' },
  ]);
});

test('overwritten fields are listed newest first, each with its plant', async () => {
  const db = freshDb();
  await db.plants.add(plantRow(plantRecord({ nickname: 'Fern' })));
  const fields = { mine: { location: 'Hall' }, theirs: { location: 'Attic' } };
  await db.conflicts.bulkAdd([
    { id: 'a:location', entity: 'p1', at: 1, ...fields },
    { id: 'b:location', entity: 'p1', at: 2, ...fields },
  ]);
  expect((await listOf(db)).conflicts).toEqual([
    { id: 'b:location', plantKey: 'p1', nickname: 'Fern', at: 2, ...fields },
    { id: 'a:location', plantKey: 'p1', nickname: 'Fern', at: 1, ...fields },
  ]);
});

test('a watering in flight is not shown as waiting for an earlier edit that was retried', async () => {
  const [edit, water] = await changesOf([
    { ...sentOnce, seq: 1, state: 'queued', request: null },
    { ...sentOnce, seq: 2, type: 'water', state: 'inflight' },
  ]);
  expect(edit).toMatchObject({ waitsFor: 'retry' });
  expect(water).toMatchObject({ waitsFor: 'response' });
});
