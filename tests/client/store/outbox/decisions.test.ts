import { expect, test } from 'vitest';
import {
  discardOp,
  dismissNotice,
  markArrived,
  retryOp,
  sendAgain,
} from '#client/store/outbox/decisions.ts';
import type { Op } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { opRow, plantRecord, plantRow, sentOnce } from '../../../support/device-rows.ts';
import { plantPayload } from '../../../support/factories.ts';
import { freshDb } from '../../../support/fresh-db.ts';

const refused = {
  ...sentOnce,
  opId: 'mine',
  state: 'parked',
  attempts: 3,
  nextAt: 9,
  lastError: { message: 'Too long', status: 422 },
  isNoticed: true,
} as const satisfies Partial<Op>;
const doubtful = { ...sentOnce, opId: 'mine', state: 'doubtful', isNoticed: true } as const;

async function dbWith(...ops: Partial<Op>[]): Promise<DeviceDb> {
  const db = freshDb();
  await db.outbox.bulkAdd(ops.map((op, i) => opRow({ seq: i + 1, ...op })));
  return db;
}

const opIds = async (db: DeviceDb) => (await db.outbox.toArray()).map(({ opId }) => opId);

test('a refused change is sent once more under its key, as it is now best told', async () => {
  const db = await dbWith(refused);
  expect(await retryOp(db, 'mine')).toBe(true);
  expect(await db.outbox.toArray()).toEqual([
    {
      ...opRow({ ...refused }),
      state: 'queued',
      request: null,
      nextAt: 0,
      lastError: null,
      isNoticed: false,
    },
  ]);
});

test('a doubtful change is sent once more as if it had never been, under a new key', async () => {
  const db = await dbWith(doubtful);
  expect(await sendAgain(db, 'mine')).toBe(true);
  expect(await db.outbox.toArray()).toMatchObject([
    { opId: expect.not.stringMatching('mine'), state: 'queued', request: null, isNoticed: false },
  ]);
});

test.each([retryOp, sendAgain, discardOp, markArrived])(
  '%o asks the engine for a round, and only for a change that waits for the person',
  async (decide) => {
    const state = decide === retryOp || decide === discardOp ? 'parked' : 'doubtful';
    const db = await dbWith(
      { ...sentOnce, opId: 'other', state: 'inflight' },
      { ...refused, state },
    );
    expect(await decide(db, 'other')).toBe(false);
    expect(await decide(db, 'gone')).toBe(false);
    expect(await db.syncState.count()).toBe(0);
    expect(await decide(db, 'mine')).toBe(true);
    expect(await db.syncState.get('request')).toBeDefined();
  },
);

test('a discarded change is gone, and nothing else', async () => {
  const db = await dbWith({ opId: 'before', kind: 'water' }, refused, { opId: 'after' });
  expect(await discardOp(db, 'mine')).toBe(true);
  expect(await opIds(db)).toEqual(['before', 'after']);
});

test('a discarded plant takes along what waits for it', async () => {
  const local = { entity: 'local-1' };
  const db = await dbWith(
    { ...local, ...refused, kind: 'create' },
    { ...local, opId: 'water', kind: 'water' },
    { opId: 'other' },
  );
  expect(await discardOp(db, 'mine')).toBe(true);
  expect(await opIds(db)).toEqual(['other']);
});

test('a change that arrived waits no longer', async () => {
  const db = await dbWith(doubtful, { opId: 'other' });
  expect(await markArrived(db, 'mine')).toBe(true);
  expect(await opIds(db)).toEqual(['other']);
});

test('a plant that arrived is known by its fields, so that what waits for it finds it', async () => {
  const create = { ...doubtful, entity: 'local-1', kind: 'create', edits: plantPayload() } as const;
  const db = await dbWith(create, { opId: 'water', entity: 'local-1', kind: 'water' });
  await db.plants.bulkAdd([plantRow(), plantRow(plantRecord({ id: 'p2', nickname: 'Moss' }))]);
  await markArrived(db, 'mine');
  expect(await db.idmap.toArray()).toEqual([{ localId: 'local-1', serverId: 'p1' }]);
  expect(await opIds(db)).toEqual(['water']);
});

test.each([
  ['two plants look like it', [plantRow(), plantRow(plantRecord({ id: 'p2' }))], []],
  ['it is another local plant’s', [plantRow()], [{ localId: 'local-0', serverId: 'p1' }]],
])('no plant is claimed when %s', async (_, rows, known) => {
  const db = await dbWith({
    ...doubtful,
    entity: 'local-1',
    kind: 'create',
    edits: plantPayload(),
  });
  await db.plants.bulkAdd(rows);
  await db.idmap.bulkAdd(known);
  await markArrived(db, 'mine');
  expect(await db.idmap.toArray()).toEqual(known);
});

test('a notice that was put away leaves the change in the list', async () => {
  const db = await dbWith({ ...refused, isNoticed: false }, { opId: 'other', isNoticed: false });
  await dismissNotice(db, 'mine');
  expect(await db.outbox.toArray()).toMatchObject([
    { opId: 'mine', state: 'parked', isNoticed: true },
    { opId: 'other', isNoticed: false },
  ]);
});
