import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReminderState } from '#contract/settings/reminders.ts';
import type { SenderOptions } from '#server/reminders/sender.ts';
import { declarativeProblem } from '../../support/reminders/declarative-push.ts';
import type { PushBrowser } from '../../support/reminders/push-browser.ts';
import {
  decrypted,
  messageIn,
  openPushService,
  type PushService,
  verifiedClaims,
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
  addPlant,
  openTestServer,
  publicUrl,
  type TestServer,
} from '../../support/server/server.ts';

let server: TestServer;
let clock: TestClock;
let service: PushService;
let account: Account;
let browser: PushBrowser;
/** 8:59 AM on Nov 20 in UTC+7. */
beforeEach(async () => {
  service = await openPushService();
  clock = testClock('2026-11-20T01:59:00.000Z');
  server = await openTestServer(clock, { reminders: { pushOrigins: [service.origin] } });
  account = await server.addAccount();
  await changeReminders(server, account, { push_enabled: true, alerts_enabled: false });
  browser = await subscribe(server, account, service);
});
afterEach(async () => {
  await service.close();
  await server.close();
});

async function queueDigest(nicknames: readonly string[] = ['Monty']): Promise<void> {
  await addDuePlants(server, account, nicknames);
  clock.advance(60_000);
  await check(server);
  expect(await deliveries(server)).toHaveLength(1);
}

/** Queues the alert about a plant whose automatic watering is locked. */
async function queueAlert(settings: object = {}): Promise<void> {
  await changeReminders(server, account, {
    alerts_enabled: true,
    digest_enabled: false,
    ...settings,
  });
  await addPlant(server, account, { nickname: 'Monty' });
  await server.db.pool.query(
    'UPDATE plants SET auto_watering_enabled = true, auto_watering_locked = true',
  );
  clock.advance(60_000);
  await check(server);
}

const sendAll = (options?: Partial<SenderOptions>) => sendDue(server, service, options);

async function state(): Promise<ReminderState> {
  return (await requestAs(server, account)('GET', '/api/reminders')).json();
}

function first() {
  const [push] = service.received;
  if (!push) throw new Error('nothing was sent');
  return push;
}

test('a digest can be decrypted with the keys of the browser and is a valid declarative push message for WebKit', async () => {
  await queueDigest(['Monty', 'Fern', 'Basil']);
  await sendAll();
  expect(service.received).toHaveLength(1);
  expect(declarativeProblem(decrypted(first(), browser))).toBeNull();
  const message = messageIn(first(), browser);
  expect(message).toEqual({
    web_push: 8030,
    notification: {
      title: '3 plants need water',
      body: expect.stringMatching(/^\w+, \w+ and \w+$/),
      navigate: `${publicUrl}/dashboard/schedule`,
      lang: 'en',
      tag: 'due-2026-11-20',
      app_badge: 3,
      data: {
        kind: 'digest',
        account: 'garden',
        plants: expect.any(Array),
        soon_count: 0,
        made_at: Date.parse('2026-11-20T02:00:00Z'),
        due_before: Date.parse('2026-11-20T17:00:00Z'),
      },
    },
  });
  expect(message.notification.data.plants).toHaveLength(3);
  expect(await deliveries(server)).toEqual([]);
});

test('the headers of a push request identify this server and contain the TTL and the topic of the message', async () => {
  await queueDigest();
  const { push_key } = await state();
  await sendAll();
  const { headers, body } = first();
  // The TTL is the time from 9 AM to 9 PM, when the quiet hours begin.
  expect(headers).toMatchObject({
    ttl: String(12 * 3_600),
    urgency: 'normal',
    'content-encoding': 'aes128gcm',
    'content-length': String(body.length),
  });
  expect(headers.topic).toMatch(/^[\w-]{1,32}$/);
  const claims = verifiedClaims(first(), push_key);
  expect(claims).toMatchObject({ aud: service.origin, sub: 'mailto:nobody@example.org' });
  expect(() => verifiedClaims(first(), 'BF2P')).toThrow();
});

