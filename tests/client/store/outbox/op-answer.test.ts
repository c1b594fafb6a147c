import { expect, test } from 'vitest';
import type { Op } from '#client/store/outbox/op.ts';
import { isAwaitingAnswer, type OpAnswer, waitForAnswer } from '#client/store/outbox/op-answer.ts';
import type { Connectivity, DeviceDb } from '#client/store/schema.ts';
import { initialStatus } from '#client/store/sync-status.ts';
import { opRow, sentOnce } from '../../../support/device/device-rows.ts';
import { freshDb } from '../../../support/device/fresh-db.ts';

/** Longer than a test's time limit. */
const forever = 100_000;
const queued = opRow({ opId: 'mine', seq: 5 });
const inflight: Op = { ...queued, ...sentOnce, state: 'inflight' };

async function dbWith(...ops: Op[]): Promise<DeviceDb> {
  const db = freshDb();
  await db.outbox.bulkAdd(ops);
  return db;
}

test('an op that is no longer in the outbox is done', async () => {
  const db = await dbWith();
  expect(await waitForAnswer(db, 'mine', forever)).toEqual({ type: 'done' });
});

test.each<[what: string, op: Partial<Op>, OpAnswer]>([
  [
    'a rejected op has the message of the server',
    { ...sentOnce, state: 'rejected', lastError: { message: 'No water today', status: 422 } },
    { type: 'failed', message: 'No water today', isGone: false },
  ],
  [
    'a rejected op whose plant the server no longer has is reported as gone',
    { ...sentOnce, state: 'rejected', lastError: { message: 'Plant not found', status: 404 } },
    { type: 'failed', message: 'Plant not found', isGone: true },
  ],
  [
    'an op with a server error is reported as failed, with the message',
    { ...sentOnce, state: 'uncertain', nextAt: 9, lastError: { message: 'Oops', status: 500 } },
    { type: 'failed', message: 'Oops', isGone: false },
  ],
  [
    'an op without a response is reported as waiting',
    { ...sentOnce, state: 'uncertain', nextAt: 9, lastError: { message: 'x', status: null } },
    { type: 'waiting' },
  ],
  [
    'an op of unknown outcome is reported as waiting',
    { ...sentOnce, state: 'uncertain' },
    { type: 'waiting' },
  ],
  ['an op in backoff is reported as waiting', { nextAt: 9, attempts: 1 }, { type: 'waiting' }],
  [
    'an op being sent for the second time is reported as waiting',
    { ...sentOnce, state: 'inflight', attempts: 2, lastError: { message: 'Oops', status: 500 } },
    { type: 'waiting' },
  ],
])('%s, at once', async (_, op, outcome) => {
  const db = await dbWith({ ...queued, ...op });
  expect(await waitForAnswer(db, 'mine', forever)).toEqual(outcome);
});

test.each<[Connectivity]>([['offline'], ['unreachable']])(
  'with the connectivity %s the op is reported as waiting',
  async (connectivity) => {
    const db = await dbWith(queued);
    await db.syncState.put({ ...initialStatus, connectivity });
    expect(await waitForAnswer(db, 'mine', forever)).toEqual({ type: 'waiting' });
  },
);

test('an op behind an earlier op of its plant is reported as waiting', async () => {
  const db = await dbWith({ ...inflight, seq: 1, opId: 'earlier' }, queued);
  expect(await waitForAnswer(db, 'mine', forever)).toEqual({ type: 'waiting' });
});

test('an op behind an earlier one of its plant is reported as waiting, even if one has the local id of the plant and the other its server id', async () => {
  const db = await dbWith({ ...inflight, seq: 1, opId: 'earlier', entity: 'local-1' }, queued);
  await db.idmap.add({ localId: 'local-1', serverId: 'p1' });
  expect(await waitForAnswer(db, 'mine', forever)).toEqual({ type: 'waiting' });
});

test.each<[what: string, other: Partial<Op>]>([
  ['a later op', { seq: 9 }],
  ['an op of another plant', { seq: 1, entity: 'p2' }],
  ['a rejected op', { seq: 1, state: 'rejected' }],
])('%s does not block an op', async (_, other) => {
  const db = await dbWith({ ...inflight, opId: 'other', ...other }, queued);
  const outcome = waitForAnswer(db, 'mine', forever);
  await expectOpen(db, outcome);
  await db.outbox.delete(queued.seq);
  expect(await outcome).toEqual({ type: 'done' });
});

test('an op behind a rejected create is reported as waiting', async () => {
  const create = opRow({ ...sentOnce, seq: 1, opId: 'c', type: 'create', state: 'rejected' });
  const db = await dbWith(create, queued);
  expect(await waitForAnswer(db, 'mine', forever)).toEqual({ type: 'waiting' });
});

test.each<Connectivity>(['online', 'unknown'])(
  'with the connectivity %s the wait lasts until the first answer',
  async (connectivity) => {
    const db = await dbWith(queued);
    await db.syncState.put({ ...initialStatus, connectivity });
    const outcome = waitForAnswer(db, 'mine', forever);
    await expectOpen(db, outcome);
    await db.outbox.put(inflight);
    await expectOpen(db, outcome);
    await db.outbox.put({
      ...inflight,
      state: 'rejected',
      lastError: { message: 'No water today', status: 422 },
    });
    expect(await outcome).toEqual({ type: 'failed', message: 'No water today', isGone: false });
  },
);

test('the wait ends when the op is confirmed', async () => {
  const db = await dbWith(queued);
  const outcome = waitForAnswer(db, 'mine', forever);
  await db.outbox.put(inflight);
  await expectOpen(db, outcome);
  await db.outbox.delete(inflight.seq);
  expect(await outcome).toEqual({ type: 'done' });
});

test('after the time limit the op is reported as waiting', async () => {
  const db = await dbWith(inflight);
  expect(await waitForAnswer(db, 'mine', 20)).toEqual({ type: 'waiting' });
});

test('if the database closes, the op is reported as waiting', async () => {
  const db = await dbWith(queued);
  db.close();
  expect(await waitForAnswer(db, 'mine', 20)).toEqual({ type: 'waiting' });
});

test.each<[what: string, op: Partial<Op>, connectivity: Connectivity, isAwaiting: boolean]>([
  ['a queued op', {}, 'online', true],
  ['an op on its first attempt', inflight, 'online', true],
  ['before the first request of this page, a queued op', {}, 'unknown', true],
  ['offline, a queued op', {}, 'offline', false],
  ['with the server unreachable, an op being sent', inflight, 'unreachable', false],
  ['an op in backoff', { nextAt: 9 }, 'online', false],
  ['an op on a later attempt', { ...inflight, attempts: 2 }, 'online', false],
  ['an op with an unknown result', { ...sentOnce, state: 'uncertain' }, 'online', false],
  ['a rejected op', { ...sentOnce, state: 'rejected' }, 'online', false],
  ['an op that can be undone first', { undoUntil: 9 }, 'online', false],
])('whether an answer is expected soon: %s', (_, op, connectivity, isAwaiting) => {
  expect(isAwaitingAnswer({ ...queued, ...op }, connectivity)).toBe(isAwaiting);
});

/** Expects that the wait has not ended when one that starts now has ended. */
async function expectOpen(db: DeviceDb, outcome: Promise<OpAnswer>): Promise<void> {
  expect(await waitForAnswer(db, 'absent', forever)).toEqual({ type: 'done' });
  expect(await Promise.race([outcome, Promise.resolve('open')])).toBe('open');
}
