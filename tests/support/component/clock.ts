import { onTestFinished, vi } from 'vitest';

/** Shorter timers are those of a pause between taps and of live queries, for which tests wait. */
const longMs = 5_000;

/**
 * Stops the clock, and timers of five seconds or more, until the test ends. So an offer of ten seconds does not expire
 * while a slow machine runs the test.
 */
export function stopClock(now: number | string = Date.now()): void {
  vi.setSystemTime(now);
  onTestFinished(() => void vi.useRealTimers());
  stopTimers(longMs);
}

/** Until the test ends, timers of this length (ms) or more are not started. */
export function stopTimers(fromMs: number): void {
  const { setTimeout } = window;
  const start = (callback: TimerHandler, ms = 0, ...values: unknown[]) =>
    ms < fromMs ? setTimeout(callback, ms, ...values) : 0;
  vi.spyOn(window, 'setTimeout').mockImplementation(Object.assign(start, setTimeout));
}