test('a digest that is sent after the quiet hours of its day has a TTL until the end of the day', async () => {
  await changeReminders(server, account, { quiet_from: '13:00', quiet_to: '15:00' });
  await queueDigest();
  // Three o'clock in the afternoon.
  clock.advance(6 * 3_600_000);
  await sendAll();
  expect(first().headers.ttl).toBe(String(9 * 3_600));
});

test('an alert has a TTL of one day', async () => {
  await queueAlert();
  await sendAll();
  expect(first().headers.ttl).toBe(String(24 * 3_600));
});

test('the Authorization header is reused for six hours', async () => {
  await queueDigest();
  const request = () =>
    requestAs(server, account)('POST', '/api/reminders/test', { payload: { channel: 'push' } });
  await request();
  clock.advance(6 * 3_600_000 - 1);
  await request();
  clock.advance(1);
  await request();
  const used = service.received.map(({ headers }) => headers.authorization);
  expect(used[1]).toBe(used[0]);
  expect(used[2]).not.toBe(used[0]);
});

test('after a push service accepts a message, the settings show the time and the message is not sent again', async () => {
  await queueDigest();
  await sendAll();
  expect((await state()).channels.push).toEqual({
    accepted_at: clock().toISOString(),
    problem: null,
  });
  await sendAll();
  expect(service.received).toHaveLength(1);
});

test('an alert that reaches nobody, because the only browser has unsubscribed, is sent once to the next browser that subscribes', async () => {
  await queueAlert();
  service.respond('/one', { status: 410 });
  await sendAll();
  await subscribe(server, account, service, '/two');
  for (let n = 0; n < 2; n += 1) {
    clock.advance(6 * 3_600_000);
    await check(server);
    await sendAll();
    expect(service.received.map(({ path }) => path)).toEqual(['/one', '/two']);
  }
});

test('an alert that reaches no browser is not sent again if another channel has sent it', async () => {
  const topic = { ntfy_enabled: true, ntfy_url: `${service.origin}/topic` };
  await queueAlert(topic);
  service.respond('/one', { status: 410 });
  await sendAll();
  clock.advance(6 * 3_600_000);
  await check(server);
  await sendAll();
  expect(service.received.map(({ path }) => path).sort()).toEqual(['/one', '/topic']);
});

test.each([400, 401, 403, 413, 302])(
  '%d: only the status is reported, and the digest is not sent again',
  async (status) => {
    await queueDigest();
    service.respond('/one', { status, headers: { location: `${service.origin}/elsewhere` } });
    const failures: string[] = [];
    await sendAll({ onFailure: (code) => void failures.push(code) });
    expect(failures).toEqual([`push ${status}`]);
    expect(await deliveries(server)).toEqual([]);
    expect(await state()).toMatchObject({
      push_subscriptions: 1,
      channels: {
        push: { problem: `The push service did not accept the message (status ${status})` },
      },
    });
    expect(service.received).toHaveLength(1);
  },
);

test.each([
  [429, {}, 30_000],
  [503, {}, 30_000],
  [500, { 'retry-after': '10' }, 30_000],
  [429, { 'retry-after': '120' }, 120_000],
  [503, { 'retry-after': 'Fri, 20 Nov 2026 02:05:00 GMT' }, 300_000],
  [503, { 'retry-after': 'soon' }, 30_000],
  [503, { 'retry-after': '-5' }, 30_000],
])(
  'after a response %d with the headers %j the next attempt is in %d ms',
  async (status, headers, waitMs) => {
    await queueDigest();
    service.respond('/one', { status, headers });
    await sendAll();
    const [delivery] = await deliveries(server);
    expect(delivery?.next_at).toEqual(new Date(clock().getTime() + waitMs));
    expect((await state()).channels.push.problem).toContain(String(status));
    clock.advance(waitMs - 1);
    await sendAll();
    expect(service.received).toHaveLength(1);
    service.respond('/one', { status: 201 });
    clock.advance(1);
    await sendAll();
    expect(service.received).toHaveLength(2);
    expect((await state()).channels.push).toMatchObject({ problem: null });
    expect(await deliveries(server)).toEqual([]);
  },
);

