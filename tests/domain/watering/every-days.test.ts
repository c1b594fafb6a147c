import { expect, test } from 'vitest';
import { daysOf, everyDays } from '#domain/watering/every-days.ts';

test.each([
  [1, 'Every 1 day', '1 day'],
  [2, 'Every 2 days', '2 days'],
  [30, 'Every 30 days', '30 days'],
])('%i is said as %s', (days, every, alone) => {
  expect(everyDays(days)).toBe(every);
  expect(daysOf(days)).toBe(alone);
});
