import { expect, test } from 'vitest';
import { ageInWords, autoWateringNote } from '#domain/watering/auto-watering-note.ts';
import type { WaitReason } from '#domain/watering/rule.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const note = (reason: WaitReason) => autoWateringNote({ kind: 'wait', reason });

test('the note of a plant whose sensor is silent says for how long', () => {
  expect(note({ why: 'stale', ageMs: 7 * hourMs })).toBe('Not watered: last reading is 7 h old');
});

const words: Record<Exclude<WaitReason['why'], 'off' | 'stale'>, string> = {
  'no-device': 'no device is connected',
  'no-minimum': 'no minimum of soil humidity is set',
  'no-reading': 'there is no reading yet',
  'no-soil': 'the last reading has no soil humidity',
  'out-of-range': 'the last soil humidity cannot be true',
  'clock-ahead': 'the sensor’s clock is ahead',
  'few-readings': 'three readings are needed',
  'spread-readings': 'the last three readings are more than 2 h apart',
  moist: 'soil humidity is not below the minimum',
  soaking: 'the last water is still soaking in',
  'under-way': 'a watering is under way',
  'runs-used': 'it was watered four times in 24 h',
  'water-used': 'it had 600 ml in 24 h',
  locked:
    'three waterings had no effect. Check tank, pump and sensor, then water by hand or edit the plant',
};

test.each(Object.entries(words))('%s has words', (why, text) => {
  expect(note({ why } as WaitReason)).toBe(`Not watered: ${text}`);
});

test('there is no note where water was given or automatic watering is off', () => {
  expect(autoWateringNote({ kind: 'water', amountMl: 150, soilBefore: 20 })).toBeNull();
  expect(note({ why: 'off' })).toBeNull();
});

test.each<[ageMs: number, text: string]>([
  [30 * minuteMs + 1, '30 min'],
  [31 * minuteMs, '31 min'],
  [32 * minuteMs - 1, '31 min'],
  [hourMs - 1, '59 min'],
  [hourMs, '1 h'],
  [2 * hourMs - 1, '1 h'],
  [7 * hourMs, '7 h'],
  [8 * hourMs - 1, '7 h'],
  [24 * hourMs, '24 h'],
  [47 * hourMs, '47 h'],
  [48 * hourMs - 1, '47 h'],
  [48 * hourMs, '2 days'],
  [72 * hourMs - 1, '2 days'],
  [72 * hourMs, '3 days'],
  [400 * 24 * hourMs, '400 days'],
])('an age of %d ms is told as %s', (ageMs, text) => {
  expect(ageInWords(ageMs)).toBe(text);
});
