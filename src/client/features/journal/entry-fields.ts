import type { EntryChange } from '#client/store/journal/changed-fields.ts';
import { type AddableType, entryLimits } from '#domain/journal/entry.ts';
import { dayMs, minuteMs } from '#domain/time.ts';
import { momentIn, offsetAt, type TimeZone } from '#domain/zone.ts';

/** The form's values as typed. */
export interface EntryValues {
  type: AddableType;
  /** The value of the date input, in the account's time zone, e.g. 2026-11-20T15:05. */
  at: string;
  amount: string;
  note: string;
}

/** The values that the form shows for an entry. */
export function toEntryValues(
  { type, at, amount_ml, note }: EntryChange & { type: AddableType },
  zone: TimeZone,
): EntryValues {
  const amount = amount_ml === null ? '' : String(amount_ml);
  return { type, at: toDateInput(at, zone), amount, note: note ?? '' };
}

/**
 * The typed values. Fields that the person did not change have the values of `current` instead of the `first` ones,
 * because another device may have changed the entry since the form was opened.
 */
export function withCurrent(
  typed: EntryValues,
  first: EntryValues,
  current: EntryValues,
): EntryValues {
  const chosen = (name: 'at' | 'amount' | 'note') =>
    typed[name] === first[name] ? current[name] : typed[name];
  return { ...typed, at: chosen('at'), amount: chosen('amount'), note: chosen('note') };
}

/** Converts a moment (ms) to the value of a date input. */
export function toDateInput(moment: number, zone: TimeZone): string {
  return new Date(moment + offsetAt(zone, moment)).toISOString().slice(0, 16);
}

/** NaN for an incomplete date. */
function fromDateInput(text: string, zone: TimeZone): number {
  const minutes = Math.floor(Date.parse(`${text}Z`) / minuteMs);
  const day = Math.floor((minutes * minuteMs) / dayMs);
  return momentIn(zone, day, minutes - (day * dayMs) / minuteMs);
}

/** The earliest and the latest date that may be entered at `now` (ms). */
export function dateLimits(now: number, zone: TimeZone): { min: string; max: string } {
  const earliest = now - entryLimits.backDays * dayMs;
  return { min: toDateInput(earliest, zone), max: toDateInput(now, zone) };
}

/**
 * NaN if it is no number. A decimal comma is accepted, because the number pads of many phones have no point. NaN for
 * '1.500' and '1,500', which mean 1.5 in some countries and 1500 in others. A stored amount is always valid: as text it
 * never ends with a zero after the point.
 */
function amountOf(text: string): number {
  if (/^\d{1,3}\.\d{2}0$/.test(text)) return Number.NaN;
  return Number(text.replace(/,(\d{1,2})$/, '.$1'));
}

/**
 * Error messages by field; empty when all values are valid at `now` (ms). An unchanged date is not checked: it may be
 * before the earliest date for new entries, or in the future if the device's clock is behind.
 */
export function checkEntry(
  { type, at, amount, note }: EntryValues,
  initial: number,
  now: number,
  zone: TimeZone,
): Partial<Record<keyof EntryValues, string>> {
  const moment = fromDateInput(at, zone);
  const ml = amountOf(amount);
  const { min, max } = entryLimits.amount;
  if (Number.isNaN(moment)) return { at: 'Enter a date and a time' };
  if (at !== toDateInput(initial, zone)) {
    if (moment > now + minuteMs) return { at: 'This is in the future' };
    if (at < dateLimits(now, zone).min) return { at: 'This is more than a year ago' };
  }
  if (type === 'watered' && amount !== '' && !(ml >= min && ml <= max)) {
    return { amount: `Enter ${min} to ${max} ml` };
  }
  return type === 'note' && note.trim() === '' ? { note: 'Enter a note' } : {};
}

/** The values to store. An unchanged date keeps the seconds of `initial` (ms), which the input does not show. */
export function toEntryChange(
  { type, at, amount, note }: EntryValues,
  initial: number,
  zone: TimeZone,
): EntryChange {
  return {
    at: at === toDateInput(initial, zone) ? initial : fromDateInput(at, zone),
    amount_ml: type === 'watered' && amount !== '' ? amountOf(amount) : null,
    note: note.trim() || null,
  };
}
