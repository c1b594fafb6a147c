import { expect, test } from 'vitest';
import { createBatcher, singleFlight } from '#client/sync/pull/batcher.ts';
import { deferred } from '../../../support/deferred.ts';

test('items added during a write are written together after it', async () => {
  const written: number[][] = [];
  const busy = deferred();
  const { add, flush } = createBatcher<number>(async (items) => {
    written.push(items);
    await busy.promise;
  });
  add(1);
  await Promise.resolve();
  for (const item of [2, 3, 4]) add(item);
  busy.resolve();
  await flush();
  expect(written).toEqual([[1], [2, 3, 4]]);
  add(5);
  await flush();
  expect(written).toEqual([[1], [2, 3, 4], [5]]);
});

test('flush reports a failed write, and nothing is written after it', async () => {
  const written: number[][] = [];
  const { add, flush } = createBatcher<number>((items) => {
    written.push(items);
    return Promise.reject(new Error('no room'));
  });
  add(1);
  await expect(flush()).rejects.toThrow('no room');
  add(2);
  await expect(flush()).rejects.toThrow('no room');
  expect(written).toEqual([[1]]);
});

test('calls at the same time share one load, a later call loads again', async () => {
  let asked = 0;
  const ask = singleFlight(() => Promise.resolve(++asked));
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  expect(await ask()).toBe(2);
});
