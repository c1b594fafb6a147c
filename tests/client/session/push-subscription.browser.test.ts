import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { pushRegistration } from '#client/session/push-browser.ts';
import {
  pushSupport,
  renewPush,
  subscribePush,
  unsubscribePush,
} from '#client/session/push-subscription.ts';
import { closeSession } from '#client/session/session.ts';
import { readPushEndpoint } from '#client/store/meta.ts';
import { saveBackgroundToken } from '#client/sync/background/background.ts';
import { renewSubscription } from '#client/sync/reminders/renew-subscription.ts';
import type { ReminderState } from '#contract/settings/reminders.ts';
import { isWebLockAwaited } from '#service-worker/lock-awaited.ts';
import { type FakeApi, fakeApi } from '../../support/component/api.ts';
import { signInAs } from '../../support/component/open-app.tsx';
import { fakePush, pushKey } from '../../support/component/push.ts';
import { deferred } from '../../support/deferred.ts';

const put = 'PUT /api/push-subscription';
const remove = 'DELETE /api/push-subscription';
const never = { accepted_at: null, problem: null };
const state: ReminderState = {
  digest_enabled: true,
  digest_time: '09:00',
  alerts_enabled: true,
  quiet_from: '21:00',
  quiet_to: '08:00',
  push_enabled: true,
  mail_enabled: false,
  ntfy_enabled: false,
  ntfy_url: null,
  push_key: pushKey,
  push_subscriptions: 0,
  channels: { push: never, mail: never, ntfy: never },
};

let api: FakeApi;
beforeEach(() => {
  api = fakeApi();
  api.respond('GET /api/reminders', { status: 200, json: state });
  api.respond(put, { status: 200, json: {} });
  api.respond(remove, { status: 200, json: {} });
});

const puts = () => api.calls.filter(({ route }) => route === put).map(({ body }) => body);

test('a page without https says that push messages need https', async () => {
  fakePush({ permission: 'denied' });
  vi.stubGlobal('isSecureContext', false);
  expect(await pushSupport()).toMatchObject({ reason: expect.stringContaining('https') });
});

test.each([
  [false, 'Add Sprig to your home screen first'],
  [undefined, 'cannot get push messages'],
])(
  'without push support, and with navigator.standalone %s, the reason says: %s',
  async (standalone, words) => {
    fakePush({ permission: 'default' });
    const { PushManager } = window;
    Reflect.deleteProperty(window, 'PushManager');
    Object.defineProperty(navigator, 'standalone', { value: standalone, configurable: true });
    const support = await pushSupport();
    window.PushManager = PushManager;
    Reflect.deleteProperty(navigator, 'standalone');
    expect(support).toMatchObject({ type: 'unavailable', reason: expect.stringContaining(words) });
  },
);

test('if the permission is denied, the reason says how to allow it again', async () => {
  fakePush({ permission: 'denied' });
  expect(await pushSupport()).toMatchObject({ reason: expect.stringContaining('Allow them') });
});

test('subscribing asks for the permission once and sends the subscription with the name of the device database', async () => {
  const push = fakePush({ permission: 'default' });
  const db = await signInAs();
  expect(await pushSupport()).toEqual({ type: 'available', isSubscribed: false });
  await subscribePush();
  const keys = { p256dh: 'cDI1Ng', auth: 'YXV0aA' };
  expect(puts()).toEqual([{ endpoint: push.endpoint(), keys, account: db.name }]);
  expect(await pushSupport()).toEqual({ type: 'available', isSubscribed: true });
  expect(push.questions()).toBe(1);
});

test('a person who blocks notifications reads how to allow them, and nothing is sent', async () => {
  const push = fakePush({ permission: 'default' });
  await signInAs();
  push.allow('denied');
  await expect(subscribePush()).rejects.toThrow('Notifications are blocked');
  expect(puts()).toEqual([]);
});

test('subscribing fails with the reason if the browser does not answer within 30 seconds, and can be tried again', async () => {
  const push = fakePush({ permission: 'granted' });
  await signInAs();
  const manager = (await pushRegistration())?.pushManager;
  if (!manager) throw new Error('No push manager');
  const subscribe = vi
    .spyOn(manager, 'subscribe')
    .mockReturnValueOnce(new Promise(() => undefined));
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const attempt = expect(subscribePush()).rejects.toThrow(
    'The push service of this browser cannot be reached. Try again later.',
  );
  await expect.poll(() => subscribe).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(30_000);
  await attempt;
  expect(puts()).toEqual([]);
  await subscribePush();
  expect(puts()).toMatchObject([{ endpoint: push.endpoint() }]);
});

test.each([
  ['replaces a subscription that has another key', 'BZZZ-_8A', true, false],
  ['replaces a subscription of another account', pushKey, false, false],
  ['keeps its own subscription', pushKey, true, true],
])('%s', async (_, key, isOwn, isKept) => {
  const push = fakePush({ permission: 'granted' });
  const db = await signInAs();
  await push.subscribe(key);
  const before = push.endpoint();
  if (isOwn) await db.meta.put({ id: 'push-endpoint', value: before });
  await subscribePush();
  expect(push.endpoint() === before).toBe(isKept);
  expect(puts()).toMatchObject([{ endpoint: push.endpoint() }]);
});

test('a start renews the subscription of this account, also if the browser dropped it', async () => {
  const push = fakePush({ permission: 'granted' });
  const db = await signInAs();
  await renewPush();
  expect(api.calls).toEqual([]);
  await db.meta.put({ id: 'push-endpoint', value: 'https://push.example.org/dropped' });
  await renewPush();
  expect(puts()).toMatchObject([{ endpoint: push.endpoint() }]);
  expect(await readPushEndpoint(db)).toBe(push.endpoint());
  await renewPush();
  expect(puts()).toHaveLength(2);
  expect(push.questions()).toBe(0);
});

