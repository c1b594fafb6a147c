import { expect, test } from 'vitest';
import { reminderTime } from '#domain/reminder/days-before.ts';

test.each([
  [0, 'When it is due'],
  [1, '1 day before due'],
  [7, '7 days before due'],
])('a reminder %i days before is called: %s', (days, words) => {
  expect(reminderTime(days)).toBe(words);
});
