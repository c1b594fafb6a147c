import * as api from '#client/api/calendar.ts';
import type { CalendarState } from '#contract/settings/calendar.ts';
import { asSignedIn } from './signed-in-call.ts';

/** The account's calendar feed. */
export interface Calendar {
  /** ms; null: there is no feed. */
  createdAt: number | null;
  /** One event per plant instead of one per day. */
  isPerPlant: boolean;
  /** When a calendar app last requested it, ms, to the hour; null: never. */
  fetchedAt: number | null;
}

/** The secret addresses of a new feed. Shown once and not stored. */
export interface CalendarAddresses {
  https: string;
  /** Opens in the calendar app of a phone or a computer. */
  webcal: string;
}

/** Like all functions here it throws an AccountError with the message to show. */
export async function loadCalendar(): Promise<Calendar> {
  return toCalendar(await asSignedIn(api.fetchCalendar, 'Failed to load the calendar'));
}

/** Makes the feed, or a new address for it: then the earlier one no longer works. */
export async function renewCalendar(): Promise<{
  calendar: Calendar;
  addresses: CalendarAddresses;
}> {
  const { url, ...state } = await asSignedIn(api.renewCalendar, 'Failed to create the calendar');
  const webcal = url.replace(/^https?:/, 'webcal:');
  return { calendar: toCalendar(state), addresses: { https: url, webcal } };
}

export async function setEventPerPlant(isPerPlant: boolean): Promise<Calendar> {
  const payload = { is_per_plant: isPerPlant };
  const change = (call: { token: string }) => api.changeCalendar(payload, call);
  return toCalendar(await asSignedIn(change, 'This could not be saved'));
}

/** The address no longer works. */
export async function revokeCalendar(): Promise<void> {
  await asSignedIn(api.revokeCalendar, 'Failed to remove the calendar');
}

function toCalendar({ created_at, is_per_plant, fetched_at }: CalendarState): Calendar {
  return {
    createdAt: created_at === null ? null : Date.parse(created_at),
    isPerPlant: is_per_plant,
    fetchedAt: fetched_at === null ? null : Date.parse(fetched_at),
  };
}
