import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSleeper } from '#client/sync/sleeper.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;

/** Records whether a sleep is over, so that a test can check it without waiting. */
function watch(sleep: Promise<void>): { isOver: boolean } {
  const state = { isOver: false };
  void sleep.then(() => {
    state.isOver = true;
  });
  return state;
}

test('a sleep ends after the requested time', async () => {
  const sleep = watch(createSleeper(never).sleep(1_000));
  await vi.advanceTimersByTimeAsync(999);
  expect(sleep.isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(sleep.isOver).toBe(true);
});

test.each([0, -5, Number.NEGATIVE_INFINITY])(
  'a sleep of %d ms ends at once, without a timer',
  async (ms) => {
    await createSleeper(never).sleep(ms);
    expect(vi.getTimerCount()).toBe(0);
  },
);

test('wake ends the sleep and leaves no timer behind', async () => {
  const sleeper = createSleeper(never);
  const sleep = sleeper.sleep(1_000);
  sleeper.wake();
  await sleep;
  expect(vi.getTimerCount()).toBe(0);
});

test('a wake between two sleeps ends the next one at once, and only that one', async () => {
  const sleeper = createSleeper(never);
  sleeper.wake();
  sleeper.wake();
  await sleeper.sleep(1_000);
  const second = watch(sleeper.sleep(1_000));
  await vi.advanceTimersByTimeAsync(999);
  expect(second.isOver).toBe(false);
});

test('after a sleep was woken, the next one does not end early', async () => {
  const sleeper = createSleeper(never);
  const first = sleeper.sleep(1_000);
  sleeper.wake();
  await first;
  const second = watch(sleeper.sleep(1_000));
  await vi.advanceTimersByTimeAsync(999);
  expect(second.isOver).toBe(false);
});

test('an endless sleep is not over after 24 h, although setTimeout fires at once for an infinite delay', async () => {
  const sleep = watch(createSleeper(never).sleep(Number.POSITIVE_INFINITY));
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(sleep.isOver).toBe(false);
});

test('an aborted signal ends every sleep, the present one and all later ones', async () => {
  const abort = new AbortController();
  const sleeper = createSleeper(abort.signal);
  const sleep = sleeper.sleep(1_000);
  abort.abort();
  await sleep;
  await sleeper.sleep(1_000);
  await sleeper.sleep(1_000);
  await createSleeper(abort.signal).sleep(1_000);
  expect(vi.getTimerCount()).toBe(0);
});
