import { expect, test } from 'vitest';
import {
  checkEntry,
  dateLimits,
  toDateInput,
  toEntryChange,
} from '#client/features/journal/entry-fields.ts';
import { defaultZone, type TimeZone, timeZoneOf } from '#domain/zone.ts';

const moment = Date.parse('2026-11-20T08:05:30Z');
const typed = (at: string) => ({ type: 'fertilized' as const, at, amount: '', note: '' });
const momentOf = (at: string, zone: TimeZone) => toEntryChange(typed(at), moment, zone).at;

test.each([
  [null, '2026-11-20T15:05'],
  ['Pacific/Pago_Pago', '2026-11-19T21:05'],
  ['America/St_Johns', '2026-11-20T04:35'],
  ['Europe/Berlin', '2026-11-20T09:05'],
  ['Pacific/Kiritimati', '2026-11-20T22:05'],
])('in the zone %s the date input shows the local time %s', (name, text) => {
  const zone = timeZoneOf(name);
  expect(toDateInput(moment, zone)).toBe(text);
  // An unchanged input keeps the seconds, which it does not show.
  expect(momentOf(text, zone)).toBe(moment);
  expect(momentOf(text.replace(/:05$|:35$/, ':00'), zone)).toBe(
    moment - (Number(text.slice(-2)) * 60 + 30) * 1000,
  );
});

test('an entered date is read in the account’s zone, not in that of the device', () => {
  expect(momentOf('2026-07-01T12:00', timeZoneOf('Europe/Berlin'))).toBe(
    Date.parse('2026-07-01T10:00:00Z'),
  );
  expect(momentOf('2026-07-01T12:00', defaultZone)).toBe(Date.parse('2026-07-01T05:00:00Z'));
});

test('a time skipped by the change to daylight saving time becomes the moment of that change', () => {
  const berlin = timeZoneOf('Europe/Berlin');
  expect(momentOf('2026-03-29T02:30', berlin)).toBe(Date.parse('2026-03-29T01:00:00Z'));
});

test.each([
  ['150', 150],
  ['12.5', 12.5],
  ['12,5', 12.5],
  ['12.125', 12.125],
])('the amount %s is %d ml', (amount, ml) => {
  const values = { ...typed('2026-11-20T15:05'), type: 'watered' as const, amount };
  expect(checkEntry(values, moment, moment, defaultZone)).toEqual({});
  expect(toEntryChange(values, moment, defaultZone).amount_ml).toBe(ml);
});

test.each(['1,500', '1.500', '1,5,0', 'a lot', '0'])('the amount %s is rejected', (amount) => {
  const values = { ...typed('2026-11-20T15:05'), type: 'watered' as const, amount };
  expect(checkEntry(values, moment, moment, defaultZone)).toEqual({
    amount: 'Enter 1 to 10000 ml',
  });
});

test('the account’s zone decides which dates are in the future, not that of the device', () => {
  const honolulu = timeZoneOf('Pacific/Honolulu');
  expect(checkEntry(typed('2026-11-20T15:05'), 0, moment, defaultZone)).toEqual({});
  expect(checkEntry(typed('2026-11-20T15:05'), 0, moment, honolulu)).toEqual({
    at: 'This is in the future',
  });
  expect(dateLimits(moment, honolulu).max).toBe('2026-11-19T22:05');
  expect(checkEntry(typed(''), 0, moment, honolulu)).toEqual({ at: 'Enter a date and a time' });
});

test('an entry of up to 365 days ago is accepted, in the account’s zone', () => {
  const kiritimati = timeZoneOf('Pacific/Kiritimati');
  // It is 2026-11-20T22:05 there.
  expect(dateLimits(moment, kiritimati).min).toBe('2025-11-20T22:05');
  expect(checkEntry(typed('2025-11-20T22:05'), 0, moment, kiritimati)).toEqual({});
  expect(checkEntry(typed('2025-11-20T22:04'), 0, moment, kiritimati)).toEqual({
    at: 'This is more than a year ago',
  });
});

test('a note is stored without the spaces around it, and a note of spaces alone is none', () => {
  const noteOf = (note: string) =>
    toEntryChange({ ...typed('2026-11-20T15:05'), note }, moment, defaultZone).note;
  expect([noteOf('  A new leaf\n'), noteOf('  '), noteOf('')]).toEqual(['A new leaf', null, null]);
  const values = { ...typed('2026-11-20T15:05'), type: 'note' as const, note: '  ' };
  expect(checkEntry(values, moment, moment, defaultZone)).toEqual({ note: 'Enter a note' });
});

test('a watering needs no amount, and an amount that was typed for another type of entry is ignored', () => {
  const watered = { ...typed('2026-11-20T15:05'), type: 'watered' as const };
  expect(checkEntry(watered, moment, moment, defaultZone)).toEqual({});
  expect(toEntryChange(watered, moment, defaultZone).amount_ml).toBeNull();
  const fertilized = { ...typed('2026-11-20T15:05'), amount: 'a lot' };
  expect(checkEntry(fertilized, moment, moment, defaultZone)).toEqual({});
  expect(toEntryChange(fertilized, moment, defaultZone).amount_ml).toBeNull();
});

test('the minute that has just begun on a clock slightly ahead is accepted, the next one is not', () => {
  expect(checkEntry(typed('2026-11-20T15:06'), 0, moment, defaultZone)).toEqual({});
  expect(checkEntry(typed('2026-11-20T15:07'), 0, moment, defaultZone)).toEqual({
    at: 'This is in the future',
  });
});

test.each(['2020-01-01T08:00:00Z', '2030-01-01T08:00:00Z'])(
  'an unchanged date is accepted whatever it is: %s',
  (at) => {
    const initial = Date.parse(at);
    const values = typed(toDateInput(initial, defaultZone));
    expect(checkEntry(values, initial, moment, defaultZone)).toEqual({});
  },
);
