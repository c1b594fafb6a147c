import { expect, test } from 'vitest';
import { ageInWords, dayMs, hourMs, minuteMs } from '#domain/time.ts';

test.each<[ageMs: number, text: string]>([
  [30 * minuteMs + 1, '30 min'],
  [31 * minuteMs, '31 min'],
  [32 * minuteMs - 1, '31 min'],
  [hourMs - 1, '59 min'],
  [hourMs, '1 h'],
  [2 * hourMs - 1, '1 h'],
  [7 * hourMs, '7 h'],
  [8 * hourMs - 1, '7 h'],
  [dayMs, '24 h'],
  [47 * hourMs, '47 h'],
  [2 * dayMs - 1, '47 h'],
  [2 * dayMs, '2 days'],
  [3 * dayMs - 1, '2 days'],
  [3 * dayMs, '3 days'],
  [400 * dayMs, '400 days'],
])('an age of %d ms in words is %s', (ageMs, text) => {
  expect(ageInWords(ageMs)).toBe(text);
});
