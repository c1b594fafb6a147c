import * as v from 'valibot';
import type { PushMessage } from '#contract/settings/reminders.ts';
import { byteLength, maxMessageBytes, plantsThatFit } from '#domain/reminder/message.ts';

/** What is stored of a message beside its title and body: the same for every channel. */
export interface MessageData {
  kind: 'digest' | 'alert' | 'test';
  tag: string;
  /** The screen that it opens, from the base URL on. */
  path: string;
  badge: number;
  plants: { id: string; name: string }[];
  /** Until when (ms) a push service keeps it for a device that is offline. */
  until: number;
  /** The next quiet hours (ms), in which nothing is sent. */
  quiet: readonly [from: number, to: number] | null;
}

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

/** The payload for a browser. `account`: that browser's name for the account. Plants that do not fit are left out. */
export function pushMessage(message: Message, account: string, publicUrl: string): PushMessage {
  const { title, body, kind, tag, path, badge, plants } = message;
  const withPlants = (fitting: Message['plants']): PushMessage => ({
    web_push: 8030,
    notification: {
      title,
      body,
      navigate: `${publicUrl}${path}`,
      lang: 'en',
      tag,
      app_badge: badge,
      data: { kind, account, plants: fitting },
    },
  });
  const left = maxMessageBytes - byteLength(JSON.stringify(withPlants([])));
  return withPlants(plantsThatFit(plants, left));
}
