import { describe, expect, test } from 'vitest';
import {
  digestOf,
  digestTexts,
  namesText,
  type RemindedPlant,
  shortName,
  wateredTexts,
} from '#domain/reminder/digest.ts';
import { defaultZone, timeZoneOf } from '#domain/zone.ts';
import { fc } from '../../support/properties.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** 3 PM on Nov 20 in UTC+7. The day ends in nine hours. */
const now = Date.parse('2026-11-20T08:00:00Z');

let made = 0;
function plant(changes: Partial<RemindedPlant> = {}): RemindedPlant {
  made += 1;
  return {
    id: `plant-${String(made).padStart(4, '0')}`,
    nickname: 'Monty',
    nextWatering: now - hour,
    snoozedUntil: null,
    isReminderEnabled: true,
    daysBefore: 0,
    ...changes,
  };
}

function namesOf(plants: RemindedPlant[], zone = defaultZone): string[] {
  return digestOf(plants, zone, now)?.plants.map(({ name }) => name) ?? [];
}

test('there is no digest if nothing is due', () => {
  expect(digestOf([], defaultZone, now)).toBeNull();
  expect(digestOf([plant({ nextWatering: now + 2 * day })], defaultZone, now)).toBeNull();
  expect(digestOf([plant({ isReminderEnabled: false })], defaultZone, now)).toBeNull();
});

describe('a digest lists plants that are due before the local day ends', () => {
  test.each([
    ['long overdue', now - 90 * day, true],
    ['just due', now, true],
    ['due later today', now + 9 * hour - 1, true],
    ['due at midnight', now + 9 * hour, false],
  ])('%s', (_, nextWatering, isListed) => {
    expect(namesOf([plant({ nextWatering })])).toEqual(isListed ? ['Monty'] : []);
  });

  test('the same plant is due today in one zone and tomorrow in another', () => {
    const plants = [plant({ nextWatering: Date.parse('2026-11-20T10:30:00Z') })];
    expect(namesOf(plants, timeZoneOf('Pacific/Pago_Pago'))).toEqual(['Monty']);
    expect(namesOf(plants, timeZoneOf('Asia/Tokyo'))).toEqual(['Monty']);
    expect(namesOf(plants, timeZoneOf('Pacific/Kiritimati'))).toEqual([]);
  });

  test('the day on which summer time begins has 23 hours', () => {
    const zone = timeZoneOf('Europe/Berlin');
    const morning = Date.parse('2026-03-29T07:00:00Z');
    const late = [plant({ nextWatering: Date.parse('2026-03-29T21:59:00Z') })];
    const next = [plant({ nextWatering: Date.parse('2026-03-29T22:00:00Z') })];
    expect(digestOf(late, zone, morning)?.dueCount).toBe(1);
    expect(digestOf(next, zone, morning)).toBeNull();
  });
});

describe('days before', () => {
  test.each([
    [0, 10 * hour, false],
    [1, 10 * hour, true],
    [1, 33 * hour - 1, true],
    [1, 33 * hour, false],
    [2.9, 57 * hour - 1, true],
    [2.9, 57 * hour, false],
    [-3, 8 * hour, true],
    [-3, 10 * hour, false],
    [Number.NaN, 8 * hour, true],
    [1e300, 365 * day, true],
  ])(
    'a plant with a reminder %d days before, due in %d ms, is listed: %s',
    (daysBefore, inMs, isListed) => {
      expect(namesOf([plant({ daysBefore, nextWatering: now + inMs })]).length).toBe(
        isListed ? 1 : 0,
      );
    },
  );

  test('plants that will be due soon are listed, but not counted as due', () => {
    const soon = plant({ nickname: 'Fern', daysBefore: 3, nextWatering: now + 2 * day });
    expect(digestOf([soon], defaultZone, now)).toMatchObject({
      title: 'Fern needs water soon',
      dueCount: 0,
    });
    expect(digestOf([soon, plant()], defaultZone, now)).toMatchObject({
      title: '1 plant needs water, 1 soon',
      body: 'Monty. Soon: Fern',
      dueCount: 1,
    });
    expect(digestOf([soon, { ...soon, id: 'x' }], defaultZone, now)).toMatchObject({
      title: '2 plants need water soon',
      body: 'Fern and Fern',
    });
  });
});

describe('a snoozed plant', () => {
  test('is left out even if it is due within the days ahead that the person chose', () => {
    const snoozedUntil = now + 2 * day;
    expect(namesOf([plant({ snoozedUntil, nextWatering: snoozedUntil, daysBefore: 7 })])).toEqual(
      [],
    );
  });

  test('is listed again within the days ahead that the person chose, as soon as its snooze is over', () => {
    const later = { snoozedUntil: now - day, nextWatering: now + 2 * day };
    expect(namesOf([plant({ ...later, daysBefore: 3 })])).toEqual(['Monty']);
    expect(namesOf([plant({ ...later, daysBefore: 0 })])).toEqual([]);
  });

  test('comes back on the day on which its snooze ends', () => {
    const snoozedUntil = now + 8 * hour;
    expect(namesOf([plant({ snoozedUntil, nextWatering: snoozedUntil })])).toEqual(['Monty']);
  });
});

