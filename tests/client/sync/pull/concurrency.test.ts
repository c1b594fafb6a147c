import { expect, onTestFinished, test, vi } from 'vitest';
import { createBatcher, shareLoad, singleFlight } from '#client/sync/pull/concurrency.ts';
import { type Deferred, deferred } from '../../../support/deferred.ts';

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
  let loads = 0;
  const load = shareLoad(() => Promise.resolve(++loads));
  expect(await Promise.all([load(), load(), load()])).toEqual([1, 1, 1]);
  expect(await load()).toBe(2);
});

/** `run` starts work that ends when the test resolves or rejects its entry in `runs`. */
function setUp() {
  const abort = new AbortController();
  const runs: Deferred[] = [];
  const run = singleFlight(abort.signal, 'It failed:', () => {
    const next = deferred();
    runs.push(next);
    return next.promise;
  });
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => warned.mockRestore());
  return { abort, runs, run, warned };
}

const tick = () => new Promise((resolve) => setTimeout(resolve));

test('calls during a run lead to one more run after it', async () => {
  const { runs, run } = setUp();
  run();
  run();
  run();
  await tick();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await tick();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve();
  await tick();
  expect(runs).toHaveLength(2);
});

test('a call after the end of a run starts another one', async () => {
  const { runs, run } = setUp();
  run();
  runs[0]?.resolve();
  await tick();
  run();
  expect(runs).toHaveLength(2);
});

test('the error of a run is logged, and the next call starts another run', async () => {
  const { runs, run, warned } = setUp();
  run();
  const error = new Error('no room');
  runs[0]?.reject(error);
  await tick();
  expect(warned.mock.calls).toEqual([['It failed:', error]]);
  run();
  expect(runs).toHaveLength(2);
});

test('a call during a run that fails leads to one more run', async () => {
  const { runs, run } = setUp();
  run();
  run();
  runs[0]?.reject(new Error('no room'));
  await tick();
  expect(runs).toHaveLength(2);
});

test('after an abort nothing runs, and the error of the last run is not logged', async () => {
  const { abort, runs, run, warned } = setUp();
  run();
  run();
  abort.abort();
  runs[0]?.reject(new Error('aborted'));
  await tick();
  run();
  await tick();
  expect(runs).toHaveLength(1);
  expect(warned).not.toHaveBeenCalled();
});
