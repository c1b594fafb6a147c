import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  logPayloadSchema,
  logsQuerySchema,
  readingLogSchema,
  readingLogsSchema,
} from '#contract/logs.ts';
import { accepts, schemaErrors } from './support/schema-errors.ts';

const nothing = { soil_humidity: null, air_humidity: null, temperature: null, luminance: null };

test('a measure that the sensor did not report is null, never 0', () => {
  const payload = v.parse(logPayloadSchema, { plant_id: 'p1', soil_humidity: 0 });
  expect(payload).toEqual({ ...nothing, plant_id: 'p1', soil_humidity: 0 });
});

test('accepts a reading for a plant or for a device, and rejects one for neither', () => {
  expect(accepts(logPayloadSchema, { plant_id: 'p1', temperature: 20 })).toBe(true);
  expect(accepts(logPayloadSchema, { device_id: 'esp-9', temperature: 20 })).toBe(true);
  expect(schemaErrors(logPayloadSchema, { temperature: 20 })).toHaveLength(1);
});

test.each([{}, nothing])('rejects a reading with %j as its measures', (measures) => {
  expect(schemaErrors(logPayloadSchema, { plant_id: 'p1', ...measures })).toHaveLength(1);
});

test.each([
  { soil_humidity: -0.1 },
  { soil_humidity: 100.1 },
  { air_humidity: 101 },
  { temperature: 'warm' },
  { luminance: -1 },
  { temperature: 20, timestamp: 'yesterday' },
  { temperature: 20, timestamp: 1_700_000_000 },
])('rejects a reading with %j', (values) => {
  expect(accepts(logPayloadSchema, { plant_id: 'p1', ...values })).toBe(false);
});

test.each([
  { soil_humidity: 0, air_humidity: 0, luminance: 0 },
  { soil_humidity: 100, air_humidity: 100, temperature: -20 },
])('accepts a reading at the end of the possible range: %j', (values) => {
  expect(schemaErrors(logPayloadSchema, { device_id: 'd', ...values })).toEqual([]);
});

test.each([
  [{}, {}],
  [{ limit: '24' }, { limit: 24 }],
  [{ from: '2026-11-20T08:00:00Z' }, { from: '2026-11-20T08:00:00Z' }],
  [{ to: '2026-11-20T08:00:00.123+07:00' }, { to: '2026-11-20T08:00:00.123+07:00' }],
])('parses the query %j', (query, parsed) => {
  expect(v.parse(logsQuerySchema, query)).toEqual(parsed);
});

test.each([
  { limit: '0' },
  { limit: '-1' },
  { limit: '2.5' },
  { limit: 'all' },
  { limit: '1e3' },
  { from: 'yesterday' },
  { to: '' },
])('rejects the query %j', (query) => {
  expect(accepts(logsQuerySchema, query)).toBe(false);
});

test('keeps missing values as null and accepts fields of a newer server', () => {
  const [reading] = v.parse(readingLogsSchema, [
    { timestamp: '2026-11-20T08:00:00Z', soil_humidity: 0, air_humidity: null, ph: 7 },
  ]);
  expect(reading).toEqual({
    ...nothing,
    timestamp: '2026-11-20T08:00:00Z',
    soil_humidity: 0,
    ph: 7,
  });
});

test.each([{}, { timestamp: '' }, { timestamp: null }, { timestamp: 'x', temperature: 'warm' }])(
  '%j is not a reading',
  (input) => {
    expect(accepts(readingLogSchema, input)).toBe(false);
  },
);
