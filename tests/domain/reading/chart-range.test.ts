import { expect, test } from 'vitest';
import { chartRange } from '#domain/reading/chart-range.ts';
import { fc } from '../../support/properties.ts';

test.each<[why: string, values: (number | null)[], threshold: [number, number], [number, number]]>([
  ['data within the thresholds', [40, 50], [30, 70], [30, 70]],
  ['10 % beyond data that is wider', [0, 100], [30, 70], [-10, 110]],
  ['10 % below, the threshold above', [10, 50], [30, 70], [6, 70]],
  ['the threshold below, 10 % above', [60, 100], [30, 70], [30, 104]],
  ['half the threshold span around equal values', [100, 100, 100], [30, 70], [30, 120]],
  ['the same around a single value', [0], [30, 70], [-20, 70]],
  ['at least 10 around equal values', [50, 50], [48, 52], [40, 60]],
  ['at least 5 units', [20.4, 20.6], [20, 21], [18, 23]],
  ['exactly 5 units are enough', [21, 22], [20, 25], [20, 25]],
  ['the thresholds where nothing was measured', [], [30, 70], [30, 70]],
  ['at least 5 units there too', [null, null], [20, 22], [18.5, 23.5]],
  ['gaps do not count', [null, 0, null, 100], [30, 70], [-10, 110]],
  ['one value among gaps is equal to itself', [null, 90], [30, 70], [30, 110]],
  ['values below zero', [-20, -10], [15, 30], [-21, 30]],
])('%s', (_, values, [from, to], [min, max]) => {
  const range = chartRange(values, { min: from, max: to });
  expect(range.min).toBeCloseTo(min, 9);
  expect(range.max).toBeCloseTo(max, 9);
});

/** In hundredths: what lies closer together is one value to a sensor, but not to a chart. */
const anyValue = fc.integer({ min: -20_000, max: 20_000_000 }).map((steps) => steps / 100);
const anyValues = fc.array(fc.option(anyValue), { maxLength: 24 });
const anyThreshold = fc
  .tuple(anyValue, anyValue)
  .map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) }));

test('property: every value lies inside, with 10 % of their span around them', () => {
  fc.assert(
    fc.property(anyValues, anyThreshold, (values, threshold) => {
      const { min, max } = chartRange(values, threshold);
      const known = values.filter((value) => value !== null);
      fc.pre(known.length > 0);
      const pad = (Math.max(...known) - Math.min(...known)) * 0.1 || 10;
      const tolerance = 1e-6;
      expect(Math.min(...known) - pad).toBeGreaterThanOrEqual(min - tolerance);
      expect(Math.max(...known) + pad).toBeLessThanOrEqual(max + tolerance);
    }),
  );
});

test('property: never narrower than the thresholds, at least 5 units tall, always finite', () => {
  fc.assert(
    fc.property(anyValues, anyThreshold, (values, threshold) => {
      const { min, max } = chartRange(values, threshold);
      expect(min).toBeLessThanOrEqual(threshold.min);
      expect(max).toBeGreaterThanOrEqual(threshold.max);
      expect(max - min).toBeGreaterThanOrEqual(5 - 1e-6);
      expect(Number.isFinite(min) && Number.isFinite(max)).toBe(true);
    }),
  );
});

test('property: no larger than data, padding and thresholds need', () => {
  fc.assert(
    fc.property(anyValues, anyThreshold, (values, threshold) => {
      const { min, max } = chartRange(values, threshold);
      const known = values.filter((value) => value !== null);
      const low = Math.min(threshold.min, ...known);
      const high = Math.max(threshold.max, ...known);
      const most = Math.max(10, (high - low) / 2, 5);
      expect(low - min).toBeLessThanOrEqual(most + 1e-6);
      expect(max - high).toBeLessThanOrEqual(most + 1e-6);
    }),
  );
});
