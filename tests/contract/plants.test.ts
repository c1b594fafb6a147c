import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  plantListSchema,
  plantRecordSchema,
  plantsWithReadingsSchema,
  waterQuerySchema,
} from '#contract/plants.ts';
import { plantRecord } from '../support/device/device-rows.ts';
import { accepts } from './support/schema-errors.ts';

test.each([
  { id: 1 },
  { id: 'p1', nickname: null, watering_frequency: null },
  { ...plantRecord(), mood: 'happy' },
])('accepts %j as a plant and keeps it unchanged', (record) => {
  expect(v.parse(plantRecordSchema, record)).toEqual(record);
});

test.each([
  {},
  { id: null },
  { id: '' },
  { id: 'p1', nickname: 5 },
  { id: 'p1', watering_frequency: '3' },
  { id: 'p1', auto_watering_enabled: 'yes' },
  null,
  '<!doctype html>',
  [],
])('rejects %j as a plant', (input) => {
  expect(accepts(plantRecordSchema, input)).toBe(false);
});

test('rejects the whole list for one invalid plant', () => {
  expect(accepts(plantListSchema, [{ id: 'p1' }, { nickname: 'Fern' }])).toBe(false);
  expect(accepts(plantListSchema, { plants: [] })).toBe(false);
  expect(accepts(plantListSchema, [])).toBe(true);
});

test('keeps latest values that are missing, null or zero', () => {
  const plants = [
    { id: 'p1' },
    { id: 'p2', latest_soil_humidity: 0, latest_temperature: null, last_reading_time: null },
  ];
  expect(v.parse(plantsWithReadingsSchema, plants)).toEqual(plants);
  expect(accepts(plantsWithReadingsSchema, [{ id: 'p1', latest_luminance: 'dark' }])).toBe(false);
});

test.each([
  [{}, {}],
  [{ amount: '1' }, { amount: 1 }],
  [{ amount: '10000' }, { amount: 10_000 }],
  [{ amount: '150.5' }, { amount: 150.5 }],
  [{ watered_at: '2026-11-20T08:00:00.000Z' }, { watered_at: '2026-11-20T08:00:00.000Z' }],
])('the watering %j is parsed', (query, parsed) => {
  expect(v.parse(waterQuerySchema, query)).toEqual(parsed);
});

test.each([
  { amount: '0' },
  { amount: '0.9' },
  { amount: '10001' },
  { amount: '-5' },
  { amount: 'much' },
  { amount: '' },
  { watered_at: 'today' },
])('the watering %j is rejected', (query) => {
  expect(accepts(waterQuerySchema, query)).toBe(false);
});
