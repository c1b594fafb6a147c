import {
  type CalendarPayload,
  type CalendarState,
  calendarRequest,
  calendarStateSchema,
  changeCalendarRequest,
  type NewCalendar,
  newCalendarSchema,
  renewCalendarRequest,
  revokeCalendarRequest,
} from '#contract/settings/calendar.ts';
import { anyJson, sendRequest } from './http.ts';
import type { RequestOptions } from './send.ts';

/** Throws ApiError, like all functions here. */
export function fetchCalendar(call: RequestOptions): Promise<CalendarState> {
  const fallback = 'Failed to load the calendar';
  return sendRequest(calendarRequest(), call, calendarStateSchema, { fallback });
}

/** Creates the feed, or gives it a new URL. Only this response contains the URL; it must not be stored. */
export function renewCalendar(call: RequestOptions): Promise<NewCalendar> {
  const fallback = 'Failed to create the calendar';
  return sendRequest(renewCalendarRequest(), call, newCalendarSchema, { fallback });
}

export function changeCalendar(
  payload: CalendarPayload,
  call: RequestOptions,
): Promise<CalendarState> {
  const fallback = 'This could not be saved';
  return sendRequest(changeCalendarRequest(payload), call, calendarStateSchema, { fallback });
}

/** Deletes the feed; its URL no longer works. */
export async function revokeCalendar(call: RequestOptions): Promise<void> {
  const fallback = 'Failed to remove the calendar';
  await sendRequest(revokeCalendarRequest(), call, anyJson, { fallback });
}
