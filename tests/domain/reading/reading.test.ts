import { expect, test } from 'vitest';
import { silenceText } from '#domain/reading/reading.ts';

const hourMs = 3_600_000;
const now = Date.parse('2026-11-20T08:00:00Z');

test.each<[ageMs: number, text: string | null]>([
  [-hourMs, null],
  [0, null],
  [24 * hourMs, null],
  [24 * hourMs + 1, 'Last reading 24 h ago'],
  [10 * 24 * hourMs, 'Last reading 10 days ago'],
  [Number.NaN, null],
])('for a last reading that is %d ms old, the text about a silent sensor is %j', (ageMs, text) => {
  expect(silenceText(now - ageMs, now)).toBe(text);
});
