import { expect, test } from 'vitest';
import { discardOp, dismissNotice, retryOp } from '#client/store/outbox/decisions.ts';
import type { Op } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { opRow, sentOnce } from '../../../support/device/device-rows.ts';
import { freshDb } from '../../../support/device/fresh-db.ts';

const rejected = {
  ...sentOnce,
  opId: 'mine',
  state: 'rejected',
  attempts: 3,
  nextAt: 9,
  lastError: { message: 'Too long', status: 422 },
  isNoticed: true,
} as const satisfies Partial<Op>;

async function dbWith(...ops: Partial<Op>[]): Promise<DeviceDb> {
  const db = freshDb();
  await db.outbox.bulkAdd(ops.map((op, i) => opRow({ seq: i + 1, ...op })));
  return db;
}

const opIds = async (db: DeviceDb) => (await db.outbox.toArray()).map(({ opId }) => opId);

test('a retried op is queued again with the same key and without its frozen request', async () => {
  const db = await dbWith(rejected);
  expect(await retryOp(db, 'mine')).toBe(true);
  expect(await db.outbox.toArray()).toEqual([
    {
      ...opRow({ ...rejected }),
      state: 'queued',
      request: null,
      nextAt: 0,
      lastError: null,
      isNoticed: false,
    },
  ]);
});

test.each([retryOp, discardOp])(
  '%o requests a sync, and does so only for a rejected op',
  async (decide) => {
    const db = await dbWith({ ...sentOnce, opId: 'other', state: 'inflight' }, rejected);
    expect(await decide(db, 'other')).toBe(false);
    expect(await decide(db, 'gone')).toBe(false);
    expect(await db.syncState.count()).toBe(0);
    expect(await decide(db, 'mine')).toBe(true);
    expect(await db.syncState.get('request')).toBeDefined();
  },
);

test('discarding an op that is not a create deletes it and no other op', async () => {
  const db = await dbWith({ opId: 'before', type: 'water' }, rejected, { opId: 'after' });
  expect(await discardOp(db, 'mine')).toBe(true);
  expect(await opIds(db)).toEqual(['before', 'after']);
});

test('discarding a create deletes all ops of its plant', async () => {
  const local = { entity: 'local-1' };
  const db = await dbWith(
    { ...local, ...rejected, type: 'create' },
    { ...local, opId: 'water', type: 'water' },
    { opId: 'other' },
  );
  expect(await discardOp(db, 'mine')).toBe(true);
  expect(await opIds(db)).toEqual(['other']);
});

test('a dismissed notice leaves the change in the list', async () => {
  const db = await dbWith({ ...rejected, isNoticed: false }, { opId: 'other', isNoticed: false });
  await dismissNotice(db, 'mine');
  expect(await db.outbox.toArray()).toMatchObject([
    { opId: 'mine', state: 'rejected', isNoticed: true },
    { opId: 'other', isNoticed: false },
  ]);
});
