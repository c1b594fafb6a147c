import { dayMs, hourMs, minuteMs } from '../time.ts';

interface Watered {
  /** ISO 8601, like date_added */
  last_watered: string | null;
  date_added: string;
  /** days */
  watering_frequency: number;
  /** ISO 8601: the end of its newest snooze, even if that is past; null if it has none or was watered since. */
  snoozed_until?: string | null | undefined;
}

/**
 * When a plant is next due (ISO): its frequency in days after its last watering, or after it was added if it was never
 * watered. A snooze never makes it due earlier, because a device without a network may record a snooze for a plant that
 * the pump has just watered. Throws a RangeError where nextWateringMoment returns NaN.
 */
export function nextWateringDate(plant: Watered): string {
  return new Date(nextWateringMoment(plant)).toISOString();
}

/**
 * The next watering date in ms. NaN for a malformed date or a frequency too large for a date. A malformed end of a
 * snooze is ignored.
 */
export function nextWateringMoment(plant: Watered): number {
  const from = Date.parse(plant.last_watered ?? plant.date_added);
  const regular = new Date(from + plant.watering_frequency * dayMs).getTime();
  const snoozedUntil = Date.parse(plant.snoozed_until ?? '') || 0;
  return Math.max(regular, snoozedUntil);
}

/** Whether the next watering date is now or past. An unknown date is not due. */
export function isDue(nextWatering: string | null, now: number): boolean {
  return nextWatering !== null && Date.parse(nextWatering) <= now;
}

/**
 * How far this device's clock may be behind the clock that recorded a watering. Days are rounded up. Without this
 * tolerance, a plant that is watered every 7 days and was watered just now would be shown as 'In 8 days'.
 */
const clockLagMs = 5 * minuteMs;

/** The card's watering status. A part of a day counts as a day; '' without a known date. */
export function wateringStatusText(nextWatering: string | null, now: number): string {
  const left = Date.parse(nextWatering ?? '') - now;
  if (Number.isNaN(left)) return '';
  if (left <= 0) return 'Water now!';
  const days = Math.ceil((left - clockLagMs) / dayMs);
  return days <= 1 ? 'Tomorrow' : `In ${days} days`;
}

/** 'Overdue', or the remaining time as days and hours, or hours only; '' for a malformed date. */
export function remainingText(nextWatering: string, now: number): string {
  const left = Date.parse(nextWatering) - now;
  if (Number.isNaN(left)) return '';
  if (left < 0) return 'Overdue';
  const days = Math.floor(left / dayMs);
  const hours = Math.floor((left % dayMs) / hourMs);
  return days > 0 ? `${days}d ${hours}h remaining` : `${hours}h remaining`;
}

/** The elapsed part of the interval between two waterings, 0–100 %; 0 when a date is unknown. */
export function wateringProgress(
  lastWatered: string | null,
  nextWatering: string | null,
  now: number,
): number {
  const start = Date.parse(lastWatered ?? '');
  const interval = Date.parse(nextWatering ?? '') - start;
  if (Number.isNaN(interval)) return 0;
  if (interval <= 0) return 100;
  return Math.min(100, Math.max(0, ((now - start) / interval) * 100));
}

/** How often a plant is watered: 'Every 3 days'. */
export function everyDays(days: number): string {
  return `Every ${daysOf(days)}`;
}

/** A number of days in words: '1 day', '3 days'. */
export function daysOf(days: number): string {
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}
