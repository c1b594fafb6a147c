import { expect, onTestFinished, test, vi } from 'vitest';
import { singleFlight } from '#client/sync/pull/single-flight.ts';
import { type Deferred, deferred } from '../../../support/deferred.ts';

/** Starts work whose runs end when the test resolves or rejects them. */
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

test('an error is logged, and the next call runs again', async () => {
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
