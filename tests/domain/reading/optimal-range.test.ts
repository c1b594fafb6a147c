import { expect, test } from 'vitest';
import {
  measureScales,
  measureText,
  positionOn,
  thresholdText,
  type Verdict,
  verdictOn,
} from '#domain/reading/optimal-range.ts';
import type { Measure } from '#domain/reading/reading.ts';

test.each<[value: number, verdict: Verdict]>([
  [29.9, 'Too low'],
  [30, 'In range'],
  [50, 'In range'],
  [70, 'In range'],
  [70.1, 'Too high'],
  [-5, 'Too low'],
  [120_000, 'Too high'],
])('%d compared with 30–70: %s', (value, verdict) => {
  expect(verdictOn(value, { min: 30, max: 70 })).toBe(verdict);
});

test.each<[measure: Measure, value: number, percent: number]>([
  ['soil_humidity', 0, 0],
  ['soil_humidity', 42, 42],
  ['air_humidity', 100, 100],
  ['temperature', 25, 50],
  ['temperature', 50, 100],
  ['luminance', 5000, 25],
  ['luminance', 20_000, 100],
  ['temperature', -10, 0],
  ['temperature', 61, 100],
  ['luminance', 120_000, 100],
])('%s %d is at %d %% of its bar', (measure, value, percent) => {
  expect(positionOn(measureScales[measure].bar, value)).toBe(percent);
});

test.each<[measure: Measure, value: number, text: string]>([
  ['soil_humidity', 0, '0 %'],
  ['air_humidity', 41.26, '41.3 %'],
  ['temperature', -3.04, '-3 °C'],
  ['luminance', 12_345.6, '12,346 lux'],
  ['luminance', 120_000, '120,000 lux'],
])('formats %s %d as %s', (measure, value, text) => {
  expect(measureText(measure, value)).toBe(text);
});

test.each<[measure: Measure, min: number, max: number, text: string]>([
  ['temperature', 22.25, 24.75, '22.25–24.75 °C'],
  ['temperature', -5, 0, '-5–0 °C'],
  ['luminance', 999.5, 123_456.7825, '999.5–123,456.7825 lux'],
  ['soil_humidity', 30, 70, '30–70 %'],
])('formats the range of %s from %d to %d as %s, without rounding', (measure, min, max, text) => {
  expect(thresholdText(measure, { min, max })).toBe(text);
});
