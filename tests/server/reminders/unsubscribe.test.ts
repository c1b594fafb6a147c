import fs from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ReminderState } from '#contract/settings/reminders.ts';
import { unsubscribePage, unsubscribeToken } from '#server/reminders/unsubscribe.ts';
import { changeReminders } from '../../support/reminders/reminders.ts';
import { testClock } from '../../support/server/clock.ts';
import { type MemoryMail, memoryMail } from '../../support/server/memory-mail.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  openTestServer,
  publicUrl,
  type TestServer,
} from '../../support/server/server.ts';

let server: TestServer;
let account: Account;
let mail: MemoryMail;
beforeAll(async () => {
  mail = memoryMail();
  server = await openTestServer(testClock(), { emailTransport: mail });
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await server.addAccount();
  await changeReminders(server, account, { mail_enabled: true, push_enabled: true });
});

async function link(owner = account): Promise<string> {
  await requestAs(server, owner)('POST', '/api/reminders/test', { payload: { channel: 'mail' } });
  const email = mail.sent.findLast(({ to }) => to === owner.email);
  return (email?.unsubscribeUrl ?? '').replace(publicUrl, '');
}

async function isMailOn(owner = account): Promise<boolean> {
  return (await requestAs(server, owner)('GET', '/api/reminders')).json<ReminderState>()
    .mail_enabled;
}

const anybody = () => requestAs(server, null);

test.each([
  ['as mail programs send it', 'List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded'],
  [
    'as multipart form',
    '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    'multipart/form-data; boundary=x',
  ],
])('one POST, %s, unsubscribes the account from the emails', async (_, payload, type) => {
  const other = await server.addAccount();
  await changeReminders(server, other, { mail_enabled: true });
  const response = await anybody()('POST', await link(), {
    payload,
    headers: { 'content-type': type },
  });
  expect([response.statusCode, response.headers['content-type']]).toEqual([
    200,
    'text/html; charset=utf-8',
  ]);
  const state = (await requestAs(server, account)('GET', '/api/reminders')).json<ReminderState>();
  expect(state).toMatchObject({ mail_enabled: false, push_enabled: true });
  expect(await isMailOn(other)).toBe(true);
});

test('a GET only shows a form that sends the POST', async () => {
  const url = await link();
  const page = await anybody()('GET', url);
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain(`<form method="post" action="${url}">`);
  expect(await isMailOn()).toBe(true);
  expect((await anybody()('POST', url)).statusCode).toBe(200);
  expect(await isMailOn()).toBe(false);
  expect((await anybody()('POST', url)).statusCode).toBe(200);
});

test('all emails have the same link, and it still works after the emails were turned on again', async () => {
  const [first, second] = [await link(), await link()];
  expect(second).toBe(first);
  await anybody()('POST', first);
  await changeReminders(server, account, { mail_enabled: true });
  await anybody()('POST', first);
  expect(await isMailOn()).toBe(false);
});

test('links that were not made with the key of the server are refused', async () => {
  const url = await link();
  const token = new URL(url, publicUrl).searchParams.get('token') ?? '';
  const other = await server.addAccount();
  const forged = [
    '',
    'x',
    token.slice(0, -1),
    `${token}x`,
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    unsubscribeToken('another key', account.userId),
    token.slice(0, 23) + unsubscribeToken('another key', account.userId).slice(23),
    unsubscribeToken('another key', other.userId).slice(0, 23) + token.slice(23),
    '"><script>alert(1)</script>',
  ];
  for (const each of forged) {
    const at = `/api/reminders/unsubscribe?token=${encodeURIComponent(each)}`;
    const response = await anybody()('POST', at);
    expect([each, response.statusCode, response.json().code]).toEqual([each, 400, 'invalid_token']);
    expect((await anybody()('GET', at)).body).not.toContain('<script');
  }
  expect((await anybody()('POST', '/api/reminders/unsubscribe')).statusCode).toBe(400);
  expect(await isMailOn()).toBe(true);
});

test('the number of attempts is limited', async () => {
  const strict = await openTestServer(testClock(), { authRateLimit: 2 });
  const guess = () => requestAs(strict, null)('POST', '/api/reminders/unsubscribe?token=x');
  const statuses = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await guess()).statusCode);
  expect(statuses).toEqual([400, 400, 429]);
  await strict.close();
});

test('a browser gets an error as a page', async () => {
  const strict = await openTestServer(testClock(), { authRateLimit: 1 });
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const press = () =>
    requestAs(strict, null)('POST', '/api/reminders/unsubscribe?token=x', { headers });
  for (const [status, text] of [
    [400, 'This link is not valid. Please open the settings.'],
    [429, 'Too many attempts. Please try again in 15 minutes.'],
  ] as const) {
    const { statusCode, headers: sent, body } = await press();
    expect([statusCode, sent['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(body).toContain(`<p>${text}</p>`);
  }
  await strict.close();
});

test('the page has the colours of the app in both themes', () => {
  const colours = (css: string) => css.match(/--(ink|paper|leaf|on-leaf): #\w+/g)?.sort();
  const tokens = fs.readFileSync('src/client/ui/tokens.css', 'utf8');
  expect(colours(unsubscribePage(''))).toHaveLength(8);
  expect(colours(unsubscribePage(''))).toEqual(colours(tokens));
});
