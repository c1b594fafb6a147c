import { afterEach, expect, test } from 'vitest';
import { formatMoment, isSameDay } from '#domain/dates.ts';
import { defaultZone, timeZoneOf } from '#domain/zone.ts';
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
      expect(formatMoment(moment.getTime(), format, defaultZone)).toBe(
        plain(platform[format].format(moment)),
      );
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
  expect(formatMoment(moment, 'date', defaultZone)).toBe('Jan 1, 2027');
  expect(formatMoment(moment, 'time', defaultZone)).toBe('12:30 AM');
  expect(formatMoment(moment, 'dateTime', defaultZone)).toBe('Jan 1, 2027, 12:30 AM');
  expect(isSameDay(moment, Date.parse('2027-01-01T16:59:59.999Z'), defaultZone)).toBe(true);
  expect(isSameDay(moment, Date.parse('2026-12-31T16:59:59.999Z'), defaultZone)).toBe(false);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('formats %s as an empty text', (moment) => {
  expect(formatMoment(moment, 'date', defaultZone)).toBe('');
});

test.each<[a: string, b: string, same: boolean]>([
  ['2026-11-19T17:00:00Z', '2026-11-20T16:59:59Z', true],
  ['2026-11-19T16:59:59Z', '2026-11-19T17:00:00Z', false],
  ['2026-11-20T08:00:00Z', '2026-11-21T08:00:00Z', false],
  ['1969-12-31T17:00:00Z', '1970-01-01T16:59:59Z', true],
])('%s and %s are on the same UTC+7 day: %s', (a, b, same) => {
  expect(isSameDay(Date.parse(a), Date.parse(b), defaultZone)).toBe(same);
  expect(isSameDay(Date.parse(b), Date.parse(a), defaultZone)).toBe(same);
});

test('NaN is not on the same day as NaN', () => {
  expect(isSameDay(Number.NaN, Number.NaN, defaultZone)).toBe(false);
});

const zones = [
  'Pacific/Pago_Pago',
  'America/St_Johns',
  'UTC',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
];

test.each(zones)(
  'in %s, dates and times are those of Intl in every week of 2025 to 2028',
  (name) => {
    const zone = timeZoneOf(name);
    const intl = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      dateStyle: 'medium',
      timeStyle: 'short',
    });
    for (let moment = Date.UTC(2025, 0); moment < Date.UTC(2029, 0); moment += 169 * 3_600_000) {
      expect(formatMoment(moment, 'dateTime', zone)).toBe(plain(intl.format(moment)));
    }
  },
);

test('one moment has three dates in zones from UTC-11 to UTC+14', () => {
  const moment = Date.parse('2026-12-31T10:30:00Z');
  const dates = zones.map((name) => formatMoment(moment, 'date', timeZoneOf(name)));
  expect(dates[0]).toBe('Dec 30, 2026');
  expect(dates[2]).toBe('Dec 31, 2026');
  expect(dates.at(-1)).toBe('Jan 1, 2027');
});

test('a day on which clocks change has 23 or 25 hours', () => {
  const zone = timeZoneOf('Europe/Berlin');
  const sameDay = (a: string, b: string) => isSameDay(Date.parse(a), Date.parse(b), zone);
  expect(sameDay('2027-03-27T23:00:00Z', '2027-03-28T21:59:59Z')).toBe(true);
  expect(sameDay('2027-03-27T23:00:00Z', '2027-03-28T22:00:00Z')).toBe(false);
  expect(sameDay('2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z')).toBe(true);
  expect(sameDay('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')).toBe(false);
});
