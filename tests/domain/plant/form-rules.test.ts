import { expect, test } from 'vitest';
import { wireFields } from '#domain/plant/fields.ts';
import { formDefaults, type PlantFormValues } from '#domain/plant/form.ts';
import { boundsOf, checkStep, errorOf } from '#domain/plant/form-rules.ts';

const named = { ...formDefaults, nickname: 'Fern', plant_name: 'Boston Fern', species: 'Fern' };

test('requires three names and reports them in the order of the inputs', () => {
  expect(Object.entries(checkStep('basics', formDefaults))).toEqual([
    ['nickname', 'Nickname is required'],
    ['plant_name', 'Plant name is required'],
    ['species', 'Species is required'],
  ]);
  expect(checkStep('basics', { ...named, nickname: '  ' })).toEqual({
    nickname: 'Nickname is required',
  });
  expect(checkStep('basics', named)).toEqual({});
});

test('a text must not be longer than the server allows', () => {
  const tooLong = 'Must be at most 200 characters';
  expect(checkStep('basics', { ...named, nickname: ` ${'x'.repeat(200)} ` })).toEqual({});
  expect(
    checkStep('basics', {
      ...named,
      plant_name: 'x'.repeat(201),
      location: 'x'.repeat(501),
      description: 'x'.repeat(20_001),
    }),
  ).toEqual({
    plant_name: tooLong,
    location: 'Must be at most 500 characters',
    description: 'Must be at most 20000 characters',
  });
  expect(checkStep('smart', { ...named, device_id: 'x'.repeat(201) })).toEqual({
    device_id: tooLong,
  });
});

const order = 'Minimum must be less than maximum';

test.each<[what: string, typed: Partial<PlantFormValues>, errors: object]>([
  ['the defaults', {}, {}],
  [
    'no days at all',
    { watering_frequency: 0 },
    { watering_frequency: 'Must be a positive number' },
  ],
  ['days below', { watering_frequency: -2 }, { watering_frequency: 'Must be a positive number' }],
  ['empty days', { watering_frequency: null }, { watering_frequency: 'Must be a positive number' }],
  ['equal ends', { ideal_temperature_min: 25 }, { ideal_temperature_min: order }],
  [
    'ends in the wrong order',
    { temperature_threshold_min: 31 },
    { temperature_threshold_min: order },
  ],
  [
    'a soil humidity minimum above the maximum',
    { soil_humidity_threshold_min: 71 },
    { soil_humidity_threshold_min: order },
  ],
  [
    'an air humidity maximum equal to the minimum',
    { air_humidity_threshold_max: 40 },
    { air_humidity_threshold_min: order },
  ],
  [
    'a luminance maximum below the minimum',
    { luminance_threshold_max: 10 },
    { luminance_threshold_min: order },
  ],
  ['an emptied minimum', { ideal_temperature_min: null }, { ideal_temperature_min: order }],
  ['an emptied maximum', { ideal_temperature_max: null }, { ideal_temperature_max: order }],
  [
    'soil above 100',
    { soil_humidity_threshold_max: 101 },
    { soil_humidity_threshold_max: 'Must be between 0 and 100' },
  ],
  [
    'air below 0',
    { air_humidity_threshold_min: -1 },
    { air_humidity_threshold_min: 'Must be between 0 and 100' },
  ],
  [
    'light below 0',
    { luminance_threshold_min: -1 },
    { luminance_threshold_min: 'Must be 0 or more' },
  ],
  [
    'a watering frequency above the allowed maximum',
    { watering_frequency: 1e9 },
    { watering_frequency: 'Must be at most 3,650' },
  ],
  ['the most days', { watering_frequency: 3_650 }, {}],
  [
    'a temperature above the allowed maximum',
    { temperature_threshold_max: 900 },
    { temperature_threshold_max: 'Must be between -100 and 100' },
  ],
  [
    'a luminance above the allowed maximum',
    { luminance_threshold_max: 2e6 },
    { luminance_threshold_max: 'Must be between 0 and 1,000,000' },
  ],
  ['frost', { temperature_threshold_min: -5, ideal_temperature_min: -3.5 }, {}],
  ['the widest range', { soil_humidity_threshold_min: 0, soil_humidity_threshold_max: 100 }, {}],
])('reports what is wrong in the care requirements with %s', (_, typed, errors) => {
  expect(checkStep('care', { ...named, ...typed })).toEqual(errors);
});

test('gives each number input the lower and upper bounds of its field, if it has any', () => {
  expect(boundsOf('watering_frequency')).toEqual({ min: 1 });
  expect(boundsOf('soil_humidity_threshold_max')).toEqual({ min: 0, max: 100 });
  expect(boundsOf('air_humidity_threshold_min')).toEqual({ min: 0, max: 100 });
  expect(boundsOf('luminance_threshold_min')).toEqual({ min: 0 });
  expect(boundsOf('luminance_threshold_max')).toEqual({});
  expect(boundsOf('ideal_temperature_min')).toEqual({});
});

test.each([
  [null, null],
  [0, null],
  [30, null],
  [31, 'Must be between 0 and 30'],
  [-1, 'Must be between 0 and 30'],
])('an optional number must be what the server accepts: %s', (reminder_days_before, error) => {
  const field = wireFields.find(({ name }) => name === 'reminder_days_before');
  expect(field && errorOf(field, { ...named, reminder_days_before })).toBe(error);
});