test('the plant that has been due longest comes first', () => {
  const plants = [
    plant({ nickname: 'Basil', nextWatering: now }),
    plant({ nickname: 'Monty', nextWatering: now - 3 * day }),
    plant({ nickname: 'Fern', nextWatering: now - day }),
  ];
  expect(digestOf(plants, defaultZone, now)).toMatchObject({
    title: '3 plants need water',
    body: 'Monty, Fern and Basil',
    dueCount: 3,
  });
});

test('one plant is named in the title', () => {
  expect(digestOf([plant()], defaultZone, now)?.title).toBe('Monty needs water');
  expect(digestOf([plant({ nickname: '' })], defaultZone, now)?.title).toBe(
    'Unnamed Plant needs water',
  );
});

test('the texts of a digest name the due plants first, and count the plants that are due soon but not listed', () => {
  const [monty, fern, basil] = ['Monty', 'Fern', 'Basil'].map((name) => ({ name }));
  if (!monty || !fern || !basil) throw new Error('A plant is missing');
  expect(digestTexts({ due: [monty, fern], soon: [basil] })).toEqual({
    title: '2 plants need water, 1 soon',
    body: 'Monty and Fern. Soon: Basil',
  });
  expect(digestTexts({ due: [monty, fern], soon: [basil], soonCount: 60 })).toEqual({
    title: '2 plants need water, 60 soon',
    body: 'Monty and Fern. Soon: Basil and 59 more',
  });
  expect(digestTexts({ due: [monty], soon: [], soonCount: 60 })).toEqual({
    title: '1 plant needs water, 60 soon',
    body: 'Monty',
  });
  expect(digestTexts({ due: [], soon: [fern], soonCount: 60 })).toEqual({
    title: '60 plants need water soon',
    body: 'Fern and 59 more',
  });
});

test.each([
  [[], ''],
  [['Monty'], 'Monty'],
  [['Monty', 'Fern'], 'Monty and Fern'],
  [['Monty', 'Fern', 'Basil'], 'Monty, Fern and Basil'],
  [['Monty', 'Fern', 'Basil', 'Rose'], 'Monty, Fern, Basil and 1 more'],
  [Array.from({ length: 1_000 }, (_, n) => `P${n}`), 'P0, P1, P2 and 997 more'],
])('names in a text: %j', (names, text) => expect(namesText(names)).toBe(text));

test('a long name is cut to 40 characters, never inside one', () => {
  expect(shortName('x'.repeat(40))).toBe('x'.repeat(40));
  expect(shortName('x'.repeat(41))).toBe(`${'x'.repeat(39)}…`);
  expect(Array.from(shortName('🌿'.repeat(200)))).toHaveLength(40);
  expect(shortName('🌿'.repeat(200)).isWellFormed()).toBe(true);
});

test('a digest lists only plants with reminders, each once, in order of dates, and leaves out no overdue one', () => {
  const plants = fc.array(
    fc.record({
      nickname: fc.string({ unit: 'binary', maxLength: 60 }),
      nextWatering: fc.integer({ min: now - 30 * day, max: now + 30 * day }),
      snoozedUntil: fc.option(fc.integer({ min: now - 30 * day, max: now + 30 * day })),
      isReminderEnabled: fc.boolean(),
      daysBefore: fc.double({ min: 0, max: 9 }),
    }),
    { maxLength: 40 },
  );
  const zones = fc.constantFrom('Pacific/Pago_Pago', 'Europe/Berlin', 'Pacific/Kiritimati');
  fc.assert(
    fc.property(plants, zones, (all, zone) => {
      const known = all.map((changes) => plant(changes));
      const digest = digestOf(known, timeZoneOf(zone), now);
      const listed = digest?.plants.map(({ id }) => id) ?? [];
      expect(new Set(listed).size).toBe(listed.length);
      const byId = new Map(known.map((each) => [each.id, each]));
      for (const id of listed) expect(byId.get(id)?.isReminderEnabled).toBe(true);
      const moments = listed.map((id) => byId.get(id)?.nextWatering ?? Number.NaN);
      expect(moments).toEqual([...moments].sort((a, b) => a - b));
      const overdue = known.filter((each) => each.isReminderEnabled && each.nextWatering <= now);
      for (const { id } of overdue) expect(listed).toContain(id);
      expect(digest?.dueCount ?? 0).toBeGreaterThanOrEqual(overdue.length);
      if (digest) expect(digest.title).not.toBe('');
    }),
  );
});

test('the notice after an answer to a notification that was out of date says that nothing was to water', () => {
  expect(wateredTexts([], false)).toEqual({
    title: 'Nothing to water',
    body: 'These plants are no longer due.',
  });
});

test.each([
  [false, 'Watered, waiting to be sent'],
  [true, 'Watered'],
])('the notice after an answer (sent: %s) is titled %s and names the plants', (isSent, title) => {
  const plants = [{ name: 'Monty' }, { name: 'Fern' }];
  expect(wateredTexts(plants, isSent)).toEqual({ title, body: 'Monty and Fern' });
});
