import { expect, test } from 'vitest';
import {
  bucketMiddles,
  bucketSummary,
  bucketText,
  isEmptySeries,
  shortBucketText,
  stretchesOf,
  wateringsByBucket,
} from '#domain/reading/bucket-series.ts';
import { defaultZone, timeZoneOf } from '#domain/zone.ts';
import { bucketSeries, emptySeries } from '../../support/bucket-series.ts';

const now = Date.parse('2026-11-20T08:30:00Z');

test('each bucket has a time in words, in UTC+7', () => {
  const hours = { ...bucketSeries('7d', { now }), start: '2026-11-19T16:00:00.000Z' };
  expect(bucketText(hours, 0, defaultZone)).toBe('Nov 19, 2026, 11:00 PM to 12:00 AM');
  expect(shortBucketText(hours, 1, defaultZone)).toBe('Nov 20, 12:00 AM');
  const days = { ...bucketSeries('1y', { now }), start: '2026-11-19T17:00:00.000Z' };
  expect(bucketText(days, 0, defaultZone)).toBe('Nov 20, 2026 to Nov 21, 2026');
  expect(shortBucketText(days, 1, defaultZone)).toBe('Nov 22 to Nov 23');
  expect(bucketText({ ...days, step_seconds: 86_400 }, 1, defaultZone)).toBe('Nov 21, 2026');
});

test('in another zone the same buckets have the times of its clocks', () => {
  const zone = timeZoneOf('America/St_Johns');
  const hours = { ...bucketSeries('7d', { now }), start: '2026-11-19T16:00:00.000Z' };
  expect(bucketText(hours, 0, zone)).toBe('Nov 19, 2026, 12:30 PM to 1:30 PM');
  expect(shortBucketText(hours, 1, zone)).toBe('Nov 19, 1:30 PM');
  // A bucket of one day starts at midnight in UTC+7, so it spans two dates in this zone, and both are named.
  const days = { ...bucketSeries('1y', { now }), start: '2026-11-19T17:00:00.000Z' };
  expect(bucketText({ ...days, step_seconds: 86_400 }, 0, zone)).toBe(
    'Nov 19, 2026 to Nov 20, 2026',
  );
});

test('a chart draws a bucket in the middle of its time', () => {
  const series = { ...bucketSeries('24h', { now }), start: '2026-11-20T08:00:00.000Z' };
  const at = (text: string) => Date.parse(`2026-11-20T${text}Z`);
  expect(bucketMiddles(series).slice(0, 2)).toEqual([at('08:05:00'), at('08:15:00')]);
  expect(bucketMiddles(series)).toHaveLength(series.count);
});

test.each([
  [[], []],
  [[null, null], []],
  [[1], [[0, 0]]],
  [
    [0, 2, null, null, 3, null, 4, 5],
    [
      [0, 1],
      [4, 4],
      [6, 7],
    ],
  ],
])('the stretches of %j between gaps are %j', (values, stretches) => {
  expect(stretchesOf(values)).toEqual(stretches);
});

test('the summary has the lowest minimum, the highest maximum and the latest mean, and is null without values', () => {
  const measure = { min: [3, null, 1], max: [9, null, 4], mean: [5, null, 2] };
  expect(bucketSummary(measure)).toEqual({ lowest: 1, highest: 9, latest: 2, count: 2 });
  expect(bucketSummary({ min: [null], max: [null], mean: [null] })).toBeNull();
});

test('a series is empty when no measure was reported; a mean of zero is a value', () => {
  const empty = emptySeries('7d');
  expect(isEmptySeries(empty)).toBe(true);
  expect(isEmptySeries({ ...empty, luminance: { min: [0], max: [0], mean: [0] } })).toBe(false);
});

test('waterings of one bucket are added up; an unknown amount stays unknown', () => {
  const week = bucketSeries('7d', { now });
  const waterings = {
    at: ['2026-11-20T08:00:00Z', '2026-11-20T08:59:59Z', '2026-11-20T09:00:00Z'],
    amount_ml: [100.5, 50, null],
    source: ['auto' as const, 'manual' as const, 'manual' as const],
    count: [2, 1, 1],
  };
  const twoHours = { ...week, start: '2026-11-20T08:00:00.000Z', count: 2, waterings };
  expect(wateringsByBucket(twoHours)).toEqual([
    { count: 3, ml: 150.5 },
    { count: 1, ml: null },
  ]);
  const counted = wateringsByBucket(week).flatMap((bucket) => bucket?.count ?? []);
  expect(counted).toEqual([2, 1, 1]);
});
