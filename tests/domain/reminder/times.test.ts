import { describe, expect, test } from 'vitest';
import {
  digestMoment,
  dueDigest,
  isQuiet,
  isQuietMinute,
  minuteOf,
  nextCheck,
  nextQuietHours,
  type ReminderTimes,
  reminderTime,
  timeOfDay,
} from '#domain/reminder/times.ts';
import { dateOfDay, dayIn, timeZoneOf } from '#domain/zone.ts';
import { fc } from '../../support/properties.ts';
import { minuteOfDayIn } from '../../support/reminders/minute-of-day.ts';

interface Choice {
  zone?: string | null;
  digest?: string;
  quiet?: readonly [from: string, to: string];
}

function timesOf({ zone = null, digest = '09:00', quiet = ['21:00', '08:00'] }: Choice = {}) {
  return {
    zone: timeZoneOf(zone),
    digestMinute: minuteOf(digest),
    quietFromMinute: minuteOf(quiet[0]),
    quietToMinute: minuteOf(quiet[1]),
  };
}

function digestOn(times: ReminderTimes, date: string): string {
  return new Date(digestMoment(times, Date.parse(date) / 86_400_000)).toISOString();
}

test('times of day are converted to minutes since midnight and back, and malformed ones to NaN', () => {
  for (const text of ['00:00', '09:05', '12:00', '23:59'])
    expect(timeOfDay(minuteOf(text))).toBe(text);
  for (const text of ['', '24:00', '9:00', '12:60', 'noon']) expect(minuteOf(text)).toBeNaN();
});

test.each([
  ['21:00', '08:00', '20:59', false],
  ['21:00', '08:00', '21:00', true],
  ['21:00', '08:00', '23:59', true],
  ['21:00', '08:00', '00:00', true],
  ['21:00', '08:00', '07:59', true],
  ['21:00', '08:00', '08:00', false],
  ['13:00', '15:00', '12:59', false],
  ['13:00', '15:00', '13:00', true],
  ['13:00', '15:00', '14:59', true],
  ['13:00', '15:00', '15:00', false],
  ['00:00', '08:00', '00:00', true],
  ['00:00', '08:00', '23:59', false],
  ['20:00', '00:00', '23:59', true],
  ['20:00', '00:00', '00:00', false],
  ['09:00', '09:00', '09:00', false],
  ['00:00', '00:00', '00:00', false],
  ['00:01', '00:00', '00:00', false],
  ['00:01', '00:00', '12:00', true],
])('with quiet hours from %s to %s, whether %s is quiet: %s', (from, to, at, quiet) => {
  const hours = { quietFromMinute: minuteOf(from), quietToMinute: minuteOf(to) };
  expect(isQuietMinute(hours, minuteOf(at))).toBe(quiet);
});

test.each<[string, Choice, string, string]>([
  ['without a zone it is UTC+7', {}, '2026-11-20', '2026-11-20T02:00:00.000Z'],
  ['UTC−11', { zone: 'Pacific/Pago_Pago' }, '2026-11-20', '2026-11-20T20:00:00.000Z'],
  ['UTC+14', { zone: 'Pacific/Kiritimati' }, '2026-11-20', '2026-11-19T19:00:00.000Z'],
  ['a zone with half an hour', { zone: 'Asia/Kolkata' }, '2026-11-20', '2026-11-20T03:30:00.000Z'],
  [
    '23:59',
    { digest: '23:59', quiet: ['01:00', '02:00'] },
    '2026-11-20',
    '2026-11-20T16:59:00.000Z',
  ],
  [
    '00:00',
    { digest: '00:00', quiet: ['01:00', '02:00'] },
    '2026-11-20',
    '2026-11-19T17:00:00.000Z',
  ],
  ['in the evening quiet hours', { digest: '22:00' }, '2026-11-20', '2026-11-20T01:00:00.000Z'],
  ['in the morning quiet hours', { digest: '07:00' }, '2026-11-20', '2026-11-20T01:00:00.000Z'],
  ['at the end of the quiet hours', { digest: '08:00' }, '2026-11-20', '2026-11-20T01:00:00.000Z'],
  [
    'no quiet hours',
    { digest: '03:00', quiet: ['09:00', '09:00'] },
    '2026-11-20',
    '2026-11-19T20:00:00.000Z',
  ],
  ['before summer time', { zone: 'Europe/Berlin' }, '2026-03-28', '2026-03-28T08:00:00.000Z'],
  ['in summer time', { zone: 'Europe/Berlin' }, '2026-03-29', '2026-03-29T07:00:00.000Z'],
  ['after summer time', { zone: 'Europe/Berlin' }, '2026-10-25', '2026-10-25T08:00:00.000Z'],
  [
    'a time that the clocks skip',
    { zone: 'Europe/Berlin', digest: '02:30', quiet: ['04:00', '05:00'] },
    '2026-03-29',
    '2026-03-29T01:00:00.000Z',
  ],
  [
    'a time in the last hour of the day, which the clocks skip',
    { zone: 'America/Nuuk', digest: '23:30', quiet: ['02:00', '08:00'] },
    '2026-03-28',
    '2026-03-29T00:59:00.000Z',
  ],
  [
    'a time that the clocks show twice',
    { zone: 'Europe/Berlin', digest: '02:30', quiet: ['04:00', '05:00'] },
    '2026-10-25',
    '2026-10-25T00:30:00.000Z',
  ],
])('the moment at which the digest of a day is due: %s', (_, choice, date, moment) => {
  expect(digestOn(timesOf(choice), date)).toBe(moment);
});

