import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAlarm } from '#client/sync/alarm.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;

/** Whether a sleep is over, asked without waiting. */
function watch(sleep: Promise<void>): { isOver: boolean } {
  const state = { isOver: false };
  void sleep.then(() => {
    state.isOver = true;
  });
  return state;
}

test('one sleeps for as long as asked', async () => {
  const sleep = watch(createAlarm(never).sleep(1_000));
  await vi.advanceTimersByTimeAsync(999);
  expect(sleep.isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(sleep.isOver).toBe(true);
});

test.each([0, -5, Number.NEGATIVE_INFINITY])('%d ms is no sleep', async (ms) => {
  await createAlarm(never).sleep(ms);
  expect(vi.getTimerCount()).toBe(0);
});

test('a ring ends the sleep and leaves no timer behind', async () => {
  const alarm = createAlarm(never);
  const sleep = alarm.sleep(1_000);
  alarm.ring();
  await sleep;
  expect(vi.getTimerCount()).toBe(0);
});

test('a ring while awake ends the next sleep at once, and only that one', async () => {
  const alarm = createAlarm(never);
  alarm.ring();
  alarm.ring();
  await alarm.sleep(1_000);
  const second = watch(alarm.sleep(1_000));
  await vi.advanceTimersByTimeAsync(999);
  expect(second.isOver).toBe(false);
});

test('after a rung sleep one can sleep again', async () => {
  const alarm = createAlarm(never);
  const first = alarm.sleep(1_000);
  alarm.ring();
  await first;
  const second = watch(alarm.sleep(1_000));
  await vi.advanceTimersByTimeAsync(999);
  expect(second.isOver).toBe(false);
});

test('endless sleep is longer than any timer can be, not none', async () => {
  const sleep = watch(createAlarm(never).sleep(Number.POSITIVE_INFINITY));
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(sleep.isOver).toBe(false);
});

test('the end ends every sleep, the present and all to come', async () => {
  const abort = new AbortController();
  const alarm = createAlarm(abort.signal);
  const sleep = alarm.sleep(1_000);
  abort.abort();
  await sleep;
  await alarm.sleep(1_000);
  await alarm.sleep(1_000);
  await createAlarm(abort.signal).sleep(1_000);
  expect(vi.getTimerCount()).toBe(0);
});
