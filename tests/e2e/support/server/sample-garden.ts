import type { GardenPlant } from './garden-rows.ts';

const hourMs = 3_600_000;

/** Noon of today in UTC+7 (ms), so that no day ends while a test runs. */
export const noon = new Date().setUTCHours(5, 0, 0, 0);

export function hoursAgo(hours: number): Date {
  return new Date(noon - hours * hourMs);
}

/** Seven plants, one in each state that the screens distinguish, at noon. */
export const garden: GardenPlant[] = [
  { nickname: 'Alma', species: 'Monstera deliciosa', last_watered: hoursAgo(48 - 3.5) },
  {
    nickname: 'Bruno',
    species: 'golden POTHOS',
    category: 'Outdoor',
    last_watered: hoursAgo(240),
    health_status: 'Critical',
  },
  {
    nickname: 'Carla',
    sunlight_requirements: 'Full Sun',
    watering_frequency: 1,
    last_watered: hoursAgo(3.5),
    health_status: 'Warning',
  },
  {
    nickname: 'Dora',
    category: 'Herb',
    watering_frequency: 3,
    last_watered: hoursAgo(1),
    auto_watering_enabled: true,
  },
  {
    nickname: 'Emil',
    species: 'Oak',
    plant_name: 'Little Oak',
    category: 'Outdoor',
    last_watered: hoursAgo(172),
    auto_watering_enabled: true,
  },
  {
    nickname: 'Flora',
    category: 'Outdoor',
    watering_frequency: 14,
    last_watered: hoursAgo(11),
    auto_watering_enabled: true,
  },
  {
    nickname: 'Gus',
    watering_frequency: 5,
    last_watered: hoursAgo(11.5),
    auto_watering_enabled: true,
  },
];
