import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReminderChannel, ReminderState } from '#contract/settings/reminders.ts';
import {
  messageIn,
  openPushService,
  type PushService,
} from '../../support/reminders/push-service.ts';
import { changeReminders, subscribe } from '../../support/reminders/reminders.ts';
import { testClock } from '../../support/server/clock.ts';
import { type MemoryMail, memoryMail } from '../../support/server/memory-mail.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  login,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

let server: TestServer;
let service: PushService;
let account: Account;
let mail: MemoryMail;
beforeEach(async () => {
  service = await openPushService();
  const reminders = { pushOrigins: [service.origin], allowsPrivateNtfy: true };
  mail = memoryMail();
  server = await openTestServer(testClock(), { reminders, emailTransport: mail });
  account = await server.addAccount();
});
afterEach(async () => {
  await service.close();
  await server.close();
});

function send(channel: ReminderChannel) {
  return requestAs(server, account)('POST', '/api/reminders/test', { payload: { channel } });
}

async function state(): Promise<ReminderState> {
  return (await requestAs(server, account)('GET', '/api/reminders')).json();
}

test('push: the message is sent to every browser of the account at once, even while push is off', async () => {
  const browser = await subscribe(server, account, service);
  const other = { token: await login(server.app, account.email, account.password) };
  await subscribe(server, other, service, '/two');
  expect((await send('push')).statusCode).toBe(200);
  expect(service.received.map(({ path }) => path).sort()).toEqual(['/one', '/two']);
  const push = service.received.find(({ path }) => path === '/one');
  expect(push && messageIn(push, browser).notification).toMatchObject({
    title: 'This is a test',
    tag: 'test',
    app_badge: 0,
    data: { kind: 'test', account: 'garden', plants: [] },
  });
  expect((await state()).channels.push).toEqual({
    accepted_at: server.clock().toISOString(),
    problem: null,
  });
});

test('push: without a subscription the response is a 409 with a message', async () => {
  const response = await send('push');
  expect([response.statusCode, response.json()]).toEqual([
    409,
    { code: 'not_sent', message: 'No browser of this account receives notifications' },
  ]);
});

test('push: a rejection is a 502 with a message, and is shown in the settings', async () => {
  await subscribe(server, account, service);
  service.respond('/one', { status: 403 });
  const response = await send('push');
  expect(response.statusCode).toBe(502);
  const problem = 'The push service did not accept the message (status 403)';
  expect(response.json()).toEqual({ code: 'not_sent', message: problem });
  expect((await state()).channels.push).toEqual({ accepted_at: null, problem });
  service.respond('/one', { status: 201 });
  await send('push');
  expect((await state()).channels.push.problem).toBeNull();
});

test('push: a subscription that the push service no longer knows is deleted', async () => {
  await subscribe(server, account, service);
  service.respond('/one', { status: 410 });
  expect((await send('push')).statusCode).toBe(502);
  expect((await state()).push_subscriptions).toBe(0);
  expect((await send('push')).statusCode).toBe(409);
});

test('push: the response is a 200 with a warning if the message is accepted for one of two browsers', async () => {
  await subscribe(server, account, service);
  const other = { token: await login(server.app, account.email, account.password) };
  await subscribe(server, other, service, '/two');
  service.respond('/one', { status: 410 });
  const response = await send('push');
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({
    message: 'Sent',
    warning:
      'Sent to 1 of 2 devices. The browser has ended its subscription. Please turn notifications on there again',
  });
  expect((await send('push')).json()).toEqual({ message: 'Sent' });
});

test('push: the response is a 200 if a push service fails for one of two browsers', async () => {
  await subscribe(server, account, service);
  const other = { token: await login(server.app, account.email, account.password) };
  await subscribe(server, other, service, '/two');
  service.respond('/one', { status: 500 });
  expect((await send('push')).statusCode).toBe(200);
});

test('ntfy: the message is sent to the topic at once; without a topic the response is a 409, after a rejection a 502', async () => {
  expect((await send('ntfy')).statusCode).toBe(409);
  await changeReminders(server, account, { ntfy_url: `${service.origin}/my-topic` });
  expect((await send('ntfy')).statusCode).toBe(200);
  expect(service.received[0]).toMatchObject({ path: '/my-topic' });
  service.respond('/my-topic', { status: 404 });
  const response = await send('ntfy');
  expect([response.statusCode, response.json().message]).toEqual([
    502,
    'The ntfy server did not accept the message (status 404)',
  ]);
});

test('mail: the email is sent at once', async () => {
  const response = await send('mail');
  expect([response.statusCode, response.json()]).toEqual([200, { message: 'Sent' }]);
  expect(mail.sent).toMatchObject([{ to: account.email, subject: 'This is a test' }]);
  expect((await state()).channels.mail.accepted_at).toBe(server.clock().toISOString());
});

test.each([
  [{ responseCode: 550 }, 'The mail server did not accept the message (status 550)'],
  [{ code: 'ECONNREFUSED' }, 'The mail server could not be reached'],
])(
  'mail: a failure with %j is a 502 with a message, and is shown in the settings',
  async (error, words) => {
    mail.problem = Object.assign(new Error('rosa@example.org?'), error);
    const response = await send('mail');
    expect([response.statusCode, response.json()]).toEqual([
      502,
      { code: 'not_sent', message: words },
    ]);
    expect((await state()).channels.mail).toEqual({ accepted_at: null, problem: words });
  },
);

test('the number of test messages is limited', async () => {
  const strict = await openTestServer(testClock(), { authRateLimit: 2 });
  const person = await strict.addAccount();
  const request = () =>
    requestAs(strict, person)('POST', '/api/reminders/test', { payload: { channel: 'push' } });
  expect(
    [await request(), await request(), await request()].map(({ statusCode }) => statusCode),
  ).toEqual([409, 409, 429]);
  await strict.close();
});

test('ntfy: the problem of one URL is no longer shown after the change to another', async () => {
  const change = (path: string) =>
    changeReminders(server, account, { ntfy_enabled: true, ntfy_url: `${service.origin}${path}` });
  const problem = async () => (await state()).channels.ntfy.problem;
  await change('/wrong');
  service.respond('/wrong', { status: 404 });
  await send('ntfy');
  await change('/wrong');
  expect(await problem()).toContain('404');
  await change('/right');
  expect(await problem()).toBeNull();
});

test('push: subscribing again clears the problem of an ended subscription, and no other problem', async () => {
  const problem = async () => (await state()).channels.push.problem;
  await subscribe(server, account, service);
  service.respond('/one', { status: 410 });
  await send('push');
  expect(await problem()).toContain('ended its subscription');
  await subscribe(server, account, service, '/two');
  expect(await problem()).toBeNull();
  service.respond('/two', { status: 403 });
  await send('push');
  await subscribe(server, account, service, '/two');
  expect(await problem()).toContain('403');
});
