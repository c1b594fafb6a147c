import { expect, test } from 'vitest';
import { readReminder } from '#client/sync/reminders/reminder.ts';
import type { PushMessage } from '#contract/settings/reminders.ts';

const message: PushMessage = {
  web_push: 8030,
  notification: {
    title: '2 plants need water',
    body: 'Monty and Fern',
    navigate: 'https://plants.example.org/dashboard/schedule?due=1',
    lang: 'en',
    tag: 'due-2026-11-23',
    app_badge: 2,
    data: {
      kind: 'digest',
      account: 'sprig-1',
      plants: [
        { id: 'monty', name: 'Monty' },
        { id: 'fern', name: 'Fern' },
      ],
    },
  },
};

const read = (payload: unknown) => readReminder(JSON.stringify(payload));
const changed = (changes: object) =>
  read({ ...message, notification: { ...message.notification, ...changes } });

test('a digest is read, and only the path and the query of its URL are used', () => {
  expect(read(message)).toEqual({
    title: '2 plants need water',
    body: 'Monty and Fern',
    tag: 'due-2026-11-23',
    path: '/dashboard/schedule?due=1',
    badge: 2,
    ...message.notification.data,
  });
});

test('the count of plants due soon is read; an invalid count is left out', () => {
  const { data } = message.notification;
  expect(changed({ data: { ...data, soon_count: 2 } })).toMatchObject({ soon_count: 2 });
  const invalid = changed({ data: { ...data, soon_count: -1 } });
  expect(invalid.soon_count).toBeUndefined();
  expect(invalid.plants).toHaveLength(2);
});

test.each<[what: string, payload: string | null]>([
  ['no payload', null],
  ['an empty payload', ''],
  ['a text', 'Water your plants'],
  ['another message', '{"web_push":8030}'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a notification that is a text', '{"notification":"Water"}'],
])('%s becomes a reminder without plants that opens the app', (_, payload) => {
  expect(readReminder(payload)).toMatchObject({
    title: 'Sprig has news about your plants',
    path: '/dashboard',
    kind: null,
    plants: [],
  });
});

test.each([undefined, null, '', '  ', 3, {}])('a title of %j is not shown', (title) => {
  expect(changed({ title }).title).toBe('Sprig has news about your plants');
});

test.each<[string, object, object]>([
  ['a body', { body: 7 }, { body: '' }],
  ['an address', { navigate: '/dashboard' }, { path: '/dashboard' }],
  ['a URL that is no text', { navigate: null }, { path: '/dashboard' }],
  ['a tag', { tag: 5 }, { tag: '' }],
  ['a badge', { app_badge: '2' }, { badge: null }],
  ['a negative badge', { app_badge: -1 }, { badge: null }],
  ['a kind', { data: { ...message.notification.data, kind: 'news' } }, { kind: null, plants: [] }],
  ['plants', { data: { ...message.notification.data, plants: 'all' } }, { kind: null, plants: [] }],
  ['a plant', { data: { ...message.notification.data, plants: [{ id: 1 }] } }, { kind: null }],
  ['an account', { data: { ...message.notification.data, account: null } }, { account: '' }],
  ['all data', { data: 'digest' }, { kind: null, account: '', plants: [] }],
])('if one part is invalid it is left out, and the rest is shown: %s', (_, changes, expected) => {
  expect(changed(changes)).toMatchObject({ title: '2 plants need water', ...expected });
});
