import { describe, expect, test } from 'vitest';
import {
  byteLength,
  type Message,
  messageOf,
  pushMessage,
  storedData,
} from '#server/reminders/message.ts';
import { fc } from '../../support/properties.ts';
import { declarativeProblem } from '../../support/reminders/declarative-push.ts';

const message: Message = {
  kind: 'digest',
  title: '3 plants need water',
  body: 'Monty, Fern and Basil',
  tag: 'due-2026-11-22',
  path: '/dashboard/schedule',
  badge: 3,
  plants: [{ id: crypto.randomUUID(), name: 'Monty' }],
  until: 0,
  quiet: null,
};
const publicUrl = 'https://plants.example.org';

const sent = (changes: Partial<Message> = {}, account = 'garden') =>
  JSON.stringify(pushMessage({ ...message, ...changes }, account, publicUrl));

test('a message is valid for WebKit and contains what the service worker needs', () => {
  expect(declarativeProblem(sent())).toBeNull();
  expect(JSON.parse(sent()).notification.data).toEqual({
    kind: 'digest',
    account: 'garden',
    plants: message.plants,
  });
});

test('a digest contains how many plants are due soon, even if they do not fit into the message', () => {
  const plants = Array.from({ length: 200 }, () => ({ id: crypto.randomUUID(), name: 'Fern' }));
  const { data } = JSON.parse(sent({ badge: 20, soonCount: 180, plants })).notification;
  expect(data.plants.length).toBeLessThan(200);
  expect(data.soon_count).toBe(180);
});

describe('the parser of the tests rejects', () => {
  const valid = JSON.parse(sent());
  const without = (name: string) => {
    const { [name]: _, ...notification } = valid.notification;
    return { ...valid, notification };
  };
  const having = (members: object) => ({
    ...valid,
    notification: { ...valid.notification, ...members },
  });

  test.each<[string, unknown, string | null]>([
    ['nothing of a valid message', valid, null],
    ['a number that is text', { ...valid, web_push: '8030' }, 'web_push'],
    ['another number', { ...valid, web_push: 8031 }, 'web_push'],
    ['no notification', { web_push: 8030 }, 'notification'],
    ['a list', { ...valid, notification: [] }, 'notification'],
    ['no title', without('title'), 'title'],
    ['an empty title', having({ title: '' }), 'title'],
    ['a title that is a number', having({ title: 3 }), 'title'],
    ['no navigate', without('navigate'), 'navigate'],
    ['a path', having({ navigate: '/dashboard' }), 'navigate'],
    ['a body that is null', having({ body: null }), 'body'],
    ['a tag that is a number', having({ tag: 1 }), 'tag'],
    ['a badge below zero', having({ app_badge: -1 }), 'app_badge'],
    ['a fraction as badge', having({ app_badge: 1.5 }), 'app_badge'],
    ['a badge that is null', having({ app_badge: null }), 'app_badge'],
    ['nothing about a badge in digits', having({ app_badge: '12' }), null],
    ['a badge in words', having({ app_badge: 'three' }), 'app_badge'],
    ['an unknown direction', having({ dir: 'up' }), 'dir'],
    ['silence in words', having({ silent: 'no' }), 'silent'],
    ['an icon without a URL', having({ icon: 'x' }), 'icon'],
    ['nothing about an unknown member', having({ actions: [] }), null],
  ])('%s', (_, value, problem) => {
    expect(declarativeProblem(JSON.stringify(value))).toBe(problem);
  });
});

test('a message about 1,000 plants with long names has at most 3,500 bytes, and the right number in its title and badge', () => {
  const plants = Array.from({ length: 1_000 }, (_, n) => ({
    id: crypto.randomUUID(),
    name: `${n} ${'🌿'.repeat(39)}`,
  }));
  const text = sent({ title: '1000 plants need water', badge: 1_000, plants }, 'x'.repeat(100));
  expect(byteLength(text)).toBeLessThanOrEqual(3_500);
  expect(byteLength(text)).toBeGreaterThan(3_000);
  const { notification } = JSON.parse(text);
  expect(notification).toMatchObject({ title: '1000 plants need water', app_badge: 1_000 });
  expect(notification.data.plants).toEqual(plants.slice(0, notification.data.plants.length));
  const stored = { title: 'x', body: 'y', data: storedData({ ...message, plants }) };
  expect(stored.data.length).toBeLessThan(8_000);
  expect(messageOf(stored).plants[0]).toEqual(plants[0]);
});

test('with any names and numbers, a message has at most 3,500 bytes and is valid for WebKit', () => {
  const name = fc.string({ unit: 'binary', maxLength: 40 });
  const plants = fc.array(fc.record({ id: fc.uuid(), name }), { maxLength: 200 });
  fc.assert(
    fc.property(plants, name, fc.nat(), (all, title, badge) => {
      const text = sent({ plants: all, title: `${title} needs water`, body: title, badge });
      expect(byteLength(text)).toBe(Buffer.byteLength(text));
      expect(byteLength(text)).toBeLessThanOrEqual(3_500);
      expect(declarativeProblem(text)).toBeNull();
    }),
  );
});

test('the stored data is read back, and damaged data is an error', () => {
  const { title, body, ...data } = message;
  const quiet = [1, 2] as const;
  expect(messageOf({ title, body, data: storedData({ ...message, soonCount: 2, quiet }) })).toEqual(
    {
      ...message,
      soonCount: 2,
      quiet: [1, 2],
    },
  );
  expect(() => messageOf({ title, body, data: JSON.stringify({ ...data, tag: 3 }) })).toThrow();
});
