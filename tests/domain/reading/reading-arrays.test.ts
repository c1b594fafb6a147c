import { expect, test } from 'vitest';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { arraysToLogs, mergeReadings, type ReadingArrays } from '#domain/reading/reading-arrays.ts';
import { fc } from '../../support/properties.ts';

const start = Date.parse('2026-11-20T00:00:00Z');

function log(minute: number, value: number | null = minute): ReadingLog {
  return {
    timestamp: new Date(start + minute * 60_000).toISOString(),
    soil_humidity: value,
    air_humidity: null,
    temperature: null,
    luminance: value === null ? null : value * 100,
  };
}

const minutesTo = (count: number) => Array.from({ length: count }, (_, i) => i);
const timesOf = (arrays: ReadingArrays) =>
  arrays.timestamp.map((text) => (Date.parse(text) - start) / 60_000);

test('stores readings as parallel columns, newest first, whatever the order in which they arrive', () => {
  expect(mergeReadings(undefined, [log(5), log(20, null), log(10)])).toEqual({
    timestamp: [log(20).timestamp, log(10).timestamp, log(5).timestamp],
    soil_humidity: [null, 10, 5],
    air_humidity: [null, null, null],
    temperature: [null, null, null],
    luminance: [null, 1000, 500],
  });
});

test('reads the columns back as the same readings', () => {
  const whole = { ...log(20), air_humidity: 55, temperature: -3.5, luminance: 1 };
  const logs = [whole, log(10, null), log(5)];
  expect(arraysToLogs(mergeReadings(undefined, logs))).toEqual(logs);
});

test('keeps 0 as 0 and a missing value as null', () => {
  const arrays = mergeReadings(undefined, [log(1, 0), log(2, null)]);
  expect(arrays.soil_humidity).toEqual([null, 0]);
});

test('replaces a reading with the same timestamp, in any ISO 8601 spelling', () => {
  const known = mergeReadings(undefined, [log(0, 40), log(1, 41)]);
  const corrected = { ...log(1, 99), timestamp: '2026-11-20T07:01:00+07:00' };
  const merged = mergeReadings(known, [corrected]);
  expect(merged.soil_humidity).toEqual([99, 40]);
});

test('keeps only the newest 200 readings of the known and the new ones', () => {
  const known = mergeReadings(
    undefined,
    minutesTo(150).map((minute) => log(minute)),
  );
  const merged = mergeReadings(
    known,
    minutesTo(100).map((minute) => log(minute + 120)),
  );
  expect(timesOf(merged)).toEqual(minutesTo(200).map((i) => 219 - i));
  expect(merged.soil_humidity).toHaveLength(200);
});

test('does not let an older reading replace a newer one', () => {
  const full = mergeReadings(
    undefined,
    minutesTo(200).map((minute) => log(minute)),
  );
  expect(mergeReadings(full, [log(-1)])).toEqual(full);
});

test('leaves out a reading without a valid timestamp', () => {
  const merged = mergeReadings(undefined, [{ ...log(1), timestamp: 'noon' }, log(2)]);
  expect(timesOf(merged)).toEqual([2]);
});

test('drops fields that a newer server may add', () => {
  const loose: ReadingLog & { ph: number } = { ...log(1), ph: 7 };
  expect(mergeReadings(undefined, [loose])).toEqual(mergeReadings(undefined, [log(1)]));
});

test('property: any readings in any batches give the newest 200 timestamps in order', () => {
  const someLogs = fc.array(
    fc.integer({ min: 0, max: 400 }).map((minute) => log(minute)),
    {
      maxLength: 300,
    },
  );
  fc.assert(
    fc.property(someLogs, someLogs, (first, second) => {
      const merged = mergeReadings(mergeReadings(undefined, first), second);
      const moments = [...new Set([...first, ...second].map(({ timestamp }) => timestamp))];
      expect(merged.timestamp).toEqual(moments.sort().reverse().slice(0, 200));
      expect(mergeReadings(merged, second)).toEqual(merged);
    }),
  );
});
