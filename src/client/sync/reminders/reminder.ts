import * as v from 'valibot';
import type { ReminderKind } from '#contract/settings/reminders.ts';

/** The content of a notification, and the data to handle a tap on it. */
export interface Reminder {
  title: string;
  body: string;
  /** A notification replaces the one with the same tag; '' for none. */
  tag: string;
  /** The screen that it opens: a path with its query. */
  path: string;
  /** The number of due plants, for the badge on the app's icon; null leaves the badge as it is. */
  badge: number | null;
  /** Null if the data is missing or invalid, e.g. a kind that this version does not know. */
  kind: ReminderKind | null;
  /** The name of the account's device database. */
  account: string;
  /** digest: plants to water, due ones first; alert: those with a problem. */
  plants: { id: string; name: string }[];
  /** digest: how many plants are due soon, also those that `plants` does not list; older servers do not send it. */
  soon_count?: number | undefined;
  /** digest: when the server made it, ms on its clock; older servers send neither this nor `due_before`. */
  made_at?: number | undefined;
  /** digest: the end of its day, ms. A plant counts as due if its next watering is before it. */
  due_before?: number | undefined;
}

/** Due plants come first; the others are due soon, within the number of days that the person chose. */
export function duePlants({
  plants,
  badge,
}: Pick<Reminder, 'plants' | 'badge'>): Reminder['plants'] {
  return plants.slice(0, badge ?? 0);
}

const moment = v.fallback(v.optional(v.number()), undefined);
const plant = v.object({ id: v.pipe(v.string(), v.minLength(1)), name: v.string() });

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const dataSchema = v.object({
  kind: v.picklist(['digest', 'alert', 'test']),
  account: v.string(),
  plants: v.array(plant),
  soon_count: v.fallback(v.optional(count), undefined),
  made_at: moment,
  due_before: moment,
});

const messageSchema = v.object({
  notification: v.object({
    title: v.pipe(v.string(), v.trim(), v.minLength(1)),
    body: v.fallback(v.string(), ''),
    navigate: v.fallback(v.string(), ''),
    tag: v.fallback(v.string(), ''),
    app_badge: v.fallback(v.nullable(count), null),
    data: v.fallback(v.nullable(dataSchema), null),
  }),
});

/**
 * Shown for a message without a usable title, because browsers withdraw the permission after a push without a
 * notification.
 */
const unknownReminder: Reminder = {
  title: 'Sprig has news about your plants',
  body: '',
  tag: 'news',
  path: '/dashboard',
  badge: null,
  kind: null,
  account: '',
  plants: [],
};

/**
 * A reminder without plant names, for a device on which the account is not signed in: others may see its lock screen.
 */
export function withoutNames({ kind, tag }: Reminder): Reminder {
  return { ...unknownReminder, body: 'Sign in to Sprig to see it.', kind, tag };
}

/** Reads the payload of a push event. Never throws: invalid parts get default values. */
export function readReminder(payload: string | null): Reminder {
  const parsed = v.safeParse(messageSchema, jsonOf(payload));
  if (!parsed.success) return unknownReminder;
  const { title, body, navigate, tag, app_badge: badge, data } = parsed.output.notification;
  const path = pathOf(navigate);
  if (!data) return { ...unknownReminder, title, body, tag, path, badge };
  return { title, body, tag, path, badge, ...data };
}

function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

/** Path and query of a URL. Its origin is ignored, because the server may know the app by another one. */
function pathOf(url: string): string {
  if (!URL.canParse(url)) return unknownReminder.path;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
