import { expect, test } from 'vitest';
import { dayTitle, entryWords } from '#domain/journal/words.ts';
import { defaultZone, timeZoneOf } from '#domain/zone.ts';

const title = (moment: string, now: string, zone = defaultZone) =>
  dayTitle(Date.parse(moment), Date.parse(now), zone);

test('in the default zone the headings of days are those of UTC+7', () => {
  const now = '2026-11-20T08:00:00Z';
  expect(title('2026-11-19T17:00:00Z', now)).toBe('Today');
  expect(title('2026-11-19T16:59:59Z', now)).toBe('Yesterday');
  expect(title('2026-11-18T16:59:59Z', now)).toBe('Nov 18, 2026');
});

test.each([
  ['Pacific/Pago_Pago', 'Nov 20, 2026'],
  ['UTC', 'Yesterday'],
  ['Pacific/Kiritimati', 'Today'],
])('in %s the heading of the same entry is %s', (name, heading) => {
  const now = name === 'Pacific/Pago_Pago' ? '2026-11-22T12:00:00Z' : '2026-11-22T02:00:00Z';
  expect(title('2026-11-21T10:30:00Z', now, timeZoneOf(name))).toBe(heading);
});

test('late on a day of 25 hours, the day before is still yesterday', () => {
  const berlin = timeZoneOf('Europe/Berlin');
  const late = '2026-10-25T22:30:00Z';
  expect(title('2026-10-24T22:00:00Z', late, berlin)).toBe('Today');
  expect(title('2026-10-24T21:30:00Z', late, berlin)).toBe('Yesterday');
  expect(title('2026-10-23T21:30:00Z', late, berlin)).toBe('Oct 23, 2026');
});

test.each([
  [150, 'Watered by hand · 150 ml'],
  [12.5, 'Watered by hand · 12.5 ml'],
  [33.3333, 'Watered by hand · 33.3 ml'],
])('an amount of %d ml is shown with at most one decimal', (amount_ml, words) => {
  const empty = { note: null, soil_before: null, soil_after: null, days: null, reason: null };
  expect(entryWords({ ...empty, type: 'watered', source: 'manual', amount_ml })).toBe(words);
});
