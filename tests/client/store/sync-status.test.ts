import { expect, test, vi } from 'vitest';
import {
  initialStatus,
  readStatus,
  requestSync,
  watchSyncStatus,
} from '#client/store/sync-status.ts';
import { opRow, sentOnce } from '../../support/device-rows.ts';
import { freshDb, listenTo } from '../../support/fresh-db.ts';

const quiet = {
  connectivity: 'unknown',
  pulledAt: null,
  pullError: null,
  waitingCount: 0,
  rejectedCount: 0,
  sentCount: 0,
  noticeCount: 0,
} as const;

test('before the engine has spoken nothing is known and nothing waits', async () => {
  const heard = listenTo(watchSyncStatus(freshDb()));
  await vi.waitFor(() => expect(heard).toEqual([quiet]));
});

test('what waits and what was refused is counted apart', async () => {
  const db = freshDb();
  const heard = listenTo(watchSyncStatus(db));
  await db.outbox.bulkAdd([
    opRow({ seq: 1 }),
    opRow({ seq: 2, ...sentOnce, state: 'inflight' }),
    opRow({ seq: 3, ...sentOnce, state: 'uncertain' }),
    opRow({ seq: 4, ...sentOnce, state: 'rejected' }),
  ]);
  await vi.waitFor(() => {
    expect(heard.at(-1)).toEqual({ ...quiet, waitingCount: 3, rejectedCount: 1, noticeCount: 1 });
  });
});

test('what needs the person is counted until it is put away', async () => {
  const db = freshDb();
  const heard = listenTo(watchSyncStatus(db));
  await db.outbox.bulkAdd([
    opRow({ seq: 1, ...sentOnce, state: 'rejected' }),
    opRow({ seq: 2, ...sentOnce, state: 'rejected', isNoticed: true }),
  ]);
  await db.conflicts.add({ id: 'a', entity: 'p1', mine: {}, theirs: {}, at: 1 });
  const counts = { rejectedCount: 2, noticeCount: 2 };
  await vi.waitFor(() => expect(heard.at(-1)).toEqual({ ...quiet, ...counts }));
});

test('how far sending has come is told while it goes on', async () => {
  const db = freshDb();
  const heard = listenTo(watchSyncStatus(db));
  await db.outbox.add(opRow());
  await db.syncState.put({ ...initialStatus, sentCount: 12 });
  await vi.waitFor(() => {
    expect(heard.at(-1)).toEqual({ ...quiet, waitingCount: 1, sentCount: 12 });
  });
});

test('the screens hear what the engine says of the network', async () => {
  const db = freshDb();
  const heard = listenTo(watchSyncStatus(db));
  await db.syncState.put({ ...initialStatus, connectivity: 'online', pulledAt: 5 });
  await vi.waitFor(() =>
    expect(heard.at(-1)).toEqual({ ...quiet, connectivity: 'online', pulledAt: 5 }),
  );
});

test('asking for a round is told from asking before, and is no status', async () => {
  const db = freshDb();
  await requestSync(db);
  const first = await db.syncState.get('request');
  await requestSync(db);
  expect(await db.syncState.get('request')).not.toEqual(first);
  expect(await readStatus(db)).toEqual(initialStatus);
});
