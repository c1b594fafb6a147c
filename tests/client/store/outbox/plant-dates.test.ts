import { expect, test } from 'vitest';
import type { KnownEntries, Op, OpEntry } from '#client/store/outbox/op.ts';
import { withEntryChange } from '#client/store/outbox/plant-dates.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { plantRecord } from '../../../support/device/device-rows.ts';

/** 8:00 on this day of November (ms). The plant was watered on day 1 and is due every 3 days. */
const on = (day: number) => Date.parse('2026-11-01T08:00:00Z') + (day - 1) * 86_400_000;
const iso = (day: number) => new Date(on(day)).toISOString();

type Dates = Pick<
  PlantRecord,
  'last_watered' | 'next_watering_date' | 'last_fertilized' | 'snoozed_until'
>;

function dates(
  record: Partial<PlantRecord>,
  type: Op['type'],
  entry: Partial<OpEntry>,
  known: Partial<KnownEntries> = {},
): Partial<Dates> {
  const before = plantRecord({ snoozed_until: null, ...record });
  const after = withEntryChange(before, {
    type,
    entry: { id: 'e', type: 'note', at: on(5), note: null, amount_ml: null, days: null, ...entry },
    known: { watered: null, fertilized: null, snooze: null, ...known },
  });
  const names = ['last_watered', 'next_watering_date', 'last_fertilized', 'snoozed_until'] as const;
  const changed = names.filter((name) => after[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

const water = { type: 'watered' } as const;
const snoozed = { snoozed_until: iso(6), next_watering_date: iso(6) };

test.each<[what: string, actual: Partial<Dates>, expected: Partial<Dates>]>([
  [
    'a watering moves the next date',
    dates({}, 'add_entry', water),
    { last_watered: iso(5), next_watering_date: iso(8) },
  ],
  [
    'a watering before the last one changes no date',
    dates({}, 'add_entry', { ...water, at: on(0) }),
    {},
  ],
  [
    'a watering ends a snooze',
    dates(snoozed, 'add_entry', water, { snooze: { at: on(4), days: 2 } }),
    { last_watered: iso(5), next_watering_date: iso(8), snoozed_until: null },
  ],
  [
    'a watering that is dated before the snooze does not end it',
    dates(snoozed, 'add_entry', { ...water, at: on(3) }, { snooze: { at: on(4), days: 2 } }),
    { last_watered: iso(3) },
  ],
  ['fertilizing', dates({}, 'add_entry', { type: 'fertilized' }), { last_fertilized: iso(5) }],
  [
    'a fertilizing before the last one changes no date',
    dates({ last_fertilized: iso(7) }, 'add_entry', { type: 'fertilized' }),
    {},
  ],
  [
    'a snooze moves the next date',
    dates({}, 'add_entry', { type: 'snoozed', days: 2 }),
    { snoozed_until: iso(7), next_watering_date: iso(7) },
  ],
  [
    'a snooze before the last watering does nothing',
    dates({}, 'add_entry', { type: 'snoozed', days: 2, at: on(0) }),
    {},
  ],
  ['a note changes no date', dates({}, 'add_entry', { type: 'note', note: 'A' }), {}],
  ['repotting changes no date', dates({}, 'add_entry', { type: 'repotted' }), {}],
  [
    'without the last watering the one before it counts',
    dates({}, 'remove_entry', { ...water, at: on(1) }, { before: on(1), watered: on(-5) }),
    { last_watered: iso(-5), next_watering_date: iso(-2) },
  ],
  [
    'without its only watering a plant is due one watering interval after it was added',
    dates({}, 'remove_entry', { ...water, at: on(1) }, { before: on(1) }),
    { last_watered: null, next_watering_date: '2026-10-04T08:00:00.000Z' },
  ],
  [
    'without a watering the snooze before it counts again',
    dates({}, 'remove_entry', water, { before: on(1), snooze: { at: on(0), days: 7 } }),
    { last_watered: null, snoozed_until: iso(7), next_watering_date: iso(7) },
  ],
  [
    'a date from elsewhere stays when another watering is removed',
    dates({ last_watered: iso(3) }, 'remove_entry', water, { before: on(1), watered: on(0) }),
    {},
  ],
  [
    'without the last fertilizing the one before it counts',
    dates(
      { last_fertilized: iso(5) },
      'remove_entry',
      { type: 'fertilized' },
      {
        before: on(5),
        fertilized: on(2),
      },
    ),
    { last_fertilized: iso(2) },
  ],
  [
    'without its snooze a plant is due as before',
    dates(snoozed, 'remove_entry', { type: 'snoozed', days: 2 }, { before: on(4) }),
    { snoozed_until: null, next_watering_date: iso(4) },
  ],
  [
    'a watering that is moved back counts from there',
    dates({}, 'edit_entry', { ...water, at: on(-1) }, { before: on(1), watered: on(-9) }),
    { last_watered: iso(-1), next_watering_date: iso(2) },
  ],
  [
    'if the last watering is moved to before another one, the other one counts',
    dates({}, 'edit_entry', { ...water, at: on(-9) }, { before: on(1), watered: on(-5) }),
    { last_watered: iso(-5), next_watering_date: iso(-2) },
  ],
  [
    'a new note of a watering changes no date',
    dates({}, 'edit_entry', { ...water, at: on(1), note: 'A' }, { before: on(1) }),
    {},
  ],
  [
    'a new note of a watering keeps a date that another device has moved since',
    dates(
      { last_watered: iso(-3) },
      'edit_entry',
      { ...water, at: on(1), note: 'A', changed: ['note'] },
      { before: on(1) },
    ),
    {},
  ],
  [
    'a date stays while the entry before is not known',
    dates({}, 'remove_entry', { ...water, at: on(1) }),
    {},
  ],
])('%s', (_, actual, expected) => {
  expect(actual).toEqual(expected);
});
