import * as v from 'valibot';
import type { PushMessage } from '#contract/settings/reminders.ts';

/** What is stored of a message beside its title and body: the same for every channel. */
export interface MessageData {
  kind: 'digest' | 'alert' | 'test';
  tag: string;
  /** The screen that it opens, from the base URL on. */
  path: string;
  badge: number;
  plants: { id: string; name: string }[];
  /** digest: how many plants are due soon, also those that are not in `plants`. Earlier versions did not store it. */
  soonCount?: number | undefined;
  /** digest, alert: when it was made, ms; missing in alerts that an earlier version queued. */
  madeAt?: number | undefined;
  /** After this time (ms) it is out of date and not sent. digest: the end of its day. */
  until: number;
  /** The next quiet hours (ms), in which nothing is sent. */
  quiet: readonly [from: number, to: number] | null;
}

/** The screen that digests open; alerts open others. */
export const digestPath = '/dashboard/schedule';

/** Waiting emails do not store their kind. SQL LIKE finds those with a digest by the screen that they open. */
export const digestLinkPattern = `%${digestPath}`;

export interface Message extends MessageData {
  title: string;
  body: string;
}

const dataSchema: v.GenericSchema<unknown, MessageData> = v.object({
  kind: v.picklist(['digest', 'alert', 'test']),
  tag: v.string(),
  path: v.string(),
  badge: v.number(),
  plants: v.array(v.object({ id: v.string(), name: v.string() })),
  soonCount: v.optional(v.number()),
  madeAt: v.optional(v.number()),
  until: v.number(),
  quiet: v.nullable(v.strictTuple([v.number(), v.number()])),
});

/** The column `data` of a delivery. Contains only as many plants as fit into a push message. */
export function storedData({ title, body, ...data }: Message): string {
  return JSON.stringify({ ...data, plants: plantsThatFit(data.plants, maxMessageBytes) });
}

export function messageOf(row: { title: string; body: string; data: string }): Message {
  const { title, body, data } = row;
  return { title, body, ...v.parse(dataSchema, JSON.parse(data)) };
}

/** The payload for a browser. `account`: name of the account's device database. Plants that do not fit are left out. */
export function pushMessage(message: Message, account: string, publicUrl: string): PushMessage {
  const { title, body, kind, tag, path, badge, plants, soonCount, madeAt, until } = message;
  const withPlants = (fitting: Message['plants']): PushMessage => ({
    web_push: 8030,
    notification: {
      title,
      body,
      navigate: `${publicUrl}${path}`,
      lang: 'en',
      tag,
      app_badge: badge,
      data: {
        kind,
        account,
        plants: fitting,
        ...(soonCount !== undefined && { soon_count: soonCount }),
        ...(kind === 'digest' && madeAt !== undefined && { made_at: madeAt, due_before: until }),
      },
    },
  });
  const left = maxMessageBytes - byteLength(JSON.stringify(withPlants([])));
  return withPlants(plantsThatFit(plants, left));
}

/** Maximum bytes of a push message as JSON; push services accept 3,993. */
const maxMessageBytes = 3_500;

/** The first plants of the list that fit into `bytes` of JSON, counting each with its comma. */
function plantsThatFit<P extends { id: string; name: string }>(
  plants: readonly P[],
  bytes: number,
): P[] {
  let left = bytes;
  const end = plants.findIndex((plant) => {
    left -= byteLength(JSON.stringify(plant)) + 1;
    return left < 0;
  });
  return plants.slice(0, end === -1 ? plants.length : end);
}

/** The length of a text in UTF-8. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