test('a start replaces a subscription that the server has deleted because the push service has ended it', async () => {
  const push = fakePush({ permission: 'granted' });
  const db = await signInAs();
  await subscribePush();
  const ended = push.endpoint();
  api.respond('GET /api/reminders', { status: 200, json: { ...state, push_subscribed: false } });
  await renewPush();
  expect(push.endpoint()).not.toBe(ended);
  expect(puts().at(-1)).toMatchObject({ endpoint: push.endpoint(), replaces: ended });
  expect(await readPushEndpoint(db)).toBe(push.endpoint());
});

test('two tabs that start together make one subscription, which is the stored one', async () => {
  const push = fakePush({ permission: 'granted' });
  const db = await signInAs();
  await subscribePush();
  let isKnown = false;
  api.respond('GET /api/reminders', () => ({
    status: 200,
    json: { ...state, push_subscribed: isKnown },
  }));
  api.respond(put, () => {
    isKnown = true;
    return { status: 200, json: {} };
  });
  await Promise.all([renewPush(), renewPush()]);
  expect(
    puts()
      .map((body) => (body as { endpoint: string }).endpoint)
      .slice(1),
  ).toEqual([push.endpoint(), push.endpoint()]);
  expect(await readPushEndpoint(db)).toBe(push.endpoint());
});

test('while the service worker sends the subscription that the browser has replaced, a starting tab waits and keeps it', async () => {
  const push = fakePush({ permission: 'granted' });
  const db = await signInAs();
  await saveBackgroundToken(db, 'a.b.c');
  await subscribePush();
  const old = push.endpoint();
  const manager = (await pushRegistration())?.pushManager;
  await (await manager?.getSubscription())?.unsubscribe();
  await push.subscribe(pushKey);
  const renewed = push.endpoint();
  let refreshed: Promise<void> | undefined;
  api.respond(put, async () => {
    if (!refreshed) {
      refreshed = renewPush();
      // Until the tab waits for the service worker, or has made a subscription of its own.
      await expect
        .poll(
          async () => push.endpoint() !== renewed || (await isWebLockAwaited('push subscription')),
        )
        .toBe(true);
    }
    return { status: 200, json: {} };
  });
  await renewSubscription(old, async () => (await manager?.getSubscription()) ?? null);
  await refreshed;
  expect(push.endpoint()).toBe(renewed);
  expect(await readPushEndpoint(db)).toBe(renewed);
});

test('push messages that are turned off while another tab renews the subscription stay off', async () => {
  fakePush({ permission: 'granted' });
  const db = await signInAs();
  await subscribePush();
  const before = puts().length;
  const other = deferred();
  const renewal = navigator.locks.request('push subscription', () => other.promise);
  const refreshed = renewPush();
  await unsubscribePush();
  other.resolve();
  await Promise.all([renewal, refreshed]);
  expect(puts()).toHaveLength(before);
  expect(await readPushEndpoint(db)).toBeNull();
});

test('a renewal that another account’s sign-in overtakes subscribes nobody', async () => {
  fakePush({ permission: 'granted' });
  await signInAs();
  await subscribePush();
  const before = puts().length;
  const other = deferred();
  const renewal = navigator.locks.request('push subscription', () => other.promise);
  const refreshed = renewPush();
  await signInAs();
  other.resolve();
  await Promise.all([renewal, refreshed]);
  expect(puts()).toHaveLength(before);
});

test('a start without a network reports no error and keeps the subscription', async () => {
  const push = fakePush({ permission: 'granted' });
  await signInAs();
  await subscribePush();
  api.respond(put, 'unreachable');
  await renewPush();
  expect(push.endpoint()).not.toBeNull();
});

test('unsubscribing ends the subscription in the browser and on the server; without a network, only in the browser', async () => {
  const push = fakePush({ permission: 'granted' });
  const db = await signInAs();
  await subscribePush();
  await unsubscribePush();
  expect(push.endpoint()).toBeNull();
  expect(api.calls.at(-1)?.route).toBe(remove);
  await subscribePush();
  api.respond(remove, 'unreachable');
  await unsubscribePush();
  expect(push.endpoint()).toBeNull();
  expect(await readPushEndpoint(db)).toBeNull();
});

test('a person who signs out while subscribing leaves no subscription in the browser', async () => {
  const push = fakePush({ permission: 'granted' });
  await signInAs();
  api.respond(put, () => {
    closeSession();
    return { status: 200, json: {} };
  });
  await subscribePush();
  expect(push.endpoint()).toBeNull();
});

test('turning push messages off while a start renews the subscription leaves no subscription', async () => {
  const push = fakePush({ permission: 'granted' });
  const db = await signInAs();
  await subscribePush();
  api.respond(put, async () => {
    await unsubscribePush();
    return { status: 200, json: {} };
  });
  await renewPush();
  expect(push.endpoint()).toBeNull();
  expect(await readPushEndpoint(db)).toBeNull();
  // The renewal may have reached the server after the first removal, so the removal is sent again.
  expect(api.calls.slice(-2).map(({ route }) => route)).toEqual([remove, remove]);
});

test('signing out ends the browser’s subscription', async () => {
  const push = fakePush({ permission: 'granted' });
  await signInAs();
  await subscribePush();
  api.respond('POST /auth/logout', { status: 200, json: {} });
  const { signOut } = await import('#client/session/sign-out.ts');
  await signOut();
  await expect.poll(() => push.endpoint()).toBeNull();
});
