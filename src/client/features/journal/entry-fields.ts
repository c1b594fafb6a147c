import type { EntryChange } from '#client/store/outbox/entries.ts';
import { type AddableType, entryLimits } from '#domain/journal/entry.ts';
import { dayMs, displayZoneOffsetMs, minuteMs } from '#domain/time.ts';

/** The form's values as typed. */
export interface EntryValues {
  type: AddableType;
  /** As the input has it: 2026-11-20T15:05, in the zone of the screens. */
  at: string;
  amount: string;
  note: string;
}

/** A moment (ms) as a date input has it. */
export function toDateInput(moment: number): string {
  return new Date(moment + displayZoneOffsetMs).toISOString().slice(0, 16);
}

/** NaN for an incomplete date. */
function fromDateInput(text: string): number {
  return Date.parse(`${text}Z`) - displayZoneOffsetMs;
}

/** The earliest and the latest date that may be entered at `now` (ms). */
export function dateLimits(now: number): { min: string; max: string } {
  return { min: toDateInput(now - entryLimits.backDays * dayMs + dayMs), max: toDateInput(now) };
}

/** Error messages by field; empty when all values are valid at `now` (ms). */
export function checkEntry(
  { type, at, amount, note }: EntryValues,
  now: number,
): Partial<Record<keyof EntryValues, string>> {
  const moment = fromDateInput(at);
  const ml = Number(amount);
  const { min, max } = entryLimits.amount;
  if (Number.isNaN(moment)) return { at: 'Enter a date and a time' };
  if (moment > now + minuteMs) return { at: 'This is in the future' };
  if (at < dateLimits(now).min) return { at: 'This is more than a year ago' };
  if (type === 'watered' && amount !== '' && !(ml >= min && ml <= max)) {
    return { amount: `Enter ${min} to ${max} ml` };
  }
  return type === 'note' && note.trim() === '' ? { note: 'Enter a note' } : {};
}

/** The values to store. An unchanged date keeps the seconds of `initial` (ms), which the input does not show. */
export function toEntryChange(
  { type, at, amount, note }: EntryValues,
  initial: number,
): EntryChange {
  return {
    at: at === toDateInput(initial) ? initial : fromDateInput(at),
    amount_ml: type === 'watered' && amount !== '' ? Number(amount) : null,
    note: note.trim() || null,
  };
}
