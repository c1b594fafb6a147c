import { expect, test } from 'vitest';
import { backoffMs } from '#client/sync/backoff.ts';
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
])('after failure %d one waits %d ms at most', (failures, ceiling) => {
  expect(backoffMs(failures, highest)).toBe(ceiling);
});

test('chance spreads the tries over the whole wait', () => {
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

test('even with the luckiest draws no minute sees more than ten tries', () => {
  const tries = [0];
  for (let failures = 1; failures <= 40; failures += 1) {
    tries.push((tries.at(-1) ?? 0) + backoffMs(failures, lowest));
  }
  for (const start of tries) {
    const inAMinute = tries.filter((moment) => moment >= start && moment < start + 60_000);
    expect(inAMinute.length).toBeLessThanOrEqual(10);
  }
});
