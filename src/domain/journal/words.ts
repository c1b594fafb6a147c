import { formatMoment } from '../dates.ts';
import { autoWateringNote } from '../watering/reasons.ts';
import { daysOf } from '../watering/schedule.ts';
import { dayIn, type TimeZone } from '../zone.ts';
import type { AddableType, JournalEntry } from './entry.ts';

/** Titles of entries that a person can add. */
export const entryTitles: Readonly<Record<AddableType, string>> = {
  watered: 'Watered',
  fertilized: 'Fertilized',
  repotted: 'Repotted',
  pruned: 'Pruned',
  note: 'Note',
  snoozed: 'Snoozed',
};

/** The title of an entry by a person: 'Watered · 200 ml', 'Snoozed for 3 days'. */
export function entryTitle({
  type,
  amount_ml,
  days,
}: {
  type: AddableType;
  amount_ml: number | null;
  days: number | null;
}): string {
  if (type === 'snoozed' && days !== null) return `Snoozed for ${daysOf(days)}`;
  return [entryTitles[type], amountWords({ amount_ml })].filter(Boolean).join(' · ');
}

/** The text of an entry: 'Watered by the pump · 150 ml · soil 22 % → 48 %'. */
export function entryWords(entry: Omit<JournalEntry, 'id' | 'at'>): string {
  const { type, source, reason } = entry;
  if (type === 'watered') {
    const who = source === 'auto' ? 'Watered by the pump' : 'Watered by hand';
    return [who, amountWords(entry), soilWords(entry)].filter(Boolean).join(' · ');
  }
  if (type === 'not_watered') return notWateredWords(reason);
  return isAddable(type) ? entryTitle({ ...entry, type }) : 'Entry of a newer version of Sprig';
}

/** The heading for the day of `moment` in the zone: 'Today', 'Yesterday' or a date like 'Nov 20, 2026'. */
export function dayTitle(moment: number, now: number, zone: TimeZone): string {
  const daysAgo = dayIn(zone, now) - dayIn(zone, moment);
  if (daysAgo === 0) return 'Today';
  return daysAgo === 1 ? 'Yesterday' : formatMoment(moment, 'date', zone);
}

function isAddable(type: string): type is AddableType {
  return Object.hasOwn(entryTitles, type);
}

function amountWords({ amount_ml }: Pick<JournalEntry, 'amount_ml'>): string {
  return amount_ml === null ? '' : `${Number(amount_ml.toFixed(1))} ml`;
}

function soilWords({
  soil_before,
  soil_after,
}: Pick<JournalEntry, 'soil_before' | 'soil_after'>): string {
  if (soil_before === null) return '';
  const before = `soil ${Math.round(soil_before)} %`;
  return soil_after === null ? before : `${before} → ${Math.round(soil_after)} %`;
}

/**
 * The text of an entry `not_watered`. A newer server may send the reason `stale`. Its text leaves out the age of the
 * reading, because an entry does not contain that age.
 */
function notWateredWords(reason: string | null): string {
  if (reason === 'stale') return 'Not watered: the last reading was too old';
  return autoWateringNote({ auto_watering_reason: reason }, 0) ?? 'Not watered';
}
