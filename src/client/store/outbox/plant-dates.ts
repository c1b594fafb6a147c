import type { PlantRecord } from '#domain/plant/plant.ts';
import { dayMs } from '#domain/time.ts';
import { nextWateringMoment } from '#domain/watering/schedule.ts';
import { changedValues } from '../journal/changed-fields.ts';
import type { KnownEntries, Op, OpEntry } from './op.ts';

/**
 * Computes a plant's dates while a change of its journal is pending, as the server will:
 *
 *   newest entry   date of the plant
 *   watered        last_watered; an earlier snooze ends
 *   fertilized     last_fertilized
 *   snoozed        snoozed_until, if it was not watered since
 *
 * next_watering_date follows from them. An entry that is not the newest of its type changes nothing. Times are in ms;
 * an unknown one is -Infinity, so that every known one is later.
 */

type Snooze = KnownEntries['snooze'];

/** The record with a watering at this time, unless it is older than the last one. `snooze`: the newest, if known. */
export function withWatering(record: PlantRecord, at: number, snooze: Snooze = null): PlantRecord {
  if (timeOf(record.last_watered) >= at) return record;
  const snoozed_until = snooze && snooze.at > at ? (record.snoozed_until ?? null) : null;
  return withNextDate({ ...record, last_watered: toIso(at), snoozed_until });
}

/** The record with an entry added, edited or removed. */
export function withEntryChange(
  record: PlantRecord,
  { type, entry, known }: Pick<Op, 'type' | 'entry' | 'known'>,
): PlantRecord {
  if (!entry) return record;
  const { at } = changedValues(entry);
  const isSameTime = type === 'edit_entry' && (at === undefined || at === known?.before);
  if (isSameTime) return record;
  const others = known ?? { watered: null, fertilized: null, snooze: null };
  const without = type === 'add_entry' ? record : withoutEntry(record, entry, others);
  return type === 'remove_entry' ? without : withEntry(without, entry, others);
}

/**
 * Computes the next watering date as the server will. Without a valid date or a watering frequency the record is
 * unchanged.
 */
export function withNextDate(record: PlantRecord): PlantRecord {
  const { last_watered = null, date_added, watering_frequency, snoozed_until } = record;
  if (!watering_frequency) return record;
  const due = nextWateringMoment({
    last_watered,
    date_added: date_added ?? '',
    watering_frequency,
    snoozed_until,
  });
  if (Number.isNaN(due)) return record;
  return { ...record, next_watering_date: new Date(due).toISOString() };
}

function withEntry(record: PlantRecord, entry: OpEntry, { snooze }: KnownEntries): PlantRecord {
  const { type, at } = entry;
  switch (type) {
    case 'watered':
      return withWatering(record, at, snooze);
    case 'fertilized':
      if (timeOf(record.last_fertilized) >= at) return record;
      return { ...record, last_fertilized: toIso(at) };
    case 'snoozed': {
      const isNewest = at > timeOf(record.last_watered) && !(snooze && snooze.at > at);
      return isNewest ? withNextDate({ ...record, snoozed_until: toIso(endOf(entry)) }) : record;
    }
    default:
      return record;
  }
}

/** Changes a date only if it comes from this entry. So a newer date from another device is kept. */
function withoutEntry(
  record: PlantRecord,
  { type, days }: OpEntry,
  { before, ...others }: KnownEntries,
): PlantRecord {
  if (before === undefined) return record;
  switch (type) {
    case 'watered': {
      if (timeOf(record.last_watered) !== before) return record;
      const last_watered = toIso(others.watered);
      return withNextDate(withSnooze({ ...record, last_watered }, others.snooze));
    }
    case 'fertilized':
      if (timeOf(record.last_fertilized) !== before) return record;
      return { ...record, last_fertilized: toIso(others.fertilized) };
    case 'snoozed':
      if (timeOf(record.snoozed_until) !== endOf({ at: before, days })) return record;
      return withNextDate(withSnooze(record, others.snooze));
    default:
      return record;
  }
}

/** A snooze counts until the plant is watered. */
function withSnooze(record: PlantRecord, snooze: Snooze): PlantRecord {
  const counts = snooze !== null && snooze.at > timeOf(record.last_watered);
  return { ...record, snoozed_until: counts ? toIso(endOf(snooze)) : null };
}

function endOf({ at, days }: { at: number; days: number | null }): number {
  return at + (days ?? 0) * dayMs;
}

function timeOf(iso: string | null | undefined): number {
  const time = Date.parse(iso ?? '');
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

function toIso(time: number): string;
function toIso(time: number | null): string | null;
function toIso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
