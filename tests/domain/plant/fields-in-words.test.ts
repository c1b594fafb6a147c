import { expect, test } from 'vitest';
import { fieldsInWords, valuesInWords } from '#domain/plant/fields-in-words.ts';

test('names both ends of a range as one field', () => {
  expect(
    fieldsInWords({
      nickname: 'Fern',
      soil_humidity_threshold_min: 1,
      soil_humidity_threshold_max: 2,
      device_id: null,
      auto_watering_enabled: false,
    }),
  ).toBe('nickname, soil humidity, device, automatic watering');
});

test.each([
  [{ location: 'Hall' }, 'Hall'],
  [{ location: null }, 'nothing'],
  [{ description: '' }, 'nothing'],
  [{ soil_humidity_threshold_min: 0, soil_humidity_threshold_max: 70 }, '0 – 70 %'],
  [{ luminance_threshold_min: 500, luminance_threshold_max: 12_000 }, '500 – 12,000 lux'],
  [{ ideal_temperature_min: -5, ideal_temperature_max: null }, '-5 – nothing'],
  [{ watering_frequency: 1 }, '1 day'],
  [{ reminder_days_before: 0 }, '0 days'],
  [{ device_id: 'esp-1', auto_watering_enabled: true }, 'esp-1 – on'],
  [{ sunlight_requirements: 'High' }, 'Bright Light'],
  [{ fertilizer_schedule: 'Bimonthly' }, 'Every 2 Months'],
  [{ category: 'Herb' }, 'Herb'],
  [{ location: 'High' }, 'High'],
  [{ description: 'x'.repeat(61) }, `${'x'.repeat(60)}…`],
  [{ description: '🌱'.repeat(60) }, '🌱'.repeat(60)],
  [{ description: `${'x'.repeat(59)}🌱🌱` }, `${'x'.repeat(59)}🌱…`],
])('names %o as %s', (fields, words) => {
  expect(valuesInWords(fields)).toBe(words);
});

test('the id of a picture has no words', () => {
  expect(valuesInWords({ photo_id: '0b3c6a52-1f0e-4c39-8d5e-6f1a2b3c4d5e' })).toBeNull();
  expect(valuesInWords({ photo_id: null })).toBeNull();
});
