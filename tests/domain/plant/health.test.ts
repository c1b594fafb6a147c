import { expect, test } from 'vitest';
import {
  type HealthStatus,
  healthFromReadings,
  healthFromServer,
  healthText,
  isHealthy,
  needsAttention,
  type ServerHealth,
} from '#domain/plant/health.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';

const now = Date.parse('2026-11-20T08:00:00Z');
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const thresholds = {
  soil_humidity_threshold_min: 30,
  soil_humidity_threshold_max: 70,
  air_humidity_threshold_min: 40,
  air_humidity_threshold_max: 60,
  temperature_threshold_min: 15,
  temperature_threshold_max: 30,
  luminance_threshold_min: 1000,
  luminance_threshold_max: 10000,
};
const noThresholds = Object.fromEntries(
  Object.keys(thresholds).map((name) => [name, null]),
) as Record<keyof typeof thresholds, null>;

function reading(changes: Partial<ReadingLog> = {}, age = 0): ReadingLog {
  return {
    timestamp: new Date(now - age).toISOString(),
    soil_humidity: 50,
    air_humidity: 50,
    temperature: 22,
    luminance: 5000,
    ...changes,
  };
}

test.each<[server: string | null | undefined, client: HealthStatus]>([
  ['Good', 'good'],
  ['Warning', 'fair'],
  ['Critical', 'critical'],
  ['Unknown', 'good'],
  ['Splendid', 'good'],
  ['', 'good'],
  [null, 'good'],
  [undefined, 'good'],
])('maps %s of the server to %s', (server, client) => {
  expect(healthFromServer(server)).toBe(client);
});

test.each<[HealthStatus, text: string, attention: boolean]>([
  ['excellent', 'Healthy', false],
  ['good', 'Healthy', false],
  ['fair', 'Needs attention', false],
  ['poor', 'Needs attention', true],
  ['critical', 'Needs attention', true],
])('%s is shown as %s and needs attention: %s', (health, text, attention) => {
  expect(healthText(health)).toBe(text);
  expect(isHealthy(health)).toBe(text === 'Healthy');
  expect(needsAttention(health)).toBe(attention);
});

test.each<[Partial<ReadingLog>, ServerHealth]>([
  [{}, 'Good'],
  [{ soil_humidity: 30, air_humidity: 60, temperature: 15, luminance: 10000 }, 'Good'],
  [{ soil_humidity: 29.9 }, 'Warning'],
  [{ soil_humidity: 70.1 }, 'Warning'],
  [{ air_humidity: 39 }, 'Warning'],
  [{ temperature: 31 }, 'Warning'],
  [{ luminance: 0 }, 'Warning'],
  [{ temperature: 31, luminance: 999 }, 'Critical'],
  [{ air_humidity: 90, temperature: 31, luminance: 999 }, 'Critical'],
  [{ soil_humidity: 15 }, 'Warning'],
  [{ soil_humidity: 14.9 }, 'Critical'],
  [{ soil_humidity: 0 }, 'Critical'],
  [{ soil_humidity: null, air_humidity: null, luminance: null }, 'Good'],
])('with a latest reading of %o the health is %s', (changes, health) => {
  expect(healthFromReadings(thresholds, [reading(changes)], now)).toBe(health);
});

test('the health is Good without thresholds', () => {
  const extreme = reading({ soil_humidity: 0, air_humidity: 100, temperature: -40, luminance: 0 });
  expect(healthFromReadings(noThresholds, [extreme], now)).toBe('Good');
});

test.each<[soilNewestFirst: (number | null)[], ServerHealth]>([
  [[31], 'Good'],
  [[31, 29], 'Warning'],
  [[31.4, 30, 29], 'Warning'],
  [[31.5, 29], 'Good'],
  [[31, 32, 29], 'Good'],
  [[31, null, 29], 'Warning'],
  [[14], 'Critical'],
  [[null, null, 14], 'Critical'],
  [[null, 15, 14], 'Warning'],
  [[69], 'Good'],
  [[69, 71], 'Warning'],
  [[66.6, 69, 71], 'Warning'],
  [[66.5, 71], 'Good'],
  [[69, 50, 71], 'Good'],
])('applies hysteresis at the threshold: newest first %j is %s', (soil, health) => {
  const readings = soil.map((value, i) => reading({ soil_humidity: value }, i * 15 * minuteMs));
  expect(healthFromReadings(thresholds, readings, now)).toBe(health);
});

test.each<[temperatures: number[], ServerHealth]>([
  [[-9.8, -11], 'Warning'],
  [[-9.5, -11], 'Good'],
])('applies hysteresis inwards below 0 °C: %j is %s', (temperatures, health) => {
  const plant = { ...thresholds, temperature_threshold_min: -10 };
  const readings = temperatures.map((temperature, i) => reading({ temperature }, i * minuteMs));
  expect(healthFromReadings(plant, readings, now)).toBe(health);
});

test.each<[age: number, ServerHealth]>([
  [-5 * minuteMs, 'Warning'],
  [dayMs, 'Warning'],
  [dayMs + 1, 'Unknown'],
  [30 * dayMs, 'Unknown'],
])('with a latest reading %d ms ago the health is %s', (age, health) => {
  expect(healthFromReadings(thresholds, [reading({ temperature: 31 }, age)], now)).toBe(health);
});

test('with a narrow range a measure is Good again only near the middle of the range', () => {
  const narrow = { ...noThresholds, temperature_threshold_min: 20, temperature_threshold_max: 21 };
  const judged = (...newestFirst: number[]) =>
    healthFromReadings(
      narrow,
      newestFirst.map((temperature, n) => reading({ temperature }, n * minuteMs)),
      now,
    );
  expect(judged(20.9, 21.1)).toBe('Warning');
  expect(judged(20.6, 21.1)).toBe('Good');
  expect(judged(20.9, 20.6, 21.1)).toBe('Good');
});

test('the health is Unknown without a reading', () => {
  expect(healthFromReadings(thresholds, [], now)).toBe('Unknown');
});
