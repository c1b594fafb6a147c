import { expect, test } from 'vitest';
import { seriesCsv } from '#domain/reading/series-csv.ts';

const none = { min: [null, null], max: [null, null], mean: [null, null] };
const series = {
  start: '2026-11-20T08:00:00.000Z',
  step_seconds: 3_600,
  count: 2,
  soil_humidity: { min: [40, null], max: [45.5, null], mean: [42.25, null] },
  air_humidity: none,
  temperature: { min: [-5, 0], max: [-5, 0], mean: [-5, 0] },
  luminance: none,
  waterings: {
    at: ['2026-11-20T08:00:00Z', '2026-11-20T08:59:59Z', '2026-11-20T09:00:00Z'],
    amount_ml: [100.5, 50, null],
    source: ['auto' as const, 'manual' as const, 'manual' as const],
    count: [2, 1, 1],
  },
};

test('CSV has a line for each bucket; missing values are empty, and 0 is written as 0', () => {
  expect(seriesCsv(series).split('\r\n')).toEqual([
    [
      'start_utc,end_utc',
      'soil_humidity_min_percent,soil_humidity_mean_percent,soil_humidity_max_percent',
      'air_humidity_min_percent,air_humidity_mean_percent,air_humidity_max_percent',
      'temperature_min_celsius,temperature_mean_celsius,temperature_max_celsius',
      'luminance_min_lux,luminance_mean_lux,luminance_max_lux',
      'waterings,watered_ml',
    ].join(','),
    '2026-11-20T08:00:00.000Z,2026-11-20T09:00:00.000Z,40,42.25,45.5,,,,-5,-5,-5,,,,3,150.5',
    '2026-11-20T09:00:00.000Z,2026-11-20T10:00:00.000Z,,,,,,,0,0,0,,,,1,',
    '',
  ]);
});
