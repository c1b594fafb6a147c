import * as v from 'valibot';
import { expect, test } from 'vitest';
import { plantPayloadSchema } from '#contract/plant-payload.ts';
import { isSameDay } from '#domain/dates.ts';
import { healthFromReadings } from '#domain/plant/health.ts';
import { categories, fertilizerLabels, sunlightLabels } from '#domain/plant/options.ts';
import { pictureFor } from '#domain/plant/picture.ts';
import { nextWateringDate, wateringStatusText } from '#domain/watering/schedule.ts';
import { defaultZone } from '#domain/zone.ts';
import type { DemoPlant } from '#server/demo/demo-plant.ts';
import { demoReadings, demoWaterings } from '#server/demo/history.ts';
import { climateOf, demoPlants } from '#server/demo/seed-demo.ts';
import { simulateHistory } from '#simulator/world/climate.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.UTC(2026, 0, 3, 0, 17);
/** Moments at every hour of the day and in every season. */
const moments = Array.from({ length: 24 }, (_, i) => start + i * (15 * dayMs + 5 * hourMs));
const named = demoPlants.map((plant): [string, DemoPlant] => [plant.fields.nickname, plant]);

test('the twelve demo plants pass the validation of added plants', () => {
  expect(demoPlants).toHaveLength(12);
  for (const { fields } of demoPlants) {
    expect(v.parse(plantPayloadSchema, fields)).toEqual(fields);
  }
});

test('the demo plants have every picture, category, sunlight and fertilizer schedule', () => {
  const shown = (of: (plant: DemoPlant) => string) => [...new Set(demoPlants.map(of))].sort();
  expect(shown(({ fields }) => pictureFor(fields.species))).toEqual([
    'aloe-vera',
    'boston-fern',
    'default-plant',
    'fiddle-leaf-fig',
    'monstera',
    'peace-lily',
    'pothos',
    'snake-plant',
    'zz-plant',
  ]);
  expect(shown(({ fields }) => fields.category)).toEqual([...categories].sort());
  expect(shown(({ fields }) => fields.sunlight_requirements)).toEqual(
    Object.keys(sunlightLabels).sort(),
  );
  expect(shown(({ fields }) => fields.fertilizer_schedule)).toEqual(
    Object.keys(fertilizerLabels).sort(),
  );
});

test('the demo plants have every health status, and all but one have their own device', () => {
  const health = new Set(demoPlants.map((plant) => plant.health));
  expect(health).toEqual(new Set(['Good', 'Warning', 'Critical', 'Unknown']));
  const devices = demoPlants.map(({ fields }) => fields.device_id).filter((id) => id !== null);
  expect(new Set(devices).size).toBe(11);
});

test('the youngest demo plant is two days old, the oldest over four years, and the longest name has 44 characters', () => {
  const ages = demoPlants.map((plant) => plant.daysOld);
  expect(Math.min(...ages)).toBe(2);
  expect(Math.max(...ages)).toBeGreaterThan(4 * 365);
  expect(Math.max(...named.map(([nickname]) => nickname.length))).toBe(44);
});

test.each(named)('%s has its intended health at any hour of any season', (_, plant) => {
  for (const now of moments) {
    const newestFirst = demoReadings(plant, now, simulateHistory).reverse();
    expect(healthFromReadings(plant.fields, newestFirst, now)).toBe(plant.health);
  }
});

test.each(named)(
  '%s has a reading every 15 minutes for at most its last 30 days, and none without a device',
  (_, plant) => {
    const readings = demoReadings(plant, start, simulateHistory);
    const days = plant.fields.device_id === null ? 0 : Math.min(30, plant.daysOld);
    expect(readings).toHaveLength(days * 96);
    if (days > 0) expect(readings.at(-1)?.timestamp).toBe(new Date(start).toISOString());
  },
);

test.each(named)(
  '%s has waterings only since it was added, and each raises the soil humidity',
  (_, plant) => {
    const readings = demoReadings(plant, start, simulateHistory);
    const waterings = demoWaterings(plant, start);
    expect(waterings).toEqual([...waterings].sort((a, b) => a - b));
    for (const moment of waterings) {
      expect(moment).toBeGreaterThan(start - plant.daysOld * dayMs);
      expect(moment).toBeLessThanOrEqual(start);
      const before = readings.findLast(({ timestamp }) => Date.parse(timestamp) < moment);
      const after = readings.find(({ timestamp }) => Date.parse(timestamp) >= moment);
      if (!before || !after) continue;
      expect(after.soil_humidity).toBeGreaterThan((before.soil_humidity ?? 100) + 5);
    }
  },
);

test('there are plants due now, overdue for days, due tomorrow and due in weeks', () => {
  const daysLeft = demoPlants.map((plant) => (Date.parse(dueOf(plant, start)) - start) / dayMs);
  expect(daysLeft.some((days) => days <= 0 && days > -1)).toBe(true);
  expect(daysLeft.some((days) => days < -3)).toBe(true);
  expect(daysLeft.some((days) => days > 14)).toBe(true);
  const texts = demoPlants.map((plant) => wateringStatusText(dueOf(plant, start), start));
  expect(texts).toContain('Water now!');
  expect(texts).toContain('Tomorrow');
});

test('three demo plants are watered automatically, at least one of them today, even a minute past midnight', () => {
  const automatic = demoPlants.filter(({ fields }) => fields.auto_watering_enabled);
  expect(automatic).toHaveLength(3);
  const pastMidnight = Date.UTC(2026, 2, 9, 17, 1);
  for (const now of [...moments, pastMidnight]) {
    const today = automatic.filter((plant) =>
      isSameDay(demoWaterings(plant, now).at(-1) ?? 0, now, defaultZone),
    );
    expect(today.some((plant) => plant.watering.daysAgo === 'today')).toBe(true);
  }
});

test('the pump ran only when the soil was at its minimum', () => {
  for (const plant of demoPlants.filter(({ watering }) => watering.by === 'auto')) {
    const readings = demoReadings(plant, start, simulateHistory);
    for (const moment of demoWaterings(plant, start)) {
      const before = readings.findLast(({ timestamp }) => Date.parse(timestamp) < moment);
      if (!before) continue;
      const minimum = plant.fields.soil_humidity_threshold_min ?? 0;
      expect(before.soil_humidity).toBeLessThan(minimum + 1);
    }
  }
});

test('each demo plant with a device has its own climate; plants with other devices share one climate', () => {
  for (const { fields, climate } of demoPlants) {
    if (fields.device_id !== null) expect(climateOf(fields)).toBe(climate);
  }
  expect(climateOf({ device_id: 'balcony-7' })).toEqual(climateOf({ device_id: 'shed-1' }));
});

function dueOf(plant: DemoPlant, now: number): string {
  const watered = demoWaterings(plant, now).at(-1);
  return nextWateringDate({
    last_watered: watered === undefined ? null : new Date(watered).toISOString(),
    date_added: new Date(now - plant.daysOld * dayMs).toISOString(),
    watering_frequency: plant.fields.watering_frequency,
  });
}
