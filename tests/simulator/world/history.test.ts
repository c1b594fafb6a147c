import { expect, test } from 'vitest';
import type { ReadingLog } from '#domain/reading/reading.ts';
import type { Surroundings } from '#simulator/world/climate.ts';
import { simulateHistory } from '#simulator/world/history.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const stepMs = 15 * minuteMs;
const from = Date.UTC(2026, 2, 1);
const to = from + 30 * dayMs;
/** Between two steps, as people water. */
const wateredAt = [7, 14, 21, 28].map((day) => from + day * dayMs + 4 * minuteMs);
/** What a soil sensor's noise and rounding can add between two readings. */
const noise = 0.4;

const place: Surroundings = {
  seed: 8,
  outdoor: false,
  brightnessLux: 9_000,
  baseTemperature: 25,
  baseAirHumidity: 60,
  dryingPerDay: 6,
  fieldCapacity: 62,
};

const month = { from, to, stepMs, wateredAt, startSoil: 45 };

test('15-minute steps over 30 days give 2880 readings, oldest first, the last at the end', () => {
  const readings = simulateHistory(place, month);
  expect(readings).toHaveLength(2_880);
  expect(readings.map(momentOf)).toEqual(
    Array.from({ length: 2_880 }, (_, i) => from + (i + 1) * stepMs),
  );
});

test('the same surroundings and span give the same history', () => {
  expect(simulateHistory(place, month)).toEqual(simulateHistory({ ...place }, { ...month }));
});

test('between waterings soil only dries, apart from the sensor noise', () => {
  const readings = simulateHistory(place, month);
  for (const [i, reading] of readings.entries()) {
    const previous = readings[i - 1];
    if (!previous || wateredAt.some((w) => w > momentOf(previous) && w <= momentOf(reading)))
      continue;
    expect(soilOf(reading)).toBeLessThanOrEqual(soilOf(previous) + noise);
  }
});

test('each watering raises soil humidity to the capacity of the pot, and a little drains within the hour', () => {
  const readings = simulateHistory(place, month);
  for (const watered of wateredAt) {
    const soilAt = (moment: number) =>
      soilOf(readings.findLast((reading) => momentOf(reading) <= moment));
    expect(soilAt(watered)).toBeLessThan(45);
    expect(soilAt(watered + stepMs)).toBeGreaterThan(59.5);
    expect(soilAt(watered + stepMs)).toBeLessThanOrEqual(62.2);
    expect(soilAt(watered + hourMs)).toBeLessThan(soilAt(watered + stepMs));
  }
});

test('waterings in any order count, those outside the span do not', () => {
  const expected = simulateHistory(place, month);
  const shuffled = [...wateredAt].reverse();
  expect(simulateHistory(place, { ...month, wateredAt: shuffled })).toEqual(expected);
  const outside = [from - dayMs, ...wateredAt, to + dayMs];
  expect(simulateHistory(place, { ...month, wateredAt: outside })).toEqual(expected);
});

function momentOf(reading: ReadingLog): number {
  return Date.parse(reading.timestamp);
}

function soilOf(reading: ReadingLog | undefined): number {
  return reading?.soil_humidity ?? Number.NaN;
}
