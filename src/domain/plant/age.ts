import { dayMs } from '../durations.ts';

/** How old a plant is at `now` (ms): days under a month, months under a year, else years and months (spec section 3, Age). */
export function ageText(dateAdded: string | null | undefined, now: number): string {
  const added = Date.parse(dateAdded ?? '');
  if (Number.isNaN(added)) return '';
  const months = wholeMonthsBetween(new Date(added), new Date(Math.max(added, now)));
  if (months < 1) return count(Math.max(0, Math.floor((now - added) / dayMs)), 'day');
  if (months < 12) return count(months, 'month');
  const years = count(Math.floor(months / 12), 'year');
  return months % 12 === 0 ? years : `${years}, ${count(months % 12, 'month')}`;
}

function wholeMonthsBetween(from: Date, to: Date): number {
  const months =
    (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  return to.getUTCDate() < from.getUTCDate() ? months - 1 : months;
}

function count(n: number, unit: string): string {
  return `${n} ${unit}${n === 1 ? '' : 's'}`;
}
