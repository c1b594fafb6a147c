import { expect, test } from 'vitest';
import {
  daysOf,
  everyDays,
  isDue,
  nextWateringDate,
  nextWateringMoment,
  remainingText,
  wateringProgress,
  wateringStatusText,
} from '#domain/watering/schedule.ts';

const hourMs = 3_600_000;
const now = Date.parse('2026-11-20T08:00:00Z');
const inHours = (hours: number) => new Date(now + hours * hourMs).toISOString();
/** The smallest step of a clock, in hours. */
const tick = 1 / hourMs;
/** How far (h) a clock may lag behind the one that recorded the watering. */
const lag = 5 / 60;

test.each([
  ['its last watering', '2026-11-18T10:00:00Z', '2026-11-21T10:00:00.000Z'],
  ['the day it was added, when never watered', null, '2026-11-04T08:00:00.000Z'],
])('a plant is due one watering interval after %s', (_, last_watered, due) => {
  const plant = { last_watered, date_added: '2026-11-01T08:00:00Z', watering_frequency: 3 };
  expect(nextWateringDate(plant)).toBe(due);
});

test.each<[wateredHoursAgo: number, snoozedUntil: number, due: number]>([
  [200, 24, 24],
  [160, 24, 24],
  [0.1, 24, 167.9],
  [100, 24, 68],
])(
  'a plant with a 7-day interval, watered %d h ago and snoozed for %d h, is due in %d h',
  (ago, snoozed, due) => {
    const plant = { last_watered: inHours(-ago), date_added: '', watering_frequency: 7 };
    expect(nextWateringDate({ ...plant, snoozed_until: inHours(snoozed) })).toBe(inHours(due));
  },
);

test.each([
  ['with a malformed date of the last watering', { last_watered: 'yesterday' }],
  ['with a frequency too large for a date', { watering_frequency: 1e9 }],
])('the next watering of a snoozed plant %s is unknown', (_, fields) => {
  const plant = { last_watered: inHours(0), date_added: '', watering_frequency: 7 };
  const snoozed = { ...plant, ...fields, snoozed_until: inHours(24) };
  expect(nextWateringMoment(snoozed)).toBeNaN();
});

test('a malformed end of a snooze is ignored', () => {
  const plant = { last_watered: inHours(0), date_added: '', watering_frequency: 1 };
  expect(nextWateringDate({ ...plant, snoozed_until: 'soon' })).toBe(inHours(24));
});

test('with an interval of half a day, a plant is due after 12 hours', () => {
  const plant = { last_watered: inHours(0), date_added: '', watering_frequency: 0.5 };
  expect(nextWateringDate(plant)).toBe(inHours(12));
});

test.each<[hours: number, due: boolean, status: string, remaining: RegExp]>([
  [-100, true, 'Water now!', /^Overdue$/],
  [-tick, true, 'Water now!', /^Overdue$/],
  [0, true, 'Water now!', /^0\D+remaining$/],
  [tick, false, 'Tomorrow', /^0\D+remaining$/],
  [1, false, 'Tomorrow', /^1\D+remaining$/],
  [24 - tick, false, 'Tomorrow', /^23\D+remaining$/],
  [24, false, 'Tomorrow', /^1 ?d\D+0 ?h\D*remaining$/],
  [24 + lag, false, 'Tomorrow', /^1 ?d\D+0 ?h\D*remaining$/],
  [24 + lag + tick, false, 'In 2 days', /^1 ?d\D+0 ?h\D*remaining$/],
  [51, false, 'In 3 days', /^2 ?d\D+3 ?h\D*remaining$/],
  [240, false, 'In 10 days', /^10 ?d\D+0 ?h\D*remaining$/],
])(
  'for a watering in %d hours, isDue is %s, the status is %s and the remaining time matches %s',
  (hours, due, status, remaining) => {
    expect(isDue(inHours(hours), now)).toBe(due);
    expect(wateringStatusText(inHours(hours), now)).toBe(status);
    expect(remainingText(inHours(hours), now)).toMatch(remaining);
  },
);

test.each<[last: number, next: number, percent: number]>([
  [-24, 24, 50],
  [-12, 36, 25],
  [0, 72, 0],
  [-72, 0, 100],
  [-100, -28, 100],
  [2, 74, 0],
  [-5, -5, 100],
])(
  'a plant watered at %d h and due at %d h, counted from now, has a progress of %d %%',
  (last, next, percent) => {
    expect(wateringProgress(inHours(last), inHours(next), now)).toBe(percent);
  },
);

test('without dates a plant is not due, has no status and no progress', () => {
  expect(isDue(null, now)).toBe(false);
  expect(wateringStatusText(null, now)).toBe('');
  expect(wateringProgress(null, inHours(1), now)).toBe(0);
  expect(wateringProgress(inHours(-1), null, now)).toBe(0);
});

test.each(['', 'soon', '2026-13-45'])(
  'the malformed date %j is not due and has no status, remaining time or progress',
  (text) => {
    expect(isDue(text, now)).toBe(false);
    expect(wateringStatusText(text, now)).toBe('');
    expect(remainingText(text, now)).toBe('');
    expect(wateringProgress(text, inHours(1), now)).toBe(0);
    expect(wateringProgress(inHours(-1), text, now)).toBe(0);
  },
);

test.each([
  [1, 'Every 1 day', '1 day'],
  [2, 'Every 2 days', '2 days'],
  [30, 'Every 30 days', '30 days'],
])('an interval of %i days in words is %s', (days, every, alone) => {
  expect(everyDays(days)).toBe(every);
  expect(daysOf(days)).toBe(alone);
});
