import { expect, test } from 'vitest';
import { calendarText } from '#domain/calendar/ics.ts';
import {
  type CalendarPlant,
  calendarDays,
  eventsPerDay,
  eventsPerPlant,
  maxEvents,
  wateringDays,
} from '#domain/calendar/watering-events.ts';
import { dateOfDay, dayIn, defaultZone, momentIn, timeZoneOf } from '#domain/zone.ts';
import { fc } from '../../support/properties.ts';

const now = Date.parse('2026-11-20T08:00:00Z');
const today = dayIn(defaultZone, now);
const view = {
  account: 'a1',
  zone: defaultZone,
  now,
  publicUrl: 'https://plants.example.org',
};

function plant(changes: Partial<CalendarPlant> = {}): CalendarPlant {
  return {
    id: 'p1',
    nickname: 'Monty',
    location: null,
    nextWatering: Date.parse('2026-11-22T08:00:00Z'),
    wateringFrequency: 7,
    ...changes,
  };
}

function datesOf(changes: Partial<CalendarPlant>, zone = defaultZone) {
  return wateringDays(plant(changes), zone, dayIn(zone, now)).map(dateOfDay);
}

test('a plant is due on its next date and then at its interval, for 60 days', () => {
  expect(datesOf({})).toEqual([
    '2026-11-22',
    '2026-11-29',
    '2026-12-06',
    '2026-12-13',
    '2026-12-20',
    '2026-12-27',
    '2027-01-03',
    '2027-01-10',
    '2027-01-17',
  ]);
});

test('an overdue plant is due today, and then at its interval, counted from today', () => {
  const nextWatering = Date.parse('2026-11-01T08:00:00Z');
  expect(datesOf({ nextWatering, wateringFrequency: 30 })).toEqual(['2026-11-20', '2026-12-20']);
});

test('a plant that is due later or earlier today is due today', () => {
  for (const time of ['00:00:00Z', '16:59:59Z']) {
    const nextWatering = Date.parse(`2026-11-20T${time}`);
    expect(datesOf({ nextWatering, wateringFrequency: 40 })).toEqual(['2026-11-20', '2026-12-30']);
  }
});

test.each([
  ['2027-01-18T16:59:59Z', ['2027-01-18']],
  ['2027-01-18T17:00:00Z', []],
  ['not a date', []],
])('a plant whose next date is %s has the dates %j', (next, dates) => {
  expect(datesOf({ nextWatering: Date.parse(next) })).toEqual(dates);
});

test.each([1, 0.5, 0.001])('an interval of %d days gives a date each day', (wateringFrequency) => {
  expect(datesOf({ wateringFrequency })).toHaveLength(calendarDays - 2);
});

test('an interval of one and a half days alternates between two days and one', () => {
  expect(datesOf({ wateringFrequency: 1.5 }).slice(0, 4)).toEqual([
    '2026-11-22',
    '2026-11-24',
    '2026-11-25',
    '2026-11-27',
  ]);
});

test.each([
  ['Pacific/Pago_Pago', '2026-11-21'],
  ['UTC', '2026-11-22'],
  ['Asia/Bangkok', '2026-11-22'],
  ['Pacific/Kiritimati', '2026-11-22'],
])('in the time zone %s the plant is first due on %s', (name, date) => {
  expect(datesOf({}, timeZoneOf(name))[0]).toBe(date);
});

test('daylight saving time shifts no date, at any time of day', () => {
  const zones = ['Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo'];
  for (const zone of zones.map(timeZoneOf)) {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 364 }), fc.integer({ min: 0, max: 1_439 }), (n, m) => {
        const start = today + n;
        const nextWatering = momentIn(zone, start, m);
        const first = dayIn(zone, nextWatering);
        const days = wateringDays(plant({ nextWatering, wateringFrequency: 3 }), zone, start);
        expect(days).toEqual(Array.from({ length: days.length }, (_, index) => first + 3 * index));
        expect(days.length).toBeGreaterThanOrEqual(19);
      }),
    );
  }
});

test('with one event per day, each event names the plants that are due that day and links to them', () => {
  const plants = [
    plant({ id: 'p2', nickname: 'Fern', location: 'Bathroom' }),
    plant({ wateringFrequency: 30 }),
  ];
  const [first, second] = eventsPerDay(plants, view);
  expect(first).toEqual({
    uid: 'due-a1-2026-11-22@sprig',
    day: today + 2,
    summary: 'Water 2 plants',
    description: [
      'Fern (Bathroom)',
      'https://plants.example.org/dashboard/plants?plant=p2',
      '',
      'Monty',
      'https://plants.example.org/dashboard/plants?plant=p1',
      '',
      'All plants: https://plants.example.org/dashboard/schedule',
    ].join('\n'),
  });
  expect(second).toMatchObject({ uid: 'due-a1-2026-11-29@sprig', summary: 'Water Fern' });
});

test('with one event per plant, each event names its plant, links to it and has its id in the uid', () => {
  const plants = [plant({ id: 'p2', nickname: '' }), plant({ wateringFrequency: 30 })];
  expect(eventsPerPlant(plants, view).slice(0, 2)).toEqual([
    {
      uid: 'due-p2-2026-11-22@sprig',
      day: today + 2,
      summary: 'Water Unnamed Plant',
      description: 'Unnamed Plant\nhttps://plants.example.org/dashboard/plants?plant=p2',
    },
    {
      uid: 'due-p1-2026-11-22@sprig',
      day: today + 2,
      summary: 'Water Monty',
      description: 'Monty\nhttps://plants.example.org/dashboard/plants?plant=p1',
    },
  ]);
});

test('the event of today says since when a plant is due, and later events do not', () => {
  const overdue = plant({ nextWatering: Date.parse('2026-11-17T20:00:00Z') });
  const [first, second] = eventsPerPlant([overdue], view);
  expect(first?.description).toMatch(/^Monty, due since Nov 18\n/);
  expect(second?.description).toMatch(/^Monty\n/);
});

test('without plants there are no events', () => {
  expect([...eventsPerDay([], view), ...eventsPerPlant([], view)]).toEqual([]);
});

test('calendars of 300 plants that are watered daily stay below a megabyte and do not exceed the limit of events', () => {
  const plants = Array.from({ length: 300 }, (_, n) =>
    plant({ id: crypto.randomUUID(), nickname: `Plant ${n}`, wateringFrequency: 1 }),
  );
  const days = eventsPerDay(plants, view);
  expect(days).toHaveLength(calendarDays - 2);
  expect(days[0]?.summary).toBe('Water 300 plants');
  expect(days[0]?.description).toContain('\n\nand 280 more\n\n');
  expect(eventsPerPlant(plants, view)).toHaveLength(maxEvents);
  for (const events of [days, eventsPerPlant(plants, view)]) {
    const text = calendarText({ name: 'Sprig', changedAt: now, events });
    expect(Buffer.byteLength(text)).toBeLessThan(2 ** 20);
  }
});

test('the order of the plants and the time of day do not change the events', () => {
  const plants = Array.from({ length: 20 }, (_, n) =>
    plant({ id: `p${n}`, nickname: `Plant ${n % 7}`, nextWatering: now + (n - 5) * 86_400_000 }),
  );
  const later = { ...view, now: momentIn(defaultZone, today, 1_439) };
  expect(eventsPerDay(plants.toReversed(), later)).toEqual(eventsPerDay(plants, view));
  expect(eventsPerPlant(plants.toReversed(), later)).toEqual(eventsPerPlant(plants, view));
});
