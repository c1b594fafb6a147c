import { messageResponseSchema } from '#contract/plants.ts';
import {
  calendarPaths,
  calendarPayloadSchema,
  calendarStateSchema,
  newCalendarSchema,
} from '#contract/settings/calendar.ts';
import type { Operation } from '../../http/openapi/operation.ts';

const tag = 'Calendar';
const path = calendarPaths.settings;

export const calendarOperations: readonly Operation[] = [
  {
    id: 'readCalendar',
    method: 'get',
    path,
    tag,
    summary: 'Get the state of the calendar feed',
    caller: 'person',
    success: {
      status: 200,
      description: 'The state, without the URL',
      schema: calendarStateSchema,
    },
  },
  {
    id: 'renewCalendar',
    method: 'post',
    path,
    tag,
    summary: 'Create the calendar feed, or give it a new URL',
    description:
      'An earlier URL no longer works. This response is the only one that contains the URL, which is a secret. An Idempotency-Key is ignored: a repeated request makes another URL.',
    caller: 'person',
    success: { status: 201, description: 'The feed', schema: newCalendarSchema },
  },
  {
    id: 'changeCalendar',
    method: 'patch',
    path,
    tag,
    summary: 'Change what the calendar feed contains',
    caller: 'person',
    body: calendarPayloadSchema,
    example: { is_per_plant: true },
    success: { status: 200, description: 'Changed', schema: calendarStateSchema },
    errors: { 404: 'The account has no calendar feed (`not_found`)' },
    badInput: [
      {
        summary: 'Missing field',
        body: {},
        detail: [{ loc: ['body', 'is_per_plant'], msg: 'Required' }],
      },
    ],
  },
  {
    id: 'revokeCalendar',
    method: 'delete',
    path,
    tag,
    summary: 'Revoke the calendar feed',
    description: 'Its URL no longer works.',
    caller: 'person',
    success: { status: 200, description: 'Revoked', schema: messageResponseSchema },
  },
  {
    id: 'calendarFeed',
    method: 'get',
    path: calendarPaths.feed,
    tag,
    summary: 'Get the calendar of the next 60 days',
    description:
      'All-day events, by default one for each day on which plants are due. An overdue plant is due today; later dates assume that each plant is watered when it is due.',
    caller: 'anybody',
    condition: 'if-none-match',
    success: {
      status: 200,
      description: 'An iCalendar object (RFC 5545)',
      contentType: 'text/calendar; charset=utf-8',
    },
    isLimited: true,
    errors: { 404: 'The URL is unknown or was revoked (`not_found`)' },
  },
];
