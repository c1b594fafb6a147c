import { expect, test } from 'vitest';
import { bucketsBetween } from '#domain/reading/buckets.ts';
import { dayMs, hourMs, minuteMs } from '#domain/time.ts';
import { fc } from '../../support/properties.ts';

const now = Date.parse('2026-11-20T08:12:34.567Z');

test.each([
  [1, 10 * minuteMs],
  [7, hourMs],
  [30, 4 * hourMs],
  [365, 2 * dayMs],
])('%d days are shown in buckets of %d ms', (days, stepMs) => {
  expect(bucketsBetween(now - days * dayMs, now, 200).stepMs).toBe(stepMs);
});

const ranges = fc.tuple(
  fc.integer({ min: 0, max: now }),
  fc.integer({ min: 1, max: 3_000 * dayMs }),
  fc.integer({ min: 2, max: 200 }),
);

test('buckets contain the whole range, and are at most as many as asked for', () => {
  fc.assert(
    fc.property(ranges, ([from, length, most]) => {
      const { start, stepMs, count } = bucketsBetween(from, from + length, most);
      const end = start + count * stepMs;
      expect(count).toBeLessThanOrEqual(most);
      expect(start).toBeLessThanOrEqual(from);
      expect(start + stepMs).toBeGreaterThan(from);
      expect(end).toBeGreaterThanOrEqual(from + length);
      expect(end - stepMs).toBeLessThan(from + length);
    }),
  );
});

test('buckets of up to a day never cross midnight of UTC+7, and longer ones begin at midnight', () => {
  fc.assert(
    fc.property(ranges, ([from, length, most]) => {
      const { start, stepMs } = bucketsBetween(from, from + length, most);
      const sinceMidnight = (start + 7 * hourMs) % dayMs;
      expect(stepMs < dayMs ? dayMs % stepMs : stepMs % dayMs).toBe(0);
      expect(sinceMidnight % Math.min(stepMs, dayMs)).toBe(0);
    }),
  );
});