describe('the digest that is due', () => {
  const due = (now: string, choice: Choice = {}, from: string | null = null) => {
    const day = dueDigest(
      timesOf(choice),
      from === null ? null : Date.parse(from),
      Date.parse(now),
    );
    return day === null ? null : dateOfDay(day);
  };

  test.each<[string, string, string | null]>([
    ['a moment before its time', '2026-11-20T01:59:59.999Z', null],
    ['at its time', '2026-11-20T02:00:00.000Z', '2026-11-20'],
    ['after the server was down over its time', '2026-11-20T12:00:00.000Z', '2026-11-20'],
    ['a moment before the quiet hours', '2026-11-20T13:59:59.999Z', '2026-11-20'],
    ['once the quiet hours have begun', '2026-11-20T14:00:00.000Z', null],
    ['in the quiet hours after midnight', '2026-11-20T18:00:00.000Z', null],
    ['after the quiet hours, before its time', '2026-11-21T01:30:00.000Z', null],
    ['at its time on the next day', '2026-11-21T02:00:00.000Z', '2026-11-21'],
  ])('%s', (_, now, date) => expect(due(now)).toBe(date));

  test('stays due until midnight if there are no quiet hours', () => {
    const quiet = ['00:00', '00:00'] as const;
    expect(due('2026-11-20T16:59:59.999Z', { quiet })).toBe('2026-11-20');
    expect(due('2026-11-20T17:00:00.000Z', { quiet })).toBeNull();
  });

  test('on a day whose last hour the clocks skip, the digest of that hour is due before the skip', () => {
    const choice: Choice = { zone: 'America/Nuuk', digest: '23:30', quiet: ['02:00', '08:00'] };
    expect(due('2026-03-29T00:59:15.000Z', choice)).toBe('2026-03-28');
    expect(due('2026-03-30T00:30:00.000Z', choice)).toBe('2026-03-29');
  });

  test('a digest is not due if its time was before the moment at which digests were turned on', () => {
    const now = '2026-11-20T07:00:00Z';
    expect(due(now, {}, '2026-11-20T02:00:00.001Z')).toBeNull();
    expect(due(now, {}, '2026-11-20T02:00:00.000Z')).toBe('2026-11-20');
    expect(due('2026-11-21T02:00:00Z', {}, '2026-11-20T07:00:00Z')).toBe('2026-11-21');
  });

  test('a clock that was ahead when the digest was turned on does not delay the digest', () => {
    expect(due('2026-11-20T07:00:00Z', {}, '2027-11-20T07:00:00Z')).toBe('2026-11-20');
  });
});

test.each<[string, string, Choice, string, string]>([
  ['by day', '2026-11-20T05:00:00Z', {}, '2026-11-20T14:00:00.000Z', '2026-11-21T01:00:00.000Z'],
  ['in them', '2026-11-20T20:00:00Z', {}, '2026-11-20T20:00:00.000Z', '2026-11-21T01:00:00.000Z'],
  [
    'as their end passes',
    '2026-11-20T01:00:00Z',
    {},
    '2026-11-20T14:00:00.000Z',
    '2026-11-21T01:00:00.000Z',
  ],
  [
    'at noon',
    '2026-11-20T01:00:00Z',
    { quiet: ['12:00', '14:00'] },
    '2026-11-20T05:00:00.000Z',
    '2026-11-20T07:00:00.000Z',
  ],
])(
  'the next quiet hours begin now if they are under way, otherwise at their next start: %s',
  (_, now, choice, from, to) => {
    const next = nextQuietHours(timesOf(choice), Date.parse(now));
    expect(next?.map((moment) => new Date(moment).toISOString())).toEqual([from, to]);
  },
);

describe('quiet hours whose end is shown twice by the clocks', () => {
  // The clocks show 2:30 at 0:30 and at 1:30 UTC.
  const times = timesOf({ zone: 'Europe/Berlin', quiet: ['22:00', '02:30'] });
  const between = Date.parse('2026-10-25T01:10:00Z');

  test('the quiet hours end when the clocks show that time for the first time', () => {
    expect(isQuiet(times, Date.parse('2026-10-25T00:29:59Z'))).toBe(true);
    expect(isQuiet(times, Date.parse('2026-10-25T00:30:00Z'))).toBe(false);
    expect(isQuiet(times, between)).toBe(false);
  });

  test('alerts are not postponed to the next night', () => {
    const watching = { digest: false, alertsEveryMs: 15 * 60_000 };
    expect(nextCheck(times, watching, between)).toBe(between + 15 * 60_000);
  });
});

