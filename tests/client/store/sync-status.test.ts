import { setImmediate } from 'node:timers/promises';
import Dexie from 'dexie';
import { expect, onTestFinished, test, vi } from 'vitest';
import { canUndo, undoMs } from '#client/store/outbox/op.ts';
import {
  initialStatus,
  readStatus,
  requestRound,
  type SyncSummary,
  syncNow,
  trySendOutbox,
  watchSyncStatus,
} from '#client/store/sync-status.ts';
import { opRow, sentOnce } from '../../support/device/device-rows.ts';
import { freshDb, listenTo } from '../../support/device/fresh-db.ts';

const quiet = {
  connectivity: 'unknown',
  pulledAt: null,
  pullError: null,
  pullFailedAt: null,
  waitingCount: 0,
  rejectedCount: 0,
  sentCount: 0,
  noticeCount: 0,
} as const;

test('before the first sync the connectivity is unknown and nothing waits', async () => {
  const values = listenTo(watchSyncStatus(freshDb()));
  await expect.poll(() => values).toEqual([quiet]);
});

test('waiting and rejected changes are counted separately', async () => {
  const db = freshDb();
  const values = listenTo(watchSyncStatus(db));
  await db.outbox.bulkAdd([
    opRow({ seq: 1 }),
    opRow({ seq: 2, ...sentOnce, state: 'inflight' }),
    opRow({ seq: 3, ...sentOnce, state: 'uncertain' }),
    opRow({ seq: 4, ...sentOnce, state: 'rejected' }),
  ]);
  await expect
    .poll(() => values.at(-1))
    .toEqual({ ...quiet, waitingCount: 3, rejectedCount: 1, noticeCount: 1 });
});

test('notices are counted until they are dismissed', async () => {
  const db = freshDb();
  const values = listenTo(watchSyncStatus(db));
  await db.outbox.bulkAdd([
    opRow({ seq: 1, ...sentOnce, state: 'rejected' }),
    opRow({ seq: 2, ...sentOnce, state: 'rejected', isNoticed: true }),
  ]);
  await db.conflicts.add({ id: 'a', entity: 'p1', mine: {}, theirs: {}, at: 1 });
  const counts = { rejectedCount: 2, noticeCount: 2 };
  await expect.poll(() => values.at(-1)).toEqual({ ...quiet, ...counts });
});

test('the number of sent changes is emitted during the push', async () => {
  const db = freshDb();
  const values = listenTo(watchSyncStatus(db));
  await db.outbox.add(opRow());
  await db.syncState.put({ ...initialStatus, sentCount: 12 });
  await expect.poll(() => values.at(-1)).toEqual({ ...quiet, waitingCount: 1, sentCount: 12 });
});

test('the connectivity is emitted when it changes', async () => {
  const db = freshDb();
  const values = listenTo(watchSyncStatus(db));
  await db.syncState.put({ ...initialStatus, connectivity: 'online', pulledAt: 5 });
  await expect.poll(() => values.at(-1)).toEqual({ ...quiet, connectivity: 'online', pulledAt: 5 });
});

test('every call of requestRound stores a new value and does not change the status', async () => {
  const db = freshDb();
  await requestRound(db);
  const first = await db.syncState.get('request');
  await requestRound(db);
  expect(await db.syncState.get('request')).not.toEqual(first);
  expect(await readStatus(db)).toEqual(initialStatus);
});

test.each([
  ['succeeded', { pulledAt: 5 }],
  ['failed', { pullFailedAt: 5 }],
])('syncNow resolves once a pull has %s, without waiting for its time limit', async (_, change) => {
  const db = freshDb();
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const startedAt = Date.now();
  let result: SyncSummary | null = null;
  void syncNow(db).then((summary) => {
    result = summary;
  });
  while ((await db.syncState.get('request')) === undefined) await setImmediate();
  await db.syncState.put({ ...initialStatus, ...change });
  // One millisecond at a time, so that the database has finished long before the time limit, also on a slow machine.
  while (result === null) {
    await vi.advanceTimersByTimeAsync(1);
    await setImmediate();
  }
  expect(result).toEqual({ ...quiet, ...change });
  expect(Date.now() - startedAt).toBeLessThan(10_000);
});

test('sending the outbox still returns the number of unsent ops if a full device cannot store the request', async () => {
  const db = freshDb();
  await db.outbox.bulkAdd([opRow({ seq: 1 })]);
  vi.spyOn(db.syncState, 'put').mockImplementation(() =>
    db.outbox.clear().then(() => {
      throw new DOMException('no room left', 'QuotaExceededError');
    }),
  );
  expect(await trySendOutbox(db)).toBe(0);
});

test('sending the outbox ends even if the database stops responding after the outbox was sent', async () => {
  const db = freshDb();
  await db.outbox.bulkAdd([opRow({ seq: 1 })]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const left = trySendOutbox(db);
  await expect.poll(() => db.syncState.get('request')).toBeDefined();
  const unresponsive = vi.spyOn(db.outbox, 'count');
  unresponsive.mockImplementationOnce(() => Dexie.Promise.resolve(0));
  unresponsive.mockImplementation(() => new Dexie.Promise(() => undefined));
  await db.outbox.clear();
  await expect.poll(() => unresponsive).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(3_000);
  expect(await left).toBeNull();
});

test('sending the outbox ends the undo period of its changes before it requests a round', async () => {
  const db = freshDb();
  const undoUntil = Date.now() + undoMs;
  await db.outbox.bulkAdd([
    opRow({ seq: 1, type: 'water', undoUntil }),
    opRow({ seq: 2, type: 'add_entry', undoUntil }),
  ]);
  const left = trySendOutbox(db);
  await expect.poll(() => db.syncState.get('request')).toBeDefined();
  const now = Date.now();
  expect((await db.outbox.toArray()).map((op) => canUndo(op, now))).toEqual([false, false]);
  await db.outbox.clear();
  expect(await left).toBe(0);
});