test('the pauses between attempts grow to an hour; at the end of the day the digest is deleted', async () => {
  await queueDigest();
  service.respond('/one', { status: 503 });
  const gaps: number[] = [];
  for (;;) {
    await sendAll();
    const [delivery] = await deliveries(server);
    if (!delivery) break;
    gaps.push((delivery.next_at.getTime() - clock().getTime()) / 1_000);
    clock.advance(delivery.next_at.getTime() - clock().getTime());
  }
  expect(gaps.slice(0, 8)).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600]);
  // No request is sent in the quiet hours, which begin at 14:00 UTC.
  expect(service.received).toHaveLength(18);
  expect(clock()).toEqual(new Date('2026-11-20T17:00:00Z'));
});

test('a digest that waits when the quiet hours begin is not sent in them', async () => {
  await queueDigest();
  clock.advance(Date.parse('2026-11-20T14:00:00Z') - clock().getTime());
  await sendAll();
  expect(service.received).toEqual([]);
  const [delivery] = await deliveries(server);
  expect(delivery).toMatchObject({ next_at: new Date('2026-11-20T17:00:00Z'), attempts: 0 });
});

test('an alert whose retries reach the quiet hours is sent at their end, by push and ntfy', async () => {
  const quiet = { alerts_enabled: true, digest_enabled: false };
  const topic = { ntfy_enabled: true, ntfy_url: `${service.origin}/topic` };
  await changeReminders(server, account, { ...quiet, ...topic });
  await addPlant(server, account, { nickname: 'Monty', device_id: 'pot-1' });
  await server.db.pool.query(
    'UPDATE plants SET auto_watering_enabled = true, auto_watering_locked = true',
  );
  // The quiet hours are from 14:00 to 1:00 UTC.
  clock.advance(Date.parse('2026-11-20T13:59:45Z') - clock().getTime());
  await check(server);
  for (const path of ['/one', '/topic']) service.respond(path, { status: 503 });
  await sendAll();
  expect(service.received).toHaveLength(2);
  for (const path of ['/one', '/topic']) service.respond(path, { status: 201 });
  for (const moment of ['2026-11-20T14:00:15Z', '2026-11-21T00:59:59Z']) {
    clock.advance(Date.parse(moment) - clock().getTime());
    await sendAll();
  }
  expect(service.received).toHaveLength(2);
  clock.advance(1_000);
  await sendAll();
  expect(service.received).toHaveLength(4);
  expect(await deliveries(server)).toEqual([]);
});

test('a request without a response ends at the timeout, and the next attempt is in 30 s', async () => {
  await queueDigest();
  service.respond('/one', 'hang');
  await sendAll({ timeoutMs: 20 });
  const [delivery] = await deliveries(server);
  expect(delivery).toMatchObject({ attempts: 1, next_at: new Date(clock().getTime() + 30_000) });
  expect((await state()).channels.push.problem).toBe('The push service could not be reached');
});

test('after a process died while sending, another one sends the message, but not before the retry delay', async () => {
  await queueDigest();
  service.respond('/one', 'hang');
  const dying = senderOf(server, service);
  await dying.run();
  await service.arrived(1);
  await sendAll();
  expect(service.received).toHaveLength(1);
  clock.advance(30_000);
  service.respond('/one', { status: 201 });
  await sendAll();
  expect(service.received).toHaveLength(2);
  expect(await deliveries(server)).toEqual([]);
  // The topic lets the push service replace the first message, if it has arrived after all.
  expect(service.received[1]?.headers.topic).toBe(first().headers.topic);
  dying.abort();
  await dying.whenIdle();
});

test('two senders that run at once send a message once', async () => {
  await queueDigest();
  const senders = [senderOf(server, service), senderOf(server, service)];
  await Promise.all(senders.map((sender) => sender.run()));
  await Promise.all(senders.map((sender) => sender.whenIdle()));
  expect(service.received).toHaveLength(1);
});

test('a stop aborts the requests and keeps the messages for the next start', async () => {
  await queueDigest();
  service.respond('/one', 'hang');
  const sender = senderOf(server, service);
  await sender.run();
  await service.arrived(1);
  sender.abort();
  await sender.whenIdle();
  expect(await deliveries(server)).toMatchObject([{ attempts: 1 }]);
  expect((await state()).channels.push.problem).toBeNull();
});
