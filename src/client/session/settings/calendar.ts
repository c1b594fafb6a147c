import { anyJson } from '#client/api/http.ts';
import {
  type CalendarState,
  calendarRequest,
  calendarStateSchema,
  changeCalendarRequest,
  newCalendarSchema,
  renewCalendarRequest,
  revokeCalendarRequest,
} from '#contract/settings/calendar.ts';
import { callSignedIn } from '../signed-in-call.ts';

/** The account's calendar feed. */
export interface Calendar {
  /** ms; null: the account has no feed. */
  createdAt: number | null;
  /** One event per plant instead of one per day. */
  isPerPlant: boolean;
  /** When a calendar app last requested it, ms, to the hour; null: never. */
  fetchedAt: number | null;
}

/** The secret URLs of a new feed. Shown once and not stored on this device. */
export interface CalendarUrls {
  https: string;
  /** Opens the calendar app of a phone or a computer. */
  webcal: string;
}

/** Throws an AccountError with the message to show, like all functions here. */
export async function loadCalendar(): Promise<Calendar> {
  const fallback = 'Failed to load the calendar';
  return toCalendar(await callSignedIn(calendarRequest(), calendarStateSchema, fallback));
}

/** Creates the feed, or gives it new URLs; the earlier ones no longer work. */
export async function renewCalendar(): Promise<{
  calendar: Calendar;
  urls: CalendarUrls;
}> {
  const fallback = 'Failed to create the calendar';
  const made = await callSignedIn(renewCalendarRequest(), newCalendarSchema, fallback);
  const { url, ...state } = made;
  const webcal = url.replace(/^https?:/, 'webcal:');
  return { calendar: toCalendar(state), urls: { https: url, webcal } };
}

export async function setEventPerPlant(isPerPlant: boolean): Promise<Calendar> {
  const request = changeCalendarRequest({ is_per_plant: isPerPlant });
  return toCalendar(await callSignedIn(request, calendarStateSchema, 'This could not be saved'));
}

/** Deletes the feed; its URLs no longer work. */
export async function revokeCalendar(): Promise<void> {
  await callSignedIn(revokeCalendarRequest(), anyJson, 'Failed to remove the calendar');
}

function toCalendar({ created_at, is_per_plant, fetched_at }: CalendarState): Calendar {
  return {
    createdAt: created_at === null ? null : Date.parse(created_at),
    isPerPlant: is_per_plant,
    fetchedAt: fetched_at === null ? null : Date.parse(fetched_at),
  };
}
