import { plural } from '../text.ts';
import { dayMs } from '../time.ts';

/** Age at `now` (ms): days under a month, months under a year, else years and months (spec section 3, Age). */
export function ageText(dateAdded: string | null | undefined, now: number): string {
  const added = Date.parse(dateAdded ?? '');
  if (Number.isNaN(added)) return '';
  const months = wholeMonthsBetween(new Date(added), new Date(Math.max(added, now)));
  if (months < 1) return plural(Math.max(0, Math.floor((now - added) / dayMs)), 'day');
  if (months < 12) return plural(months, 'month');
  const years = plural(Math.floor(months / 12), 'year');
  return months % 12 === 0 ? years : `${years}, ${plural(months % 12, 'month')}`;
}

function wholeMonthsBetween(from: Date, to: Date): number {
  const months =
    (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  return to.getUTCDate() < from.getUTCDate() ? months - 1 : months;
}
