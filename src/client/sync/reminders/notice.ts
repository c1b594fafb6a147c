import * as v from 'valibot';
import type { NoticeKind } from '#contract/settings/reminders.ts';

/** What a notification shows, and what it needs when somebody taps it. */
export interface Notice {
  title: string;
  body: string;
  /** A notification replaces the one with the same tag; '' for none. */
  tag: string;
  /** The screen that it opens: a path with its query. */
  path: string;
  /** Due plants, for the badge on the app's icon; null leaves the badge as it is. */
  badge: number | null;
  /** Null for a message that this version does not understand. */
  kind: NoticeKind | null;
  /** The name of the account's device database. */
  account: string;
  /** digest: plants to water, those that are due first; alert: its plant. */
  plants: { id: string; name: string }[];
}

const plant = v.object({ id: v.pipe(v.string(), v.minLength(1)), name: v.string() });

const dataSchema = v.object({
  kind: v.picklist(['digest', 'alert', 'test']),
  account: v.string(),
  plants: v.array(plant),
});

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

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

/** A push that shows nothing costs the permission, so a message without a usable title gets this one. */
const unknownNotice: Notice = {
  title: 'Sprig has news about your plants',
  body: '',
  tag: 'news',
  path: '/dashboard',
  badge: null,
  kind: null,
  account: '',
  plants: [],
};

/** Reads the payload of a push event. Never throws: what is wrong in it is left out. */
export function readNotice(payload: string | null): Notice {
  const parsed = v.safeParse(messageSchema, jsonOf(payload));
  if (!parsed.success) return unknownNotice;
  const { title, body, navigate, tag, app_badge: badge, data } = parsed.output.notification;
  const path = pathOf(navigate);
  if (!data) return { ...unknownNotice, title, body, tag, path, badge };
  return { title, body, tag, path, badge, ...data };
}

function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

/** Only the path counts: the app is where the worker is, also if the server knows it by another address. */
function pathOf(url: string): string {
  if (!URL.canParse(url)) return unknownNotice.path;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
