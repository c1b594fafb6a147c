import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReminderState } from '#contract/settings/reminders.ts';
import { deferred } from '../../support/deferred.ts';
import { pushBrowser } from '../../support/reminders/push-browser.ts';
import {
  openPushService,
  type PushResponse,
  type PushService,
} from '../../support/reminders/push-service.ts';
import {
  addDuePlants,
  changeReminders,
  check,
  deliveries,
  sendDue,
  senderOf,
  subscribe,
} from '../../support/reminders/reminders.ts';
import { type TestClock, testClock } from '../../support/server/clock.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  login,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

let server: TestServer;
let clock: TestClock;
let service: PushService;
let account: Account;
/** 8:59 AM on Nov 20 in UTC+7. */
beforeEach(async () => {
  service = await openPushService();
  clock = testClock('2026-11-20T01:59:00.000Z');
  server = await openTestServer(clock, { reminders: { pushOrigins: [service.origin] } });
  account = await server.addAccount();
  await changeReminders(server, account, { push_enabled: true, alerts_enabled: false });
  await subscribe(server, account, service);
});
afterEach(async () => {
  await service.close();
  await server.close();
});

async function queueDigest(): Promise<void> {
  await addDuePlants(server, account, ['Monty']);
  clock.advance(60_000);
  await check(server);
  expect(await deliveries(server)).toHaveLength(1);
}

const sendAll = () => sendDue(server, service);

async function state(): Promise<ReminderState> {
  return (await requestAs(server, account)('GET', '/api/reminders')).json();
}

test.each([404, 410])(
  '%d: the subscription is deleted, and the settings show why',
  async (status) => {
    await queueDigest();
    service.respond('/one', { status });
    await sendAll();
    expect(await state()).toMatchObject({
      push_subscriptions: 0,
      channels: { push: { accepted_at: null, problem: expect.stringContaining('ended') } },
    });
    expect(await deliveries(server)).toEqual([]);
  },
);

test('the settings say whether this session is subscribed, until its subscription has ended', async () => {
  await queueDigest();
  const other = { token: await login(server.app, account.email, account.password) };
  await subscribe(server, other, service, '/two');
  const isSubscribed = async (person: { token: string }) =>
    (await requestAs(server, person)('GET', '/api/reminders')).json().push_subscribed;
  expect([await isSubscribed(account), await isSubscribed(other)]).toEqual([true, true]);
  service.respond('/one', { status: 410 });
  await sendAll();
  expect([await isSubscribed(account), await isSubscribed(other)]).toEqual([false, true]);
});

test('the subscription of an expired session no longer counts and gets no test message', async () => {
  const short = { token: await login(server.app, account.email, account.password) };
  await subscribe(server, short, service, '/two');
  expect((await state()).push_subscriptions).toBe(2);
  clock.advance(12 * 3_600_000);
  expect((await state()).push_subscriptions).toBe(1);
  const payload = { channel: 'push' };
  await requestAs(server, account)('POST', '/api/reminders/test', { payload });
  expect(service.received.map(({ path }) => path)).toEqual(['/one']);
});

test("a new subscription deletes the one of the browser's earlier session", async () => {
  const next = { token: await login(server.app, account.email, account.password) };
  const payload = {
    ...pushBrowser(`${service.origin}/two`).subscription,
    replaces: `${service.origin}/one`,
  };
  await requestAs(server, next)('PUT', '/api/push-subscription', { payload });
  expect((await state()).push_subscriptions).toBe(1);
});

test('a problem is no longer shown after the person has turned off the last subscription', async () => {
  await queueDigest();
  service.respond('/one', { status: 403 });
  await sendDue(server, service, { onFailure: () => undefined });
  expect((await state()).channels.push.problem).toContain('403');
  await requestAs(server, account)('DELETE', '/api/push-subscription');
  expect((await state()).channels.push.problem).toBeNull();
});

/** Renews the subscription with '/two' as its new URL before '/one' responds to a digest. Returns the sender. */
async function renewWhileSending(response: PushResponse) {
  await queueDigest();
  service.respond('/one', response);
  const sender = senderOf(server, service);
  await sender.run();
  await service.arrived(1);
  await subscribe(server, account, service, '/two');
  return sender;
}

test('if a subscription is renewed while a request is in progress and the request is then aborted, the message is sent again to the new URL', async () => {
  const sender = await renewWhileSending('hang');
  sender.abort();
  await sender.whenIdle();
  clock.advance(30_000);
  await sendAll();
  expect(service.received.at(-1)?.path).toBe('/two');
  expect((await state()).push_subscriptions).toBe(1);
});

test('after a late 410 for the earlier URL of a renewed subscription the message is sent once to the new URL at once', async () => {
  const late = deferred();
  const sender = await renewWhileSending({ status: 410, after: late.promise });
  late.resolve();
  await sender.whenIdle();
  expect((await state()).push_subscriptions).toBe(1);
  await sendAll();
  await sendAll();
  expect(service.received.map(({ path }) => path)).toEqual(['/one', '/two']);
  expect(await deliveries(server)).toEqual([]);
});

test('a browser that has signed out gets nothing', async () => {
  await queueDigest();
  await requestAs(server, account)('POST', '/auth/logout');
  await sendAll();
  expect(service.received).toEqual([]);
  expect(await deliveries(server)).toEqual([]);
});

test('a browser whose session has expired since the message was queued gets nothing', async () => {
  await requestAs(server, account)('DELETE', '/api/push-subscription');
  // A session without `rememberMe` lasts 12 hours.
  const short = { token: await login(server.app, account.email, account.password) };
  await subscribe(server, short, service);
  clock.advance(11 * 3_600_000);
  await addDuePlants(server, account, ['Monty']);
  await check(server);
  expect(await deliveries(server)).toHaveLength(1);
  clock.advance(3_600_000);
  await sendAll();
  expect(service.received).toEqual([]);
  expect(await deliveries(server)).toEqual([]);
});
