import { expect, test } from 'vitest';
import {
  fieldsOf,
  formDefaults,
  formValuesOf,
  type PlantFormValues,
  plantEdit,
} from '#domain/plant/form.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { plantRecord } from '../../support/device/device-rows.ts';
import { plantPayload } from '../../support/factories.ts';

test('starts the add form with the default of every field', () => {
  expect(formValuesOf({})).toEqual({
    nickname: '',
    plant_name: '',
    category: 'Indoor',
    species: '',
    location: '',
    description: '',
    watering_frequency: 3,
    sunlight_requirements: 'Medium',
    fertilizer_schedule: 'Monthly',
    ideal_temperature_min: 18,
    ideal_temperature_max: 25,
    soil_humidity_threshold_min: 30,
    soil_humidity_threshold_max: 70,
    air_humidity_threshold_min: 40,
    air_humidity_threshold_max: 60,
    temperature_threshold_min: 15,
    temperature_threshold_max: 30,
    luminance_threshold_min: 1000,
    luminance_threshold_max: 10_000,
    device_id: '',
    auto_watering_enabled: false,
    photo_id: '',
    reminder_enabled: true,
    reminder_days_before: 0,
  });
});

test('fills the edit form from the raw record: 0 stays 0, an empty value gets its default', () => {
  const record = plantRecord({
    luminance_threshold_min: 0,
    soil_humidity_threshold_min: null,
    location: null,
    category: '',
  });
  expect(formValuesOf(record)).toMatchObject({
    nickname: 'Fern',
    luminance_threshold_min: 0,
    soil_humidity_threshold_min: 30,
    location: '',
    category: 'Indoor',
    device_id: '',
  });
});

test('sends texts trimmed, and null for an empty text', () => {
  const values: PlantFormValues = {
    ...formDefaults,
    nickname: ' Fern ',
    plant_name: 'Boston Fern ',
    species: ' Boston Fern',
    location: '  ',
    device_id: ' sensor-1 ',
  };
  expect(fieldsOf(values)).toMatchObject({
    nickname: 'Fern',
    plant_name: 'Boston Fern',
    species: 'Boston Fern',
    location: null,
    description: null,
    device_id: 'sensor-1',
  });
});

test('sends every field of the payload for a new plant, and no other', () => {
  expect(Object.keys(fieldsOf(formDefaults))).toEqual(Object.keys(plantPayload()));
});

const withoutSoilRange = { soil_humidity_threshold_min: null, soil_humidity_threshold_max: null };

test.each<
  [
    what: string,
    record: Partial<PlantRecord>,
    typed: Partial<PlantFormValues>,
    edits: object,
    base: object,
  ]
>([
  ['nothing', {}, {}, {}, {}],
  ['a space at an end', {}, { nickname: 'Fern ' }, {}, {}],
  ['a name', {}, { nickname: 'Fernando' }, { nickname: 'Fernando' }, { nickname: 'Fern' }],
  [
    'one end of a pair',
    {},
    { soil_humidity_threshold_min: 35 },
    { soil_humidity_threshold_min: 35, soil_humidity_threshold_max: 70 },
    { soil_humidity_threshold_min: 30, soil_humidity_threshold_max: 70 },
  ],
  [
    'one end of a pair that was never set',
    { air_humidity_threshold_min: null, air_humidity_threshold_max: undefined },
    { air_humidity_threshold_max: 55 },
    { air_humidity_threshold_min: 40, air_humidity_threshold_max: 55 },
    { air_humidity_threshold_min: null, air_humidity_threshold_max: null },
  ],
  [
    'a blank whose default was left alone',
    { category: null, watering_frequency: null, ideal_temperature_min: null },
    {},
    {},
    {},
  ],
  [
    'a device',
    {},
    { device_id: 'sensor-1' },
    { device_id: 'sensor-1', auto_watering_enabled: false },
    { device_id: null, auto_watering_enabled: false },
  ],
  [
    'automatic watering',
    { device_id: 'sensor-1' },
    { auto_watering_enabled: true },
    { device_id: 'sensor-1', auto_watering_enabled: true },
    { device_id: 'sensor-1', auto_watering_enabled: false },
  ],
  ['a text taken away', {}, { location: '' }, { location: null }, { location: 'Bathroom' }],
  [
    'nothing, with automatic watering and without a soil range',
    { ...withoutSoilRange, device_id: 'sensor-1', auto_watering_enabled: true },
    {},
    { soil_humidity_threshold_min: 30, soil_humidity_threshold_max: 70 },
    withoutSoilRange,
  ],
  [
    'automatic watering of a plant without a soil range',
    withoutSoilRange,
    { auto_watering_enabled: true },
    {
      soil_humidity_threshold_min: 30,
      soil_humidity_threshold_max: 70,
      device_id: null,
      auto_watering_enabled: true,
    },
    { ...withoutSoilRange, device_id: null, auto_watering_enabled: false },
  ],
  [
    'automatic watering switched off, without a soil range',
    { ...withoutSoilRange, device_id: 'sensor-1', auto_watering_enabled: true },
    { auto_watering_enabled: false },
    { device_id: 'sensor-1', auto_watering_enabled: false },
    { device_id: 'sensor-1', auto_watering_enabled: true },
  ],
])(
  'an edit contains exactly the changed fields and the other fields of their groups: %s',
  (_, changes, typed, edits, base) => {
    const record = plantRecord(changes);
    expect(plantEdit(record, { ...formValuesOf(record), ...typed })).toEqual({ edits, base });
  },
);
