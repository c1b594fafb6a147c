import { unnamedPlant } from '../plant/plant.ts';
import { plural } from '../text.ts';
import { dayIn, momentIn, type TimeZone } from '../zone.ts';

/** The data of a plant that the digest needs. Times in ms. */
export interface RemindedPlant {
  id: string;
  nickname: string;
  nextWatering: number;
  /** The end of its newest snooze, even if it is in the past; null if it has none or was watered since. */
  snoozedUntil: number | null;
  isReminderEnabled: boolean;
  /** The digest lists it from this many days before it is due. */
  daysBefore: number;
}

export interface Digest {
  title: string;
  body: string;
  /** Due plants first, the one that has been due longest first. */
  plants: { id: string; name: string }[];
  /** How many of them are due today or overdue; the others are due soon, within their `daysBefore`. */
  dueCount: number;
}

/**
 * The digest of the zone's current day at `now` (ms); null if it lists no plant. A plant counts as due if its next
 * watering is before the end of the day. One that is snoozed beyond today is left out, whatever its `daysBefore`.
 */
export function digestOf(
  plants: readonly RemindedPlant[],
  zone: TimeZone,
  now: number,
): Digest | null {
  const today = dayIn(zone, now);
  const isDueWithin = (plant: RemindedPlant, days: number) =>
    plant.nextWatering < momentIn(zone, today + 1 + days, 0);
  const listed = plants
    .filter((plant) => plant.isReminderEnabled)
    .filter((plant) => isDueWithin(plant, isSnoozed(plant, now) ? 0 : daysBefore(plant)))
    .sort((a, b) => a.nextWatering - b.nextWatering || (a.id < b.id ? -1 : 1));
  if (listed.length === 0) return null;
  const dueCount = listed.filter((plant) => isDueWithin(plant, 0)).length;
  const named = listed.map(({ id, nickname }) => ({
    id,
    name: shortName(nickname || unnamedPlant),
  }));
  const texts = digestTexts({ due: named.slice(0, dueCount), soon: named.slice(dueCount) });
  return { ...texts, plants: named, dueCount };
}

interface ListedPlants {
  due: readonly { name: string }[];
  soon: readonly { name: string }[];
  /** How many plants are due soon, if `soon` does not list all of them. */
  soonCount?: number;
}

/** Title and body of a digest of at least one plant. */
export function digestTexts({ due, soon, soonCount = soon.length }: ListedPlants): {
  title: string;
  body: string;
} {
  const dueNames = due.map(({ name }) => name);
  const soonNames = soon.map(({ name }) => name);
  const isMixed = due.length > 0 && soonCount > 0;
  const count = due.length || soonCount;
  const [only = ''] = count === 1 && !isMixed ? [...dueNames, ...soonNames] : [];
  const subject = only || plural(count, 'plant');
  const suffix = isMixed ? `, ${soonCount} soon` : due.length > 0 ? '' : ' soon';
  const title = `${subject} ${count === 1 ? 'needs' : 'need'} water${suffix}`;
  if (only) return { title, body: 'Open the schedule.' };
  const soonText = namesText(soonNames, soonCount);
  const parts = [namesText(dueNames), isMixed && soonText ? `Soon: ${soonText}` : soonText];
  return { title, body: parts.filter(Boolean).join('. ') };
}

function isSnoozed({ snoozedUntil }: RemindedPlant, now: number): boolean {
  return snoozedUntil !== null && snoozedUntil > now;
}

/** `daysBefore` as whole days from 0 to 365, whatever number is stored. */
function daysBefore({ daysBefore: days }: RemindedPlant): number {
  return Number.isFinite(days) ? Math.min(365, Math.max(0, Math.floor(days))) : 0;
}

/**
 * The texts of a digest none of whose plants needs water any more: they were watered, snoozed or deleted. `isSent`:
 * whether all these changes have been sent.
 */
export function nothingToWaterTexts(isSent: boolean): { title: string; body: string } {
  const body = 'These plants are no longer due.';
  return {
    title: 'Nothing to water',
    body: isSent ? body : `${body} Changes are waiting to be sent.`,
  };
}

/**
 * The texts of a notification after a tap on its button Watered. `plants`: those that are watered; none if the
 * notification was out of date. `isSent`: whether the waterings have been sent.
 */
export function wateredTexts(
  plants: readonly { name: string }[],
  isSent: boolean,
): { title: string; body: string } {
  if (plants.length === 0) return nothingToWaterTexts(true);
  return {
    title: isSent ? 'Watered' : 'Watered, waiting to be sent',
    body: namesText(plants.map(({ name }) => name)),
  };
}

/** The texts of that notification once the server has rejected the waterings of these plants. */
export function notSavedTexts(plants: readonly { name: string }[]): {
  title: string;
  body: string;
} {
  const names = namesText(plants.map(({ name }) => name));
  return { title: 'Watering not saved', body: `${names}. Open Sprig to see why.` };
}

const maxShown = 3;
const maxNameLength = 40;

/** A plant's name for a message, shortened to 40 characters. */
export function shortName(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= maxNameLength) return name;
  return `${characters
    .slice(0, maxNameLength - 1)
    .join('')
    .trimEnd()}…`;
}

/**
 * 'Monty', 'Monty and Fern', 'Monty, Fern and Basil', 'Monty, Fern, Basil and 4 more'; '' for no names. `count`: of
 * plants, if `names` does not contain all of them.
 */
export function namesText(names: readonly string[], count = names.length): string {
  if (names.length === 0) return '';
  const shown = names.slice(0, maxShown).map(shortName);
  const hidden = count - shown.length;
  const parts = hidden > 0 ? [...shown, `${hidden} more`] : shown;
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
