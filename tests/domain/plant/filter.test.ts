import { expect, test } from 'vitest';
import {
  matchesFilter,
  matchesSearch,
  type PlantFilter,
  plantFilters,
  plantStats,
} from '#domain/plant/filter.ts';
import { type Plant, type PlantRecord, toPlant } from '#domain/plant/plant.ts';
import { defaultZone, timeZoneOf } from '#domain/zone.ts';
import { plantRecord } from '../../support/device/device-rows.ts';

/** 15:00 of 20 November in UTC+7. */
const now = Date.parse('2026-11-20T08:00:00Z');

function plant(changes: Partial<PlantRecord> = {}): Plant {
  const later = { next_watering_date: '2026-11-30T08:00:00Z' };
  return toPlant(plantRecord({ ...later, ...changes }), now);
}

test('lists the filters in the order of the menu', () => {
  expect(plantFilters.join(', ')).toBe(
    'All, Needs Water, Needs Attention, Auto-Watering, Indoor, Outdoor',
  );
});

test.each<[what: string, Partial<PlantRecord>, PlantFilter[]]>([
  ['an indoor plant that lacks nothing', {}, ['All', 'Indoor']],
  ['an outdoor plant', { category: 'Outdoor' }, ['All', 'Outdoor']],
  ['a herb', { category: 'Herb' }, ['All']],
  ['one due now', { next_watering_date: '2026-11-20T08:00:00Z' }, ['All', 'Indoor', 'Needs Water']],
  ['one due in a second', { next_watering_date: '2026-11-20T08:00:01Z' }, ['All', 'Indoor']],
  ['one overdue', { next_watering_date: '2026-01-01T00:00:00Z' }, ['All', 'Indoor', 'Needs Water']],
  ['one without a date', { next_watering_date: null }, ['All', 'Indoor']],
  ['one in fair health', { health_status: 'Warning' }, ['All', 'Indoor']],
  ['one in critical health', { health_status: 'Critical' }, ['All', 'Indoor', 'Needs Attention']],
  ['one watered by itself', { auto_watering_enabled: true }, ['All', 'Auto-Watering', 'Indoor']],
])('filters %s correctly', (_, changes, filters) => {
  const found = plantFilters.filter((filter) => matchesFilter(plant(changes), filter, now));
  expect(found.sort()).toEqual(filters.sort());
});

test.each([
  ['', true],
  ['  ', true],
  ['ella', true],
  ['ELLA', true],
  ['zamio', true],
  [' zz pl', true],
  ['Bathroom', false],
  ['Indoor', false],
  ['monstera', false],
])('a search for %j matches nickname, name or species, case-insensitive: %s', (text, found) => {
  const searched = plant({
    nickname: 'Ella',
    plant_name: 'Zamioculcas',
    species: 'ZZ Plant',
  });
  expect(matchesSearch(searched, text)).toBe(found);
});

test('counts the plants of each tile', () => {
  const due = { next_watering_date: '2026-11-20T07:00:00Z' };
  const auto = { auto_watering_enabled: true };
  const plants = [
    plant(),
    plant({ ...due, health_status: 'Critical' }),
    plant({ ...due, health_status: 'Warning' }),
    plant({ ...auto, last_watered: '2026-11-19T17:00:00Z' }),
    plant({ ...auto, last_watered: '2026-11-20T08:00:00Z' }),
    plant({ ...auto, last_watered: '2026-11-19T16:59:59Z' }),
    plant({ ...auto, last_watered: null }),
    plant({ last_watered: '2026-11-20T07:00:00Z' }),
  ];
  expect(plantStats(plants, now, defaultZone)).toEqual({
    total: 8,
    needsWater: 2,
    needsAttention: 1,
    autoWateredToday: 2,
  });
});

test.each([
  ['Pacific/Pago_Pago', 2],
  ['UTC', 1],
  ['Pacific/Kiritimati', 3],
])('counts the plants that were watered automatically on the current day in %s', (name, count) => {
  const auto = { auto_watering_enabled: true };
  const plants = [
    plant({ ...auto, last_watered: '2026-11-20T00:30:00Z' }),
    plant({ ...auto, last_watered: '2026-11-19T23:30:00Z' }),
    plant({ ...auto, last_watered: '2026-11-19T10:30:00Z' }),
  ];
  const noon = Date.parse('2026-11-20T09:00:00Z');
  expect(plantStats(plants, noon, timeZoneOf(name)).autoWateredToday).toBe(count);
});

test('counts zero without plants', () => {
  const nothing = { total: 0, needsWater: 0, needsAttention: 0, autoWateredToday: 0 };
  expect(plantStats([], now, defaultZone)).toEqual(nothing);
});
