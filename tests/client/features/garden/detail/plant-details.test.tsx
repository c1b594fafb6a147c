import { afterAll, expect, test, vi } from 'vitest';
import { PlantCareSettings, PlantOverview } from '#client/features/garden/detail/plant-details.tsx';
import type { PlantDetails } from '#client/features/garden/use-garden.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { inDashboard } from '../../support/in-dashboard.tsx';
import { textsOf } from '../../support/markup.ts';
import { plantView } from '../support/plant-view.ts';

const fern: Partial<PlantRecord> = {
  nickname: 'Alma',
  plant_name: 'Sword Fern',
  species: 'Boston Fern',
  category: 'Outdoor',
  location: 'Balcony',
  description: 'Likes mist',
  age: '2 years, 1 month',
  date_added: '2024-10-01T20:00:00Z',
  watering_frequency: 3,
  sunlight_requirements: 'High',
  fertilizer_schedule: 'Bimonthly',
  ideal_temperature_min: 16,
  ideal_temperature_max: 27,
  last_watered: '2026-11-01T20:30:00Z',
  next_watering_date: '2026-11-04T20:30:00Z',
  last_fertilized: '2026-10-31T20:00:00Z',
  reminder_enabled: true,
  reminder_days_before: 1,
  soil_humidity_threshold_min: 25,
  soil_humidity_threshold_max: 70,
  luminance_threshold_min: 1500,
  luminance_threshold_max: 12_000,
};

function detailed(changes: Partial<PlantRecord> = {}): PlantDetails {
  const { device_id = null, auto_watering_note = null } = changes;
  const view = plantView({ ...fern, ...changes });
  return { ...view, deviceId: device_id, wateringNote: auto_watering_note };
}

// Sets the clock before any module reads it, because the overview says in how many days the plant is due.
vi.hoisted(() => {
  vi.setSystemTime('2026-11-01T21:00:00Z');
  vi.resetModules();
});
afterAll(() => {
  vi.useRealTimers();
  vi.resetModules();
});

const nothing = () => undefined;

function overview(changes: Partial<PlantRecord> = {}, handlers = {}) {
  return textsOf(inDashboard(<PlantOverview view={detailed(changes)} {...handlers} />));
}

test('the overview shows plant information, care requirements, tracking information and notes', () => {
  expect(overview({ auto_watering_enabled: true })).toEqual([
    ...['In 3 days', 'Healthy', 'Water Now', 'Auto-watering', 'on'],
    'Plant information',
    ...['Nickname', 'Alma', 'Plant name', 'Sword Fern', 'Species', 'Boston Fern'],
    ...['Category', 'Outdoor', 'Location', 'Balcony'],
    // Dates are in UTC+7.
    ...['Age', '2 years, 1 month', 'Added', 'Oct 2, 2024'],
    'Care requirements',
    ...['Watering', 'Every 3 days', 'Sunlight', 'Bright Light', 'Fertilizer', 'Every 2 Months'],
    ...['Ideal temperature', '16–27 °C'],
    'Tracking information',
    ...['Last watered', 'Nov 2, 2026, 3:30 AM', 'Next watering', 'Nov 5, 2026, 3:30 AM'],
    ...['Last fertilized', 'Nov 1, 2026', 'Reminders', '1 day before due'],
    'Notes',
    'Likes mist',
  ]);
});

test('the overview shows texts for missing values and disabled settings, e.g. "Never" and "Off"', () => {
  const texts = overview({
    last_watered: null,
    last_fertilized: null,
    reminder_enabled: false,
    description: null,
    location: null,
  });
  const textAfter = (name: string) => texts[texts.indexOf(name) + 1];
  expect(textAfter('Auto-watering')).toBe('off');
  expect(textAfter('Last watered')).toBe('Never');
  expect(textAfter('Last fertilized')).toBe('Never');
  expect(textAfter('Reminders')).toBe('Off');
  expect(textAfter('Location')).toBe('Unknown');
  expect(textAfter('Notes')).toBe('No notes yet.');
});

test('the overview shows why automatic watering did not water', () => {
  expect(overview({ auto_watering_note: 'Not watered: the pump rests' })).toContain(
    'Not watered: the pump rests',
  );
});

test('edit and delete are offered only when their handlers are given', () => {
  expect(overview({}, { onEdit: nothing, onDelete: nothing }).slice(-2)).toEqual([
    'Edit Plant',
    'Delete',
  ]);
  expect(overview().join(' ')).not.toMatch(/Edit|Delete/);
});

test('the care settings show care, thresholds and smart features, with Edit Plant and Close', () => {
  const view = detailed({ device_id: 'esp-9', auto_watering_enabled: true });
  const settings = <PlantCareSettings view={view} onEdit={nothing} onClose={nothing} />;
  expect(textsOf(settings)).toEqual([
    'Care',
    ...['Watering', 'Every 3 days', 'Sunlight', 'Bright Light', 'Fertilizer', 'Every 2 Months'],
    ...['Ideal temperature', '16–27 °C'],
    'Sensor thresholds',
    ...['Soil humidity', '25–70 %', 'Air humidity', '40–60 %', 'Temperature', '15–30 °C'],
    ...['Light', '1,500–12,000 lux'],
    'Smart features',
    ...['Auto-watering', 'On', 'Device', 'esp-9'],
    ...['Close', 'Edit Plant'],
  ]);
});

test('the care settings of a plant without a device say "No device"', () => {
  const settings = <PlantCareSettings view={detailed()} onClose={nothing} />;
  expect(textsOf(settings).slice(-3)).toEqual(['Device', 'No device', 'Close']);
});
