import { expect, test } from 'vitest';
import { plantFieldNames } from '#domain/plant/fields.ts';
import { ageText, type Plant, type PlantRecord, toPlant } from '#domain/plant/plant.ts';
import { plantRecord } from '../../support/device/device-rows.ts';
import { plantPayload } from '../../support/factories.ts';

const now = Date.parse('2026-11-20T08:00:00Z');

/** The defaults of the mapping, as specified. */
const defaults: Plant = {
  id: '7',
  nickname: 'Unnamed Plant',
  actualName: '',
  species: '',
  category: 'Indoor',
  location: 'Unknown',
  description: '',
  age: '',
  dateAdded: null,
  image: 'default-plant',
  photoId: null,
  wateringFrequency: 7,
  sunlightRequirements: 'Medium',
  fertilizerSchedule: 'Monthly',
  deviceId: '7',
  idealTemperatureRange: { min: 18, max: 30 },
  iotIntegration: { healthStatus: 'good', autoWateringEnabled: false, lastWatered: null },
  tracking: {
    nextWateringDate: null,
    lastFertilized: null,
    reminderSettings: { enabled: false, frequency: 0 },
  },
  thresholds: {
    soilHumidity: { min: 30, max: 70 },
    airHumidity: { min: 40, max: 80 },
    temperature: { min: 18, max: 30 },
    luminance: { min: 1000, max: 15000 },
  },
};

/** A record with the given value in every field, including the id. */
function filledWith(value: null | undefined): PlantRecord {
  return { id: 7, ...Object.fromEntries(Object.keys(plantRecord()).map((name) => [name, value])) };
}

test.each<[string, PlantRecord]>([
  ['missing', { id: 7 }],
  ['null', { ...filledWith(null), id: 7 }],
  ['undefined', { ...filledWith(undefined), id: 7 }],
])('shows the defaults for %s values', (_, record) => {
  expect(toPlant(record, now)).toEqual(defaults);
});

test('replaces a zero value by the default', () => {
  const numbers = plantFieldNames.filter((name) => typeof plantPayload()[name] === 'number');
  expect(numbers).toContain('watering_frequency');
  const zeros = Object.fromEntries(numbers.map((name) => [name, 0]));
  expect(toPlant({ id: 7, ...zeros }, now)).toEqual(defaults);
});

test('replaces an empty text by the default', () => {
  const blank = { nickname: '', category: '', location: '', device_id: '' };
  expect(toPlant({ id: 7, ...blank }, now)).toEqual(defaults);
});

test('shows the values of the server instead of the defaults', () => {
  const record = plantRecord({
    id: 'a/1',
    nickname: 'Fernando',
    description: 'Likes mist',
    device_id: 'esp-9',
    auto_watering_enabled: true,
    reminder_enabled: true,
    reminder_days_before: 2,
    age: 'ancient',
    health_status: 'Warning',
    ideal_temperature_min: -5,
    luminance_threshold_min: 20,
    photo_id: 'photo-1',
  });
  expect(toPlant(record, now)).toEqual({
    id: 'a/1',
    nickname: 'Fernando',
    actualName: 'Boston Fern',
    species: 'Boston Fern',
    category: 'Indoor',
    location: 'Bathroom',
    description: 'Likes mist',
    age: 'ancient',
    dateAdded: '2026-10-01T08:00:00.000Z',
    image: 'boston-fern',
    photoId: 'photo-1',
    wateringFrequency: 3,
    sunlightRequirements: 'Medium',
    fertilizerSchedule: 'Monthly',
    deviceId: 'esp-9',
    idealTemperatureRange: { min: -5, max: 25 },
    iotIntegration: {
      healthStatus: 'fair',
      autoWateringEnabled: true,
      lastWatered: '2026-11-01T08:00:00.000Z',
    },
    tracking: {
      nextWateringDate: '2026-11-04T08:00:00.000Z',
      lastFertilized: null,
      reminderSettings: { enabled: true, frequency: 2 },
    },
    thresholds: {
      soilHumidity: { min: 30, max: 70 },
      airHumidity: { min: 40, max: 60 },
      temperature: { min: 15, max: 30 },
      luminance: { min: 20, max: 10000 },
    },
  });
});

test('computes the age when the server sends none', () => {
  expect(toPlant(plantRecord(), now).age).toMatch(/^1 month/);
});

test('does not change the raw record', () => {
  const record = Object.freeze<PlantRecord>({ id: 7, watering_frequency: 0 });
  toPlant(record, now);
  expect(record).toEqual({ id: 7, watering_frequency: 0 });
});

test('plantFieldNames has exactly the fields of a plant payload, each once', () => {
  expect([...plantFieldNames].sort()).toEqual(Object.keys(plantPayload()).sort());
});

const noon = (date: string) => `${date}T12:00:00Z`;

test.each([
  ['2026-03-10', '2026-03-10', /^0 days$/],
  ['2026-03-10', '2026-03-11', /^1 day$/],
  ['2026-03-10', '2026-04-09', /^30 days$/],
  ['2026-02-10', '2026-03-09', /^27 days$/],
  ['2026-01-31', '2026-02-28', /^28 days$/],
])('a plant added on %s shows days on %s', (added, today, text) => {
  expect(ageText(noon(added), Date.parse(noon(today)))).toMatch(text);
});

test.each([
  ['2026-03-10', '2026-04-10', /^1 month$/],
  ['2026-03-10', '2026-05-09', /^1 month$/],
  ['2026-03-10', '2027-03-09', /^11 months$/],
  ['2025-12-15', '2026-02-20', /^2 months$/],
])('a plant added on %s shows months on %s', (added, today, text) => {
  expect(ageText(noon(added), Date.parse(noon(today)))).toMatch(text);
});

test.each([
  ['2025-03-10', '2026-03-10', /^1 year\b/],
  ['2025-03-10', '2026-04-10', /^1 year\b.*\b1 month$/],
  ['2025-03-10', '2026-05-10', /^1 year\b.*\b2 months$/],
  ['2021-07-01', '2026-11-20', /^5 years\b.*\b4 months$/],
  ['2024-02-29', '2026-02-28', /^1 year\b.*\b11 months$/],
  ['2024-03-10', '2026-03-10', /^2 years\b/],
])('a plant added on %s shows years and months on %s', (added, today, text) => {
  expect(ageText(noon(added), Date.parse(noon(today)))).toMatch(text);
});

test('a plant added in the future is 0 days old', () => {
  expect(ageText('2026-03-10T12:00:05Z', Date.parse('2026-03-10T12:00:00Z'))).toBe('0 days');
});

test.each([null, undefined, '', 'long ago'])('shows no age for a plant added at %j', (added) => {
  expect(ageText(added, 0)).toBe('');
});
