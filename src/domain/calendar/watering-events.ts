import { formatMoment } from '../dates.ts';
import { unnamedPlant } from '../plant/plant.ts';
import { plural } from '../text.ts';
import { dayMs } from '../time.ts';
import { dateOfDay, dayIn, offsetAt, type TimeZone } from '../zone.ts';
import type { CalendarEvent } from './ics.ts';

/** The data of a plant that the calendar needs. */
export interface CalendarPlant {
  id: string;
  nickname: string;
  location: string | null;
  /** When it is due next, ms: not before the end of a snooze. */
  nextWatering: number;
  /** days */
  wateringFrequency: number;
}

export interface CalendarView {
  /** The id of the account, which is part of the ids of its events. */
  account: string;
  zone: TimeZone;
  /** ms; only its day in the zone counts. */
  now: number;
  /** Base URL of links, without a trailing slash. */
  publicUrl: string;
}

/** How many days ahead the calendar lists waterings. */
export const calendarDays = 60;
/**
 * Maximum number of events in a calendar with one event per plant and day; the latest are left out. 300 plants that are
 * watered daily reach it in ten days.
 */
export const maxEvents = 3_000;
const maxListed = 20;

/**
 * The days from `today` on, within 60 days, on which the plant is due, assuming that it is watered on every one of
 * these days. An overdue plant is due today. Adds calendar days of the zone, not hours, so that daylight saving time
 * shifts no date.
 */
export function wateringDays(plant: CalendarPlant, zone: TimeZone, today: number): number[] {
  const { nextWatering, wateringFrequency } = plant;
  if (Number.isNaN(nextWatering)) return [];
  const local = (nextWatering + offsetAt(zone, nextWatering)) / dayMs;
  const first = Math.max(local, today);
  const step = Math.max(1, wateringFrequency);
  const days: number[] = [];
  for (let at = first; at < today + calendarDays; at += step) days.push(Math.floor(at));
  return days;
}

/** One event for each day on which a plant is due. */
export function eventsPerDay(plants: readonly CalendarPlant[], view: CalendarView) {
  return byDay(plants, view).map(([day, due]): CalendarEvent => {
    const [first] = due;
    return {
      uid: `due-${view.account}-${dateOfDay(day)}@sprig`,
      day,
      summary:
        first && due.length === 1
          ? `Water ${nameOf(first)}`
          : `Water ${plural(due.length, 'plant')}`,
      description: dayText(due, day, view),
    };
  });
}

/** One event for each plant and each day on which it is due: at most 3,000, the earliest. */
export function eventsPerPlant(plants: readonly CalendarPlant[], view: CalendarView) {
  return byDay(plants, view)
    .flatMap(([day, due]) =>
      due.map(
        (plant): CalendarEvent => ({
          uid: `due-${plant.id}-${dateOfDay(day)}@sprig`,
          day,
          summary: `Water ${nameOf(plant)}`,
          description: plantText(plant, day, view),
        }),
      ),
    )
    .slice(0, maxEvents);
}

/** The days on which plants are due, in ascending order, each with these plants sorted by name. */
function byDay(
  plants: readonly CalendarPlant[],
  { zone, now }: CalendarView,
): [day: number, due: CalendarPlant[]][] {
  const today = dayIn(zone, now);
  const days = new Map<number, CalendarPlant[]>();
  for (const plant of plants.toSorted(byName)) {
    for (const day of wateringDays(plant, zone, today)) {
      const due = days.get(day);
      if (due) due.push(plant);
      else days.set(day, [plant]);
    }
  }
  return [...days].sort(([a], [b]) => a - b);
}

/** Not with localeCompare, because its order depends on the machine's locale. */
function byName(a: CalendarPlant, b: CalendarPlant): number {
  const [first, second] = [`${a.nickname}\n${a.id}`, `${b.nickname}\n${b.id}`];
  return first < second ? -1 : Number(first > second);
}

function dayText(due: readonly CalendarPlant[], day: number, view: CalendarView): string {
  const hidden = due.length - maxListed;
  return [
    ...due.slice(0, maxListed).map((plant) => plantText(plant, day, view)),
    ...(hidden > 0 ? [`and ${hidden} more`] : []),
    `All plants: ${view.publicUrl}/dashboard/schedule`,
  ].join('\n\n');
}

function plantText(plant: CalendarPlant, day: number, view: CalendarView): string {
  const place = plant.location ? ` (${plant.location})` : '';
  const link = `${view.publicUrl}/dashboard/plants?plant=${plant.id}`;
  return `${nameOf(plant)}${place}${overdueText(plant, day, view)}\n${link}`;
}

/**
 * ', due since Nov 20' for an overdue plant, otherwise ''. Only today's event contains this text, because later events
 * assume that the plant is watered today.
 */
function overdueText(
  { nextWatering }: CalendarPlant,
  day: number,
  { zone, now }: CalendarView,
): string {
  const today = dayIn(zone, now);
  if (day !== today || dayIn(zone, nextWatering) >= today) return '';
  return `, due since ${formatMoment(nextWatering, 'day', zone)}`;
}

function nameOf({ nickname }: CalendarPlant): string {
  return nickname || unnamedPlant;
}
