import { expect, test } from 'vitest';
import type { BatchOperation } from '#contract/batch.ts';
import { type OperationResult, runOperations } from '#server/http/batch/run-operations.ts';
import { deferred } from '../../../support/deferred.ts';
import { create, water } from './support/batch.ts';

const response = (status: number, headers: Record<string, string> = {}): OperationResult => ({
  status,
  headers,
  json: '{}',
});

test('at most four operations run at the same time, and at most one of each plant', async () => {
  const running = new Set<BatchOperation>();
  const most = { all: 0, ofOnePlant: 0 };
  const operations = Array.from({ length: 40 }, (_, n) => water(`w${n}`, `p${n % 8}`));
  const order: string[] = [];
  await runOperations(operations, async (operation) => {
    running.add(operation);
    order.push(operation.key);
    const same = [...running].filter(({ path }) => path === operation.path);
    most.all = Math.max(most.all, running.size);
    most.ofOnePlant = Math.max(most.ofOnePlant, same.length);
    await new Promise(setImmediate);
    running.delete(operation);
    return response(200);
  });
  expect(most).toEqual({ all: 4, ofOnePlant: 1 });
  expect(order.filter((key) => Number(key.slice(1)) % 8 === 3)).toEqual([
    'w3',
    'w11',
    'w19',
    'w27',
    'w35',
  ]);
});

test('operations that create plants run in parallel', async () => {
  const open = deferred();
  let begun = 0;
  const done = runOperations([create('a', 'A'), create('b', 'B')], async () => {
    begun += 1;
    if (begun === 2) open.resolve();
    await open.promise;
    return response(201);
  });
  expect((await done).map(({ status }) => status)).toEqual([201, 201]);
});

test.each([425, 429, 503])(
  'after a %i no further operation starts, and the remaining ones of other plants get the same response',
  async (status) => {
    const operations = Array.from({ length: 10 }, (_, n) => water(`w${n}`, `p${n % 5}`));
    const executed: string[] = [];
    const results = await runOperations(operations, async ({ key }) => {
      executed.push(key);
      return key === 'w0' ? response(status, { 'retry-after': '7' }) : response(200);
    });
    expect(executed).toEqual(['w0', 'w1', 'w2', 'w3']);
    expect(results[9]).toEqual(response(status, { 'retry-after': '7' }));
    expect(results[5]?.status).toBe(424);
    expect(results.slice(1, 4).map((result) => result.status)).toEqual([200, 200, 200]);
  },
);

test('a 500 does not stop the operations of other plants', async () => {
  const operations = [water('a', 'p1'), water('b', 'p2'), water('c', 'p1')];
  const results = await runOperations(operations, async ({ key }) =>
    response(key === 'a' ? 500 : 200),
  );
  expect(results.map(({ status }) => status)).toEqual([500, 200, 424]);
});
