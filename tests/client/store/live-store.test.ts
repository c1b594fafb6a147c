import { expect, test } from 'vitest';
import { liveStore, select, sharedLiveStore } from '#client/store/live-store.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { freshDb, listenTo } from '../../support/device/fresh-db.ts';

const countTo = (db: DeviceDb, value: number) => db.meta.put({ id: 'count', value });
const readCount = async (db: DeviceDb) => Number((await db.meta.get('count'))?.value ?? 0);

test('all subscribers share one read, and a late subscriber gets the value at once', async () => {
  const db = freshDb();
  let reads = 0;
  const watchCount = sharedLiveStore((from) => {
    reads += 1;
    return readCount(from);
  });
  const [first, second] = [listenTo(watchCount(db)), listenTo(watchCount(db))];
  await expect.poll(() => [first, second]).toEqual([[0], [0]]);
  expect(reads).toBe(1);
  expect(watchCount(db).hasValue()).toBe(true);
  expect(listenTo(watchCount(db))).toEqual([0]);
  expect(watchCount(freshDb()).hasValue()).toBe(false);
});

test('without subscribers nothing is read, and no old value is kept', async () => {
  const db = freshDb();
  const store = liveStore(db, () => readCount(db));
  const values: number[] = [];
  const subscription = store.subscribe((value) => void values.push(value));
  await expect.poll(() => values).toEqual([0]);
  await countTo(db, 1);
  subscription.unsubscribe();
  await countTo(db, 2);
  // Waits until another store has read the change. With a subscriber, the first store would have read it by then.
  const other = listenTo(liveStore(db, () => readCount(db)));
  await expect.poll(() => other).toEqual([2]);
  expect(store.hasValue()).toBe(false);
  expect(values).toEqual([0]);
  expect(() => store.getValue()).toThrow('Nothing has been read yet');
  expect(listenTo(store)).toEqual([]);
});

test('a selected part of a value is emitted only when it has changed', async () => {
  const db = freshDb();
  const count = liveStore(db, () => readCount(db));
  const values = listenTo(count);
  const isHigh = listenTo(select(count, (value) => value >= 2));
  for (const value of [1, 2]) {
    await expect.poll(() => values.length).toBeGreaterThan(0);
    await countTo(db, value);
    await expect.poll(() => values.at(-1)).toBe(value);
  }
  expect(isHigh).toEqual([false, true]);
});
