import * as v from 'valibot';
import { expect, test } from 'vitest';
import { fieldSchema, plantPayloadSchema } from '#contract/plant-payload.ts';
import { plantPayload } from '../support/factories.ts';
import { schemaErrors } from './support/schema-errors.ts';

const least = {
  nickname: 'Fern',
  plant_name: 'Boston Fern',
  species: 'Fern',
  watering_frequency: 3,
};
const parse = (input: unknown) => v.parse(plantPayloadSchema, input);

test('completes a minimal plant with the form defaults or null', () => {
  expect(parse(least)).toEqual({
    ...least,
    category: 'Indoor',
    sunlight_requirements: 'Medium',
    fertilizer_schedule: 'Monthly',
    location: null,
    description: null,
    ideal_temperature_min: null,
    ideal_temperature_max: null,
    soil_humidity_threshold_min: null,
    soil_humidity_threshold_max: null,
    air_humidity_threshold_min: null,
    air_humidity_threshold_max: null,
    temperature_threshold_min: null,
    temperature_threshold_max: null,
    luminance_threshold_min: null,
    luminance_threshold_max: null,
    device_id: null,
    auto_watering_enabled: false,
  });
});

test('a field that was added later stays missing if a request of an older app does not contain it', () => {
  const potSize = fieldSchema({
    type: 'number',
    step: 'basics',
    words: 'pot size',
    since: '0.2',
    limits: { min: 1, max: 500 },
    formDefault: null,
  });
  const schema = v.object({ pot_size: potSize });
  expect(v.parse(schema, {})).toEqual({});
  expect(v.parse(schema, { pot_size: null })).toEqual({ pot_size: null });
  expect(v.safeParse(schema, { pot_size: 0 }).success).toBe(false);
});

test('treats null as missing in a field of version 0.1, and as the default in a field that was added later', () => {
  const nulls = Object.fromEntries(Object.keys(plantPayload()).map((name) => [name, null]));
  // Older apps omit a field that was added after 0.1, and it then stays missing. Only null is replaced by the default.
  expect(parse({ ...nulls, ...least })).toEqual({
    ...parse(least),
    photo_id: null,
    reminder_enabled: true,
    reminder_days_before: 0,
  });
});

test('keeps a complete payload unchanged and drops an unknown field', () => {
  const whole = plantPayload({ device_id: 'esp-9', auto_watering_enabled: true, description: '' });
  expect(parse({ ...whole, id: 'x', user_id: 'y' })).toEqual(whole);
});

test('trims names and device_id; an empty device_id becomes null', () => {
  const parsed = parse({ ...least, nickname: '  Fern ', device_id: '  ' });
  expect(parsed).toMatchObject({ nickname: 'Fern', device_id: null });
});

test('keeps a threshold of 0', () => {
  const zero = { soil_humidity_threshold_min: 0, luminance_threshold_min: 0 };
  expect(parse({ ...least, ...zero })).toMatchObject(zero);
});

test.each([
  ['nickname', 'Nickname is required'],
  ['plant_name', 'Plant name is required'],
  ['species', 'Species is required'],
])('requires a non-empty %s', (name, message) => {
  const { [name]: _, ...without } = { ...least } as Record<string, unknown>;
  for (const input of [without, { ...least, [name]: '' }, { ...least, [name]: '  ' }]) {
    expect(schemaErrors(plantPayloadSchema, input)).toEqual([`${name}: ${message}`]);
  }
});

test.each([undefined, 0, -1, '3'])('rejects a watering frequency of %j', (frequency) => {
  const input = { ...least, watering_frequency: frequency };
  const error = 'watering_frequency: Must be a positive number';
  expect(schemaErrors(plantPayloadSchema, input)).toEqual([error]);
});

test.each([
  ['ideal_temperature_min', 'ideal_temperature_max'],
  ['soil_humidity_threshold_min', 'soil_humidity_threshold_max'],
  ['air_humidity_threshold_min', 'air_humidity_threshold_max'],
  ['temperature_threshold_min', 'temperature_threshold_max'],
  ['luminance_threshold_min', 'luminance_threshold_max'],
])('requires %s to be less than %s when both are given', (min, max) => {
  const error = `${min}: Minimum must be less than maximum`;
  const errors = (low: number | null, high: number | null) =>
    schemaErrors(plantPayloadSchema, { ...least, [min]: low, [max]: high });
  expect(errors(20, 20.1)).toEqual([]);
  expect(errors(20, 20)).toEqual([error]);
  expect(errors(21, 20)).toEqual([error]);
  expect(errors(99, null)).toEqual([]);
  expect(errors(null, 0)).toEqual([]);
});

test.each<[name: string, value: unknown]>([
  ['soil_humidity_threshold_min', -0.1],
  ['soil_humidity_threshold_max', 100.1],
  ['air_humidity_threshold_min', -1],
  ['air_humidity_threshold_max', 101],
  ['luminance_threshold_min', -1],
  ['temperature_threshold_min', '15'],
  ['category', 'Cactus'],
  ['category', 'indoor'],
  ['sunlight_requirements', 'Low Light'],
  ['fertilizer_schedule', 'Weekly'],
  ['auto_watering_enabled', 'yes'],
  ['reminder_enabled', 1],
  ['reminder_days_before', 31],
  ['reminder_days_before', -1],
  ['location', 12],
  ['device_id', 12],
])('rejects %s of %j', (name, value) => {
  const errors = schemaErrors(plantPayloadSchema, { ...least, [name]: value });
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(new RegExp(`^${name}: `));
});

test.each([
  ['category', 'Indoor Outdoor Succulent Herb Vegetable Fruit Flower Tree Other'.split(' ')],
  ['sunlight_requirements', ['Low', 'Medium', 'High', 'Full Sun']],
  ['fertilizer_schedule', ['Never', 'Monthly', 'Bimonthly', 'Quarterly', 'Biannually']],
])('accepts every %s of the spec', (name, values) => {
  for (const value of values)
    expect(parse({ ...least, [name]: value })).toHaveProperty(name, value);
});

test('accepts humidity from 0 to 100', () => {
  const whole = { soil_humidity_threshold_min: 0, soil_humidity_threshold_max: 100 };
  expect(schemaErrors(plantPayloadSchema, { ...least, ...whole })).toEqual([]);
});

test.each([null, undefined, 'plant', []])('rejects %j as a plant', (input) => {
  expect(schemaErrors(plantPayloadSchema, input)).not.toEqual([]);
});
