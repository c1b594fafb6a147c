import { afterEach, expect, test } from 'vitest';
import { ageInWords, dayMs, formatMoment, hourMs, isSameDay, minuteMs } from '#domain/time.ts';
import { fc } from '../support/properties.ts';

const zoneOfTheMachine = process.env.TZ;

afterEach(() => {
  if (zoneOfTheMachine === undefined) delete process.env.TZ;
  else process.env.TZ = zoneOfTheMachine;
});

/** Replaces the narrow space that some versions of Intl put before AM and PM. */
const plain = (text: string) => text.replace(/\s/g, ' ');
const platform = {
  date: new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'Asia/Bangkok' }),
  time: new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'Asia/Bangkok' }),
  dateTime: new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Asia/Bangkok',
  }),
};

test.each(['date', 'time', 'dateTime'] as const)('formats any %s like Intl', (format) => {
  const moments = fc.date({
    noInvalidDate: true,
    min: new Date('1970-01-01T00:00:00Z'),
    max: new Date('2200-01-01T00:00:00Z'),
  });
  fc.assert(
    fc.property(moments, (moment) => {
      expect(formatMoment(moment.getTime(), format)).toBe(plain(platform[format].format(moment)));
    }),
  );
});

test.each([
  ['UTC', 0],
  ['America/Los_Angeles', 8 * 60],
  ['Pacific/Kiritimati', -14 * 60],
  ['Asia/Bangkok', -7 * 60],
])('shows UTC+7 dates on a device in %s', (zone, minutesBehind) => {
  process.env.TZ = zone;
  expect(new Date(2026, 11, 31).getTimezoneOffset()).toBe(minutesBehind);
  const moment = Date.parse('2026-12-31T17:30:00Z');
  expect(formatMoment(moment, 'date')).toBe('Jan 1, 2027');
  expect(formatMoment(moment, 'time')).toBe('12:30 AM');
  expect(formatMoment(moment, 'dateTime')).toBe('Jan 1, 2027, 12:30 AM');
  expect(isSameDay(moment, Date.parse('2027-01-01T16:59:59.999Z'))).toBe(true);
  expect(isSameDay(moment, Date.parse('2026-12-31T16:59:59.999Z'))).toBe(false);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('formats %s as an empty text', (moment) => {
  expect(formatMoment(moment, 'date')).toBe('');
});

test.each<[a: string, b: string, same: boolean]>([
  ['2026-11-19T17:00:00Z', '2026-11-20T16:59:59Z', true],
  ['2026-11-19T16:59:59Z', '2026-11-19T17:00:00Z', false],
  ['2026-11-20T08:00:00Z', '2026-11-21T08:00:00Z', false],
  ['1969-12-31T17:00:00Z', '1970-01-01T16:59:59Z', true],
])('%s and %s are on the same UTC+7 day: %s', (a, b, same) => {
  expect(isSameDay(Date.parse(a), Date.parse(b))).toBe(same);
  expect(isSameDay(Date.parse(b), Date.parse(a))).toBe(same);
});

test('NaN is on no day', () => {
  expect(isSameDay(Number.NaN, Number.NaN)).toBe(false);
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
