import { expect, test } from 'vitest';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { mergeReadings } from '#domain/reading/reading-arrays.ts';
import { readingTrend, trendSummary, trendWindow } from '#domain/reading/trend.ts';

const hourMs = 3_600_000;
const noon = Date.parse('2026-11-20T12:00:00Z');

/** A reading `hour` hours after noon, with `hour` as its soil humidity. */
function log(hour: number, changes: Partial<ReadingLog> = {}): ReadingLog {
  return {
    timestamp: new Date(noon + hour * hourMs).toISOString(),
    soil_humidity: hour,
    air_humidity: 50,
    temperature: 20,
    luminance: 1000,
    ...changes,
  };
}

const trendOf = (logs: ReadingLog[]) => readingTrend(mergeReadings(undefined, logs));

test('a chart shows the newest 24 readings, oldest first', () => {
  const trend = trendOf(Array.from({ length: 30 }, (_, i) => log(i)));
  expect(trend.moments).toHaveLength(24);
  expect(trend.moments[0]).toBe(noon + 6 * hourMs);
  expect(trend.moments.at(-1)).toBe(noon + 29 * hourMs);
  expect(trend.soil_humidity).toEqual(Array.from({ length: 24 }, (_, i) => i + 6));
});

test('keeps a missing measure null and 0 as 0', () => {
  const trend = trendOf([log(1), log(2, { soil_humidity: null }), log(3, { soil_humidity: 0 })]);
  expect(trend.soil_humidity).toEqual([1, null, 0]);
  expect(trend.air_humidity).toEqual([50, 50, 50]);
});

test('returns empty columns without readings', () => {
  expect(trendOf([])).toEqual({
    moments: [],
    soil_humidity: [],
    air_humidity: [],
    temperature: [],
    luminance: [],
  });
});

const day = Array.from({ length: 24 }, (_, i) => noon + i * hourMs);
const newest = noon + 23 * hourMs;

test.each<[which: string, waterings: number[], isInside: boolean]>([
  ['between two readings', [noon + 4.5 * hourMs], true],
  ['soon after the newest reading', [newest + hourMs], true],
  ['two hours after the newest reading', [newest + 2 * hourMs], true],
  ['three hours after the newest reading', [newest + 3 * hourMs], false],
  ['before the oldest', [noon - 3 * hourMs], false],
])('whether a watering %s is inside the chart: %s', (_, waterings, isInside) => {
  const { min, max } = trendWindow(day, waterings);
  expect(waterings.every((moment) => moment >= min && moment <= max)).toBe(isInside);
});

test('the time axis contains all readings, and half an hour on both sides of a single one', () => {
  const { min, max } = trendWindow(day, []);
  expect(min).toBeLessThan(noon);
  expect(max).toBeGreaterThan(newest);
  expect(max - min).toBeLessThan(25 * hourMs);
  const lone = trendWindow([noon], []);
  expect([noon - lone.min, lone.max - noon]).toEqual([hourMs / 2, hourMs / 2]);
});

test('summarizes a chart: latest, lowest, highest and the number out of range', () => {
  const threshold = { min: 30, max: 70 };
  expect(trendSummary([20, null, 30, 80, 70, null], threshold)).toEqual({
    latest: 70,
    lowest: 20,
    highest: 80,
    outCount: 2,
    count: 4,
  });
  expect(trendSummary([null, null], threshold)).toBeNull();
  expect(trendSummary([], threshold)).toBeNull();
});
