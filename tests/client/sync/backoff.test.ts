import { expect, test } from 'vitest';
import { backoffMs, createFailureLimiter } from '#client/sync/backoff.ts';
import { fc } from '../../support/properties.ts';

const highest = () => 1 - Number.EPSILON;
const lowest = () => 0;

test.each([
  [1, 1_000],
  [2, 2_000],
  [3, 4_000],
  [4, 8_000],
  [5, 16_000],
  [6, 32_000],
  [7, 60_000],
  [50, 60_000],
  [5_000, 60_000],
])('after failure %d the wait is %d ms at most', (failures, ceiling) => {
  expect(backoffMs(failures, highest)).toBe(ceiling);
});

test('property: a wait with jitter lies between the shortest and the longest wait; after 7 failures the longest is more than twice the shortest', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), random, (failures, draw) => {
      const wait = backoffMs(failures, () => draw);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60_000);
      expect(wait).toBeGreaterThanOrEqual(backoffMs(failures, lowest));
      expect(wait).toBeLessThanOrEqual(backoffMs(failures, highest));
    }),
  );
  expect(backoffMs(7, highest)).toBeGreaterThan(2 * backoffMs(7, lowest));
});

test('even with the shortest waits there are at most ten attempts in any minute', () => {
  const tries = [0];
  for (let failures = 1; failures <= 40; failures += 1) {
    tries.push((tries.at(-1) ?? 0) + backoffMs(failures, lowest));
  }
  for (const start of tries) {
    const inAMinute = tries.filter((moment) => moment >= start && moment < start + 60_000);
    expect(inAMinute.length).toBeLessThanOrEqual(10);
  }
});

test('after ten failures in a minute the next attempt waits until the first failure is a minute old', () => {
  const limiter = createFailureLimiter();
  for (let i = 0; i < 9; i++) limiter.recordFailure(i * 1_000);
  expect(limiter.freeAt(9_000)).toBe(0);
  limiter.recordFailure(9_000);
  expect(limiter.freeAt(9_500)).toBe(60_000);
  expect(limiter.freeAt(60_000)).toBe(0);
});

test('a clock that was set back does not prolong a wait', () => {
  const limiter = createFailureLimiter();
  for (let i = 0; i < 10; i++) limiter.recordFailure(1_000_000 + i);
  expect(limiter.freeAt(500_000)).toBe(0);
});

test('property: at most ten attempts fail within a minute, however many are requested', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20_000), { maxLength: 100 }), (waits) => {
      const limiter = createFailureLimiter();
      const tries: number[] = [];
      let now = 0;
      for (const wait of waits) {
        now += wait;
        if (limiter.freeAt(now) > now) continue;
        tries.push(now);
        limiter.recordFailure(now);
      }
      for (const start of tries) {
        const inAMinute = tries.filter((at) => at >= start && at < start + 60_000);
        expect(inAMinute.length).toBeLessThanOrEqual(10);
      }
    }),
  );
});
