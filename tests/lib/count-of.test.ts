import { expect, test } from 'vitest';
import { countOf } from '#lib/count-of.ts';

test.each([
  [0, '0 days'],
  [0.5, '0.5 days'],
  [1, '1 day'],
  [2, '2 days'],
])('%d of a day reads "%s"', (count, text) => {
  expect(countOf(count, 'day')).toBe(text);
});
