import { expect, test } from 'vitest';
import { measures, possibleRange, type ReadingLog } from '#domain/reading/reading.ts';
import {
  nextSoil,
  readingAt,
  type Surroundings,
  simulateHistory,
} from '#simulator/world/climate.ts';
import { fc } from '../../support/properties.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Midnight in UTC+7. */
const midnight = Date.UTC(2026, 2, 9, 17);

const room: Surroundings = {
  seed: 5,
  outdoor: false,
  brightnessLux: 10_000,
  baseTemperature: 25,
  baseAirHumidity: 60,
  dryingPerDay: 8,
  fieldCapacity: 65,
};
const terrace: Surroundings = { ...room, outdoor: true };

test('the same seed, moment and soil humidity give the same reading; another seed gives another reading', () => {
  const noon = midnight + 12 * hourMs;
  expect(readingAt(room, noon, 50)).toEqual(readingAt({ ...room }, noon, 50));
  expect(readingAt(room, noon, 50)).not.toEqual(readingAt({ ...room, seed: 6 }, noon, 50));
});

test('property: in any surroundings every value is one that a sensor can report', () => {
  const surroundings = fc.record({
    seed: fc.integer(),
    outdoor: fc.boolean(),
    brightnessLux: fc.double({ min: 0, max: 400_000, noNaN: true }),
    baseTemperature: fc.double({ min: -80, max: 120, noNaN: true }),
    baseAirHumidity: fc.double({ min: -20, max: 130, noNaN: true }),
    dryingPerDay: fc.constant(8),
    fieldCapacity: fc.constant(65),
  });
  const moment = fc.integer({ min: midnight, max: midnight + 400 * dayMs });
  const soil = fc.double({ min: -5, max: 110, noNaN: true });
  fc.assert(
    fc.property(surroundings, moment, soil, (place, at, humidity) => {
      const reading = readingAt(place, at, humidity);
      for (const measure of measures) {
        const value = reading[measure] ?? Number.NaN;
        expect(value).toBeGreaterThanOrEqual(possibleRange[measure].min);
        expect(value).toBeLessThanOrEqual(possibleRange[measure].max);
        const digits = measure === 'luminance' ? 1 : 10;
        expect(Math.round(value * digits) / digits).toBe(value);
      }
    }),
  );
});

test.each([
  ['a room', room],
  ['a terrace', terrace],
])('in %s the nights of UTC+7 are dark, the noons bright', (_, place) => {
  for (let day = 0; day < 30; day += 1) {
    const light = (hour: number) =>
      readingAt(place, midnight + day * dayMs + hour * hourMs, 50).luminance;
    for (const hour of [0, 3, 5.5, 18.5, 21]) expect(light(hour)).toBe(0);
    expect(light(12)).toBeGreaterThan(0.4 * place.brightnessLux);
  }
});

test('the air is warmer and drier at 14:00 than at 2:00, and the difference is larger outdoors', () => {
  const difference = (place: Surroundings, measure: 'temperature' | 'air_humidity') => {
    const value = (hour: number) =>
      readingAt(place, midnight + hour * hourMs, 50)[measure] ?? Number.NaN;
    return value(14) - value(2);
  };
  expect(difference(room, 'temperature')).toBeGreaterThan(1);
  expect(difference(terrace, 'temperature')).toBeGreaterThan(difference(room, 'temperature'));
  expect(difference(room, 'air_humidity')).toBeLessThan(-2);
  expect(difference(terrace, 'air_humidity')).toBeLessThan(difference(room, 'air_humidity'));
});

test('no two noons of a month are equally bright', () => {
  const noons = Array.from(
    { length: 30 },
    (_, day) => readingAt(terrace, midnight + (day + 0.5) * dayMs, 50).luminance,
  );
  expect(new Set(noons).size).toBe(30);
});

test('moist soil dries about as fast as configured, drier soil more slowly', () => {
  const mild = { ...room, baseTemperature: 22 };
  const soil = mild.fieldCapacity - 3;
  const afterDay = nextSoil(mild, soil, midnight, midnight + dayMs);
  expect(soil - afterDay).toBeGreaterThan(0.7 * mild.dryingPerDay);
  expect(soil - afterDay).toBeLessThan(1.3 * mild.dryingPerDay);
  const later = nextSoil(mild, 20, midnight, midnight + dayMs);
  expect(20 - later).toBeLessThan(0.5 * (soil - afterDay));
});

test('soil dries faster by day than by night, and in warmth than in the cold', () => {
  const lost = (place: Surroundings, fromHour: number) => {
    const from = midnight + fromHour * hourMs;
    return 50 - nextSoil(place, 50, from, from + 4 * hourMs);
  };
  expect(lost(room, 10)).toBeGreaterThan(1.5 * lost(room, 0));
  expect(lost({ ...room, baseTemperature: 32 }, 10)).toBeGreaterThan(lost(room, 10));
});

test('soil never dries out completely, and does not change when no time passes', () => {
  expect(nextSoil(room, 60, midnight, midnight + 300 * dayMs)).toBeGreaterThan(0);
  expect(nextSoil(room, 2, midnight, midnight + dayMs)).toBe(2);
  expect(nextSoil(room, 60, midnight, midnight)).toBe(60);
  expect(nextSoil(room, 60, midnight, midnight - hourMs)).toBe(60);
});

test('many small steps dry soil like one large step', () => {
  let small = 60;
  for (let at = midnight; at < midnight + dayMs; at += 60_000)
    small = nextSoil(room, small, at, at + 60_000);
  expect(small).toBeCloseTo(nextSoil(room, 60, midnight, midnight + dayMs), 1);
});

const stepMs = 15 * minuteMs;
const from = Date.UTC(2026, 2, 1);
const to = from + 30 * dayMs;
/** Four minutes after a reading, because people also water between the times of two readings. */
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

test('steps of 15 minutes over 30 days give 2880 readings, oldest first, the last at the end of the 30 days', () => {
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

test('simulateHistory accepts waterings in any order and ignores those outside of the span', () => {
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
