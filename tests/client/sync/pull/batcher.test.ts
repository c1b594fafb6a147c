import { expect, test } from 'vitest';
import { shared, together } from '#client/sync/pull/batcher.ts';
import { deferred } from '../../../support/deferred.ts';

test('what comes while the one before is taken is taken together, next', async () => {
  const taken: number[][] = [];
  const busy = deferred();
  const { add, end } = together<number>(async (items) => {
    taken.push(items);
    await busy.promise;
  });
  add(1);
  await Promise.resolve();
  for (const item of [2, 3, 4]) add(item);
  busy.resolve();
  await end();
  expect(taken).toEqual([[1], [2, 3, 4]]);
  add(5);
  await end();
  expect(taken).toEqual([[1], [2, 3, 4], [5]]);
});

test('a failure is told at the end, and nothing is taken after it', async () => {
  const taken: number[][] = [];
  const { add, end } = together<number>((items) => {
    taken.push(items);
    return Promise.reject(new Error('no room'));
  });
  add(1);
  await expect(end()).rejects.toThrow('no room');
  add(2);
  await expect(end()).rejects.toThrow('no room');
  expect(taken).toEqual([[1]]);
});

test('who asks at the same time shares one answer, who asks later gets a new one', async () => {
  let asked = 0;
  const ask = shared(() => Promise.resolve(++asked));
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  expect(await ask()).toBe(2);
});
