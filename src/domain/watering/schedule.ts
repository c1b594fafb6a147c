import { dayMs, hourMs } from '../time.ts';

interface Watered {
  last_watered: string | null;
  date_added: string;
  /** days */
  watering_frequency: number;
}

/**
 * When a plant is next due (ISO): its last watering, or the day it was added when it was never watered,
 * plus its frequency in days.
 */
export function nextWateringDate(plant: Watered): string {
  return new Date(nextWateringMoment(plant)).toISOString();
}

/** The same in ms; NaN when a date is none or the frequency leads beyond all dates. */
export function nextWateringMoment(plant: Watered): number {
  const from = Date.parse(plant.last_watered ?? plant.date_added);
  return new Date(from + plant.watering_frequency * dayMs).getTime();
}

/** Whether the next watering date is now or past (spec section 4, Needs Water). Unknown dates are not due. */
export function isDue(nextWatering: string | null, now: number): boolean {
  return nextWatering !== null && Date.parse(nextWatering) <= now;
}

/**
 * How far the clock that is looked at may lag behind the one that a watering was told by: a plant watered this very
 * moment every 7 days is due in 7 days, not in 8.
 */
const clockLagMs = 5 * 60_000;

/** The card's watering status (spec section 4), a begun day counting whole; '' when no date is known. */
export function wateringStatusText(nextWatering: string | null, now: number): string {
  const left = Date.parse(nextWatering ?? '') - now;
  if (Number.isNaN(left)) return '';
  if (left <= 0) return 'Water now!';
  const days = Math.ceil((left - clockLagMs) / dayMs);
  return days <= 1 ? 'Tomorrow' : `In ${days} days`;
}

/**
 * 'Overdue', or the remaining time as days and hours, or hours only (spec section 4, Watering); '' for a date that is
 * none.
 */
export function remainingText(nextWatering: string, now: number): string {
  const left = Date.parse(nextWatering) - now;
  if (Number.isNaN(left)) return '';
  if (left < 0) return 'Overdue';
  const days = Math.floor(left / dayMs);
  const hours = Math.floor((left % dayMs) / hourMs);
  return days > 0 ? `${days}d ${hours}h remaining` : `${hours}h remaining`;
}

/** Elapsed time since the last watering over the whole interval, 0–100 % (spec section 4, Watering). */
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
