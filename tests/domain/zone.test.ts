import { expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#domain/time.ts';
import {
  dateOfDay,
  dayIn,
  defaultZone,
  isTimeZone,
  momentIn,
  offsetAt,
  timeZoneOf,
} from '#domain/zone.ts';
import { minuteOfDayIn } from '../support/reminders/minute-of-day.ts';

const names = [
  'Pacific/Pago_Pago',
  'America/St_Johns',
  'America/New_York',
  'Europe/Berlin',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Asia/Ho_Chi_Minh',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
];

const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / dayMs;

test('without a zone, clocks are seven hours ahead of UTC', () => {
  expect(timeZoneOf(null)).toBe(defaultZone);
  expect(offsetAt(defaultZone, Date.UTC(2026, 6, 1))).toBe(7 * hourMs);
  expect(dateOfDay(dayIn(defaultZone, Date.UTC(2026, 10, 22, 17)))).toBe('2026-11-23');
  expect(dateOfDay(dayIn(defaultZone, Date.UTC(2026, 10, 22, 16, 59)))).toBe('2026-11-22');
});

test.each(names)(
  'dates and times in %s are those of Intl, every 61 hours for ten years',
  (name) => {
    const zone = timeZoneOf(name);
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: name,
      dateStyle: 'short',
      timeStyle: 'short',
    });
    for (let moment = Date.UTC(2020, 0); moment < Date.UTC(2030, 0); moment += 61 * hourMs) {
      const minutes = minuteOfDayIn(zone, moment);
      const clock = [Math.floor(minutes / 60), minutes % 60]
        .map((part) => String(part).padStart(2, '0'))
        .join(':');
      expect(`${dateOfDay(dayIn(zone, moment))} ${clock}`).toBe(format.format(moment));
    }
  },
);

test.each(names)(
  'in %s, a minute of a day is the same after conversion to a moment and back, unless clocks skip it',
  (name) => {
    const zone = timeZoneOf(name);
    for (let date = day('2026-01-01'); date < day('2028-01-01'); date += 1) {
      for (const minute of [0, 90, 150, 540, 1439]) {
        const moment = momentIn(zone, date, minute);
        const isShown = dayIn(zone, moment) === date && minuteOfDayIn(zone, moment) === minute;
        const isChange = zone.offsets.some(([from]) => from === moment);
        expect(isShown || isChange).toBe(true);
      }
    }
  },
);

test('a time that clocks skip is converted to the moment of the change', () => {
  const berlin = timeZoneOf('Europe/Berlin');
  const change = Date.UTC(2027, 2, 28, 1);
  expect(momentIn(berlin, day('2027-03-28'), 150)).toBe(change);
  expect(momentIn(berlin, day('2027-03-28'), 119)).toBe(change - minuteMs);
  expect(momentIn(berlin, day('2027-03-28'), 180)).toBe(change);
});

test('a time that clocks show twice is converted to the first of its two moments', () => {
  const berlin = timeZoneOf('Europe/Berlin');
  expect(momentIn(berlin, day('2026-10-25'), 150)).toBe(Date.UTC(2026, 9, 25, 0, 30));
});

test('an unknown zone is not accepted and counts as the default', () => {
  expect(isTimeZone('Europe/Berlin')).toBe(true);
  expect(isTimeZone('Mars/Olympus')).toBe(false);
  expect(isTimeZone('')).toBe(false);
  expect(timeZoneOf('Mars/Olympus')).toBe(defaultZone);
});
