import * as v from 'valibot';
import { type ApiRequest, request } from '../request.ts';

export const calendarPaths = {
  settings: '/api/calendar',
  /** The feed itself (text/calendar). Whoever knows the secret can read it. */
  feed: '/calendar/:secret.ics',
} as const;

export interface CalendarState {
  /** Null while there is no feed. ISO 8601 UTC. */
  created_at: string | null;
  /** One event per plant instead of one per day. */
  is_per_plant: boolean;
  /** When a calendar app last requested the feed, to the hour; null: never. ISO 8601 UTC. */
  fetched_at: string | null;
}

/** The response of POST, which generates a new secret URL; the earlier one no longer works. */
export interface NewCalendar extends CalendarState {
  /** Its scheme is http or https. Shown once, because the server stores only a hash of its secret. */
  url: string;
}

export interface CalendarPayload {
  is_per_plant: boolean;
}

export const calendarPayloadSchema: v.GenericSchema<unknown, CalendarPayload> = v.object({
  is_per_plant: v.boolean(),
});

const entries = {
  created_at: v.nullable(v.string()),
  is_per_plant: v.boolean(),
  fetched_at: v.nullable(v.string()),
};

export const calendarStateSchema: v.GenericSchema<unknown, CalendarState> = v.looseObject(entries);

export const newCalendarSchema: v.GenericSchema<unknown, NewCalendar> = v.looseObject({
  ...entries,
  url: v.string(),
});

export function calendarRequest(): ApiRequest {
  return request('GET', calendarPaths.settings);
}

/** Creates the feed, or gives it a new URL. */
export function renewCalendarRequest(): ApiRequest {
  return request('POST', calendarPaths.settings);
}

export function changeCalendarRequest(payload: CalendarPayload): ApiRequest {
  return request('PATCH', calendarPaths.settings, { body: payload });
}

/** Deletes the feed; its URL no longer works. */
export function revokeCalendarRequest(): ApiRequest {
  return request('DELETE', calendarPaths.settings);
}