test('quiet hours whose start is shown twice by the clocks begin at the first of the two moments', () => {
  const times = timesOf({ zone: 'America/New_York', quiet: ['01:30', '08:00'] });
  const quietAt = (moment: string) => isQuiet(times, Date.parse(moment));
  // The clocks show 1:30 at 5:30 and at 6:30 UTC.
  expect(quietAt('2026-11-01T05:29:59Z')).toBe(false);
  expect(quietAt('2026-11-01T05:30:00Z')).toBe(true);
  expect(quietAt('2026-11-01T06:10:00Z')).toBe(true);
  expect(quietAt('2026-11-01T12:59:59Z')).toBe(true);
  expect(quietAt('2026-11-01T13:00:00Z')).toBe(false);
});

test('quiet hours that the clocks skip have no length', () => {
  const times = timesOf({ zone: 'Europe/Berlin', quiet: ['02:15', '02:45'] });
  const skip = Date.parse('2026-03-29T01:00:00Z');
  expect(isQuiet(times, skip)).toBe(false);
  expect(nextQuietHours(times, Date.parse('2026-03-29T00:30:00Z'))).toEqual([skip, skip]);
});

test('with equal times there are no quiet hours', () => {
  expect(nextQuietHours(timesOf({ quiet: ['10:00', '10:00'] }), Date.now())).toBeNull();
});

describe('the next check', () => {
  const nextAfter = (
    now: string,
    digest: boolean,
    alertsEveryMs: number | null,
    choice?: Choice,
  ) => {
    const next = nextCheck(timesOf(choice), { digest, alertsEveryMs }, Date.parse(now));
    return next === null ? null : new Date(next).toISOString();
  };
  const quarter = 15 * 60_000;

  test.each<[string, string, boolean, number | null, string | null]>([
    ['nothing is on', '2026-11-20T05:00:00Z', false, null, null],
    ['before the digest', '2026-11-20T01:30:00Z', true, null, '2026-11-20T02:00:00.000Z'],
    ['after the digest', '2026-11-20T02:00:00Z', true, null, '2026-11-21T02:00:00.000Z'],
    ['alerts by day', '2026-11-20T05:00:00Z', true, quarter, '2026-11-20T05:15:00.000Z'],
    ['alerts before the digest', '2026-11-20T01:50:00Z', true, quarter, '2026-11-20T02:00:00.000Z'],
    ['alerts at night', '2026-11-20T15:00:00Z', true, quarter, '2026-11-21T01:00:00.000Z'],
    ['alerts alone at night', '2026-11-20T15:00:00Z', false, quarter, '2026-11-21T01:00:00.000Z'],
    ['a missed digest at night', '2026-11-20T15:00:00Z', true, null, '2026-11-21T01:00:00.000Z'],
  ])('%s', (_, now, digest, alertsEveryMs, next) => {
    expect(nextAfter(now, digest, alertsEveryMs)).toBe(next);
  });

  test('is at the end of the quiet hours at noon that postpone the digest', () => {
    const quiet = ['12:00', '14:00'] as const;
    expect(nextAfter('2026-11-20T06:00:00Z', true, null, { quiet })).toBe(
      '2026-11-20T07:00:00.000Z',
    );
  });
});

const zones = ['Pacific/Pago_Pago', 'America/St_Johns', 'Europe/Berlin', 'Asia/Kolkata'].concat([
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Africa/Casablanca',
  'America/Nuuk',
]);

test('if checks are made when nextCheck says, each day’s digest is due at one of them, and never in quiet hours', () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  const start = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) });
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      minute,
      minute,
      minute,
      start,
      (name, at, from, to, begin) => {
        const zone = timeZoneOf(name);
        const times = { zone, digestMinute: at, quietFromMinute: from, quietToMinute: to };
        const dueDays = new Set<number>();
        let now = begin;
        for (let checks = 0; checks < 40 && now < begin + 12 * 86_400_000; checks += 1) {
          const day = dueDigest(times, begin, now);
          if (day !== null) {
            expect(isQuiet(times, now)).toBe(false);
            dueDays.add(day);
          }
          const next = nextCheck(times, { digest: true, alertsEveryMs: null }, now);
          if (next === null) throw new Error('no next check');
          expect(next).toBeGreaterThan(now);
          expect(next - now).toBeLessThanOrEqual(50 * 3_600_000);
          now = next;
        }
        const first = dayIn(zone, begin) + 1;
        for (let day = first; day < first + 9; day += 1) {
          // The clocks may skip the only minutes of a day in which the digest may be sent.
          const moment = digestMoment(times, day);
          if (minuteOfDayIn(zone, moment) !== at && isQuiet(times, moment)) continue;
          expect(dueDays).toContain(day);
        }
      },
    ),
  );
});

test.each([
  [0, 'When it is due'],
  [1, '1 day before due'],
  [7, '7 days before due'],
])('a reminder %i days before is called: %s', (days, words) => {
  expect(reminderTime(days)).toBe(words);
});
