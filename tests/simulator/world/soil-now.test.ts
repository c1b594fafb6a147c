import { expect, test } from 'vitest';
import { nextSoil, type Surroundings } from '#simulator/world/climate.ts';
import { soilNow } from '#simulator/world/soil-now.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const now = Date.UTC(2026, 2, 9, 5);
const iso = (moment: number) => new Date(moment).toISOString();

const place: Surroundings = {
  seed: 8,
  outdoor: false,
  brightnessLux: 9_000,
  baseTemperature: 25,
  baseAirHumidity: 60,
  dryingPerDay: 6,
  fieldCapacity: 62,
};
const read = {
  latest_soil_humidity: 40,
  last_reading_time: iso(now - hourMs),
  last_watered: iso(now - 50 * hourMs),
};

test('soil humidity continues from the latest reading', () => {
  const soil = soilNow(place, read, now, undefined);
  expect(soil.humidity).toBe(nextSoil(place, 40, now - hourMs, now));
  expect(soil.humidity).toBeLessThan(40);
});

test('a watering since the latest reading raises soil humidity to the capacity of the pot', () => {
  const watered = { ...read, last_watered: iso(now - minuteMs) };
  expect(soilNow(place, watered, now, undefined).humidity).toBeGreaterThan(60);
});

test('a watering that reaches the server after a later reading still raises soil humidity, but only once', () => {
  const first = soilNow(place, read, now, undefined);
  const late = { ...read, last_reading_time: iso(now), last_watered: iso(now - 5_000) };
  const second = soilNow(place, late, now + minuteMs, first);
  expect(second.humidity).toBeGreaterThan(60);
  const known = { ...late, last_reading_time: iso(now + minuteMs), latest_soil_humidity: 61 };
  expect(soilNow(place, known, now + 10 * hourMs, second).humidity).toBeLessThan(60);
});

test('soil dries over many short steps although the reported values are rounded', () => {
  const start = soilNow(place, read, now, undefined);
  let soil = start;
  for (let round = 1; round <= 6 * 180; round += 1) {
    const plant = { ...read, latest_soil_humidity: 40, last_reading_time: iso(soil.at) };
    soil = soilNow(place, plant, now + round * 20_000, soil);
  }
  expect(start.humidity - soil.humidity).toBeGreaterThan(0.5);
});

test('a newer reading from another device replaces the simulated soil humidity', () => {
  const fed = { humidity: 55, at: now - 2 * hourMs, wateredAt: now - 50 * hourMs };
  expect(soilNow(place, read, now, fed).humidity).toBeLessThan(40);
});

test('a plant without readings starts at half the capacity of the pot, or at the full capacity if it was watered', () => {
  const never = { latest_soil_humidity: null, last_reading_time: null, last_watered: null };
  expect(soilNow(place, never, now, undefined).humidity).toBe(31);
  const watered = { ...never, last_watered: iso(now) };
  expect(soilNow(place, watered, now, undefined).humidity).toBe(62);
});

test('a watering by the own pump does not raise soil humidity again; one by hand, before or after it, does', () => {
  const fed = { humidity: 45, at: now, wateredAt: now - 50 * hourMs };
  const pumped = { at: now - 2 * minuteMs, reportedAt: now - minuteMs };
  const watered = (moment: number) => ({ ...read, last_watered: iso(moment) });
  const soilAfter = (moment: number, run: typeof pumped | { at: number; reportedAt: null }) =>
    soilNow(place, watered(moment), now, { ...fed, pumped: run }).humidity;
  expect(soilAfter(now - minuteMs - 10, pumped)).toBe(45);
  expect(soilAfter(now - 5_000, pumped)).toBeGreaterThan(60);
  expect(soilAfter(now - 10 * minuteMs, pumped)).toBeGreaterThan(59);
  expect(soilAfter(now - 5_000, { ...pumped, reportedAt: null })).toBe(45);
});
