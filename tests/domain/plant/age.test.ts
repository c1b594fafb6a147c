import { expect, test } from 'vitest';
import { ageText } from '#domain/plant/age.ts';

const noon = (date: string) => `${date}T12:00:00Z`;

test.each([
  ['2026-03-10', '2026-03-10', /^0 days$/],
  ['2026-03-10', '2026-03-11', /^1 day$/],
  ['2026-03-10', '2026-04-09', /^30 days$/],
  ['2026-02-10', '2026-03-09', /^27 days$/],
  ['2026-01-31', '2026-02-28', /^28 days$/],
])('a plant added on %s shows days on %s', (added, today, text) => {
  expect(ageText(noon(added), Date.parse(noon(today)))).toMatch(text);
});

test.each([
  ['2026-03-10', '2026-04-10', /^1 month$/],
  ['2026-03-10', '2026-05-09', /^1 month$/],
  ['2026-03-10', '2027-03-09', /^11 months$/],
  ['2025-12-15', '2026-02-20', /^2 months$/],
])('a plant added on %s shows months on %s', (added, today, text) => {
  expect(ageText(noon(added), Date.parse(noon(today)))).toMatch(text);
});

test.each([
  ['2025-03-10', '2026-03-10', /^1 year\b/],
  ['2025-03-10', '2026-04-10', /^1 year\b.*\b1 month$/],
  ['2025-03-10', '2026-05-10', /^1 year\b.*\b2 months$/],
  ['2021-07-01', '2026-11-20', /^5 years\b.*\b4 months$/],
  ['2024-02-29', '2026-02-28', /^1 year\b.*\b11 months$/],
  ['2024-03-10', '2026-03-10', /^2 years\b/],
])('a plant added on %s shows years and months on %s', (added, today, text) => {
  expect(ageText(noon(added), Date.parse(noon(today)))).toMatch(text);
});

test('a plant added in the future is 0 days old', () => {
  expect(ageText('2026-03-10T12:00:05Z', Date.parse('2026-03-10T12:00:00Z'))).toBe('0 days');
});

test.each([null, undefined, '', 'long ago'])('shows no age for a plant added at %j', (added) => {
  expect(ageText(added, 0)).toBe('');
});
