import { expect, test } from 'vitest';
import { liveStore } from '#client/store/live-store.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { freshDb, listenTo } from '../../support/device/fresh-db.ts';
import { type ManualTimer, manualTimer } from './support/manual-timer.ts';

/** Longer than any wait. */
const longMs = 10_000;

const countTo = (db: DeviceDb, value: number) => db.meta.put({ id: 'count', value });
const readCount = async (db: DeviceDb) => Number((await db.meta.get('count'))?.value ?? 0);

/** A live query that has read once. The wait after that read is not over. */
async function watchedCount(db: DeviceDb, timer: ManualTimer) {
  const reads = { count: 0 };
  const values = listenTo(
    liveStore(
      db,
      () => {
        reads.count += 1;
        return readCount(db);
      },
      timer,
    ),
  );
  await expect.poll(() => values).toEqual([0]);
  return { values, reads };
}

test('a single change is read at once', async () => {
  const [db, timer] = [freshDb(), manualTimer()];
  const { values } = await watchedCount(db, timer);
  timer.advance(longMs);
  await countTo(db, 1);
  await expect.poll(() => values).toEqual([0, 1]);
});

test('opening the database causes no second read', async () => {
  const [db, timer] = [freshDb(), manualTimer()];
  const { values, reads } = await watchedCount(db, timer);
  timer.advance(longMs);
  await countTo(db, 1);
  await expect.poll(() => values).toEqual([0, 1]);
  expect(reads.count).toBe(2);
});

test('a live query does not open a database that was closed', async () => {
  const [db, timer] = [freshDb(), manualTimer()];
  await db.open();
  db.close();
  const values = listenTo(liveStore(db, () => readCount(db), timer));
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await expect.poll(() => timer.pendingCount()).toBe(1);
    timer.advance(longMs);
  }
  expect(values).toEqual([]);
  expect(db.isOpen()).toBe(false);
});

test('many changes during a wait between reads cause one read, of the last state', async () => {
  const [db, timer] = [freshDb(), manualTimer()];
  const { values, reads } = await watchedCount(db, timer);
  for (let value = 1; value <= 100; value += 1) await countTo(db, value);
  await expect.poll(() => timer.pendingCount()).toBe(1);
  timer.advance(longMs);
  await expect.poll(() => values).toEqual([0, 100]);
  expect(reads.count).toBe(2);
});

test('during continuous changes each wait is twice as long as the previous one, up to half a second', async () => {
  const [db, timer] = [freshDb(), manualTimer()];
  const { values } = await watchedCount(db, timer);
  for (const [index, waitMs] of [16, 32, 64, 128, 256, 500, 500].entries()) {
    await countTo(db, index + 1);
    await expect.poll(() => timer.pendingCount()).toBe(1);
    timer.advance(waitMs - 1);
    expect(timer.pendingCount()).toBe(1);
    timer.advance(1);
    await expect.poll(() => values.at(-1)).toBe(index + 1);
  }
});

test('after a wait without a change the next wait is short again', async () => {
  const [db, timer] = [freshDb(), manualTimer()];
  const { values } = await watchedCount(db, timer);
  for (const waitMs of [16, 32]) {
    await countTo(db, waitMs);
    await expect.poll(() => timer.pendingCount()).toBe(1);
    timer.advance(waitMs);
    await expect.poll(() => values.at(-1)).toBe(waitMs);
  }
  timer.advance(64);
  await countTo(db, 1);
  await expect.poll(() => values.at(-1)).toBe(1);
  await countTo(db, 2);
  await expect.poll(() => timer.pendingCount()).toBe(1);
  timer.advance(16);
  await expect.poll(() => values.at(-1)).toBe(2);
});

test('a read that takes longer than the time between changes still finishes', async () => {
  const db = freshDb();
  await db.open();
  const slowly = () =>
    db.transaction('r', db.meta, async () => {
      for (let round = 0; round < 20; round += 1) await db.meta.count();
      return readCount(db);
    });
  const values = listenTo(liveStore(db, slowly));
  let isOver = false;
  const stream = (async () => {
    for (let value = 1; !isOver; value += 1) await countTo(db, value);
  })();
  await expect.poll(() => values.length, { timeout: 10_000 }).toBeGreaterThan(2);
  isOver = true;
  await stream;
  const last = await readCount(db);
  await expect.poll(() => values.at(-1)).toBe(last);
});

test('a change during a read is not missed', async () => {
  const [db, timer] = [freshDb(), manualTimer()];
  let gate = Promise.resolve();
  let reads = 0;
  const values = listenTo(
    liveStore(
      db,
      async () => {
        const count = await readCount(db);
        reads += 1;
        await gate;
        return count;
      },
      timer,
    ),
  );
  await expect.poll(() => values).toEqual([0]);
  timer.advance(longMs);
  let open: () => unknown = () => undefined;
  gate = new Promise((resolve) => {
    open = resolve;
  });
  await countTo(db, 1);
  await expect.poll(() => reads).toBe(2);
  await countTo(db, 2);
  open();
  await expect.poll(() => timer.pendingCount()).toBe(1);
  timer.advance(longMs);
  await expect.poll(() => values).toEqual([0, 1, 2]);
});

test('a failed read is repeated even if nothing changes', async () => {
  const [db, timer] = [freshDb(), manualTimer()];
  let isBroken = true;
  const values = listenTo(
    liveStore(db, () => (isBroken ? Promise.reject(new Error('broken')) : readCount(db)), timer),
  );
  await expect.poll(() => timer.pendingCount()).toBe(1);
  isBroken = false;
  timer.advance(longMs);
  await expect.poll(() => values).toEqual([0]);
});

test('a change of another table causes no read', async () => {
  const [db, timer] = [freshDb(), manualTimer()];
  const { values, reads } = await watchedCount(db, timer);
  timer.advance(longMs);
  for (let round = 0; round < 20; round += 1) await db.idmap.put({ localId: 'a', serverId: 'b' });
  await countTo(db, 1);
  await expect.poll(() => values).toEqual([0, 1]);
  expect(reads.count).toBe(2);
});
