import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewDeviceToken } from '#contract/device-tokens.ts';
import type { PushSubscriptionPayload, ReminderState } from '#contract/settings/reminders.ts';
import { transaction } from '#server/database/transaction.ts';
import { deleteExpired } from '#server/jobs/housekeeping.ts';
import { untilWaiting } from '../../support/database/database-waits.ts';
import { pushBrowser } from '../../support/reminders/push-browser.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  login,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

const settings = '/api/reminders';
const subscription = '/api/push-subscription';
const dayMs = 24 * 3_600_000;

const defaults = {
  digest_enabled: true,
  digest_time: '09:00',
  alerts_enabled: true,
  quiet_from: '21:00',
  quiet_to: '08:00',
  push_enabled: false,
  mail_enabled: false,
  ntfy_enabled: false,
  ntfy_url: null,
};

let server: TestServer;
let account: Account;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await server.addAccount();
});

async function read(owner: Pick<Account, 'token'> = account): Promise<ReminderState> {
  return (await requestAs(server, owner)('GET', settings)).json();
}

function change(payload: object) {
  return requestAs(server, account)('PATCH', settings, { payload });
}

function subscribe(payload: object, owner: Pick<Account, 'token'> = account) {
  return requestAs(server, owner)('PUT', subscription, { payload });
}

async function stored() {
  const { rows } = await server.db.pool.query(
    'SELECT * FROM reminder_settings WHERE user_id = $1',
    [account.userId],
  );
  return rows[0];
}

async function subscriptions(): Promise<{ session_id: string; endpoint: string }[]> {
  const text = 'SELECT * FROM push_subscriptions WHERE user_id = $1 ORDER BY created_at';
  return (await server.db.pool.query(text, [account.userId])).rows;
}

test('an account without settings has the defaults, and reading them stores nothing', async () => {
  const { push_key, ...state } = await read();
  const channel = { accepted_at: null, problem: null };
  expect(state).toEqual({
    ...defaults,
    push_subscriptions: 0,
    push_subscribed: false,
    mail_to_files: false,
    channels: { push: channel, mail: channel, ntfy: channel },
  });
  expect(Buffer.from(push_key, 'base64url')).toHaveLength(65);
  expect(await stored()).toBeUndefined();
});

test('all accounts get the same public key, and the settings do not contain the private one', async () => {
  const first = await requestAs(server, account)('GET', settings);
  const other = await read(await server.addAccount());
  expect(other.push_key).toBe(first.json<ReminderState>().push_key);
  const { rows } = await server.db.pool.query("SELECT value FROM server_keys WHERE name = 'vapid'");
  const { publicKey, privateKey } = JSON.parse(rows[0].value);
  expect(publicKey).toBe(other.push_key);
  expect(first.body).not.toContain(privateKey);
});

test('a PATCH changes only the settings that it contains, and returns the whole state', async () => {
  const changed = await change({ digest_time: '23:59', quiet_from: '00:00', mail_enabled: true });
  expect(changed.statusCode).toBe(200);
  const wanted = { ...defaults, digest_time: '23:59', quiet_from: '00:00', mail_enabled: true };
  expect(changed.json()).toMatchObject(wanted);
  await change({ ntfy_url: ' https://ntfy.sh/my-garden ', ntfy_enabled: true });
  const after = { ...wanted, ntfy_url: 'https://ntfy.sh/my-garden', ntfy_enabled: true };
  expect(await read()).toMatchObject(after);
  await change({ ntfy_url: null });
  expect(await read()).toMatchObject({ ...after, ntfy_url: null });
  expect(await read(await server.addAccount())).toMatchObject(defaults);
});

test.each([
  { digest_time: '24:00' },
  { digest_time: '9:00' },
  { digest_time: 540 },
  { digest_time: null },
  { quiet_to: '08:60' },
  { quiet_from: ' 08:00' },
  { push_enabled: 'yes' },
  { mail_enabled: null },
  { ntfy_url: 'ftp://ntfy.sh/x' },
  { ntfy_url: 'https://ntfy.sh' },
  { ntfy_url: 'javascript:alert(1)' },
  { ntfy_url: `https://ntfy.sh/${'x'.repeat(500)}` },
  { ntfy_url: 'https://ntfy.sh:99999/x' },
  { ntfy_url: 'https://[::1/x' },
  { ntfy_url: '' },
])('a PATCH with %j is rejected and changes nothing', async (payload) => {
  expect((await change(payload)).statusCode).toBe(422);
  expect(await stored()).toBeUndefined();
});

test.each([
  { payload: { push_enabled: true }, isChecked: true },
  { payload: { mail_enabled: true, digest_enabled: false }, isChecked: true },
  { payload: { mail_enabled: true, alerts_enabled: false }, isChecked: true },
  {
    payload: { mail_enabled: true, digest_enabled: false, alerts_enabled: false },
    isChecked: false,
  },
  { payload: { digest_time: '10:00' }, isChecked: false },
  { payload: { ntfy_enabled: true }, isChecked: false },
  { payload: { ntfy_url: 'https://ntfy.sh/x' }, isChecked: false },
  { payload: { ntfy_enabled: true, ntfy_url: 'https://ntfy.sh/x' }, isChecked: true },
])(
  'after the change $payload the reminder job checks the account at once: $isChecked',
  async ({ payload, isChecked }) => {
    await change(payload);
    expect((await stored()).next_at).toEqual(isChecked ? server.clock() : null);
  },
);

test('after the digest of the day, digest_from is set to now when the first channel is turned on or the digest time or quiet hours change; other changes keep it', async () => {
  // Other tests advance the clock. This is the next afternoon in UTC+7.
  const passedMs = (server.clock().getTime() - Date.parse('2026-11-20T08:00:00Z')) % dayMs;
  server.clock.advance(dayMs - passedMs);
  await change({ digest_time: '08:00' });
  const first = server.clock();
  expect((await stored()).digest_from).toEqual(first);
  server.clock.advance(60_000);
  await change({ alerts_enabled: false, ntfy_url: 'https://ntfy.sh/x' });
  expect((await stored()).digest_from).toEqual(first);
  await change({ mail_enabled: true });
  expect((await stored()).digest_from).toEqual(server.clock());
  const second = server.clock();
  server.clock.advance(60_000);
  await change({ push_enabled: true, digest_time: '08:00' });
  expect((await stored()).digest_from).toEqual(second);
  await change({ quiet_to: '08:30' });
  expect((await stored()).digest_from).toEqual(server.clock());
});

test('parallel changes of different settings are all kept', async () => {
  const changes = [{ digest_time: '10:00' }, { quiet_from: '22:00' }, { mail_enabled: true }];
  const responses = await Promise.all(changes.map(change));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(await read()).toMatchObject({
    digest_time: '10:00',
    quiet_from: '22:00',
    mail_enabled: true,
  });
});

test('a session has one subscription: a second one replaces it', async () => {
  const ofOthers = async () => {
    const text = 'SELECT * FROM push_subscriptions WHERE user_id <> $1 ORDER BY endpoint, user_id';
    return (await server.db.pool.query(text, [account.userId])).rows;
  };
  const before = await ofOthers();
  expect(
    (await subscribe(pushBrowser('https://fcm.googleapis.com/a').subscription)).statusCode,
  ).toBe(200);
  const second = pushBrowser('https://web.push.apple.com/b').subscription;
  for (let n = 0; n < 2; n += 1) expect((await subscribe(second)).statusCode).toBe(200);
  expect(await subscriptions()).toMatchObject([
    { endpoint: second.endpoint, p256dh: second.keys.p256dh, account: 'garden' },
  ]);
  expect((await read()).push_subscriptions).toBe(1);
  expect(await ofOthers()).toEqual(before);
});

test('each session has its own subscription; a browser that subscribes in another session is then subscribed only in that session', async () => {
  const other = { token: await login(server.app, account.email, account.password) };
  await subscribe(pushBrowser('https://fcm.googleapis.com/phone').subscription);
  await subscribe(pushBrowser('https://fcm.googleapis.com/desk').subscription, other);
  expect(await subscriptions()).toHaveLength(2);
  expect((await read()).push_subscriptions).toBe(2);
  await subscribe(pushBrowser('https://fcm.googleapis.com/phone').subscription, other);
  expect((await subscriptions()).map(({ endpoint }) => endpoint)).toEqual([
    'https://fcm.googleapis.com/phone',
  ]);
});

test('deleting a subscription deletes only that of this session, and a second delete is no error', async () => {
  const other = { token: await login(server.app, account.email, account.password) };
  await subscribe(pushBrowser('https://fcm.googleapis.com/phone').subscription);
  await subscribe(pushBrowser('https://fcm.googleapis.com/desk').subscription, other);
  for (let n = 0; n < 2; n += 1) {
    expect((await requestAs(server, other)('DELETE', subscription)).statusCode).toBe(200);
  }
  expect((await subscriptions()).map(({ endpoint }) => endpoint)).toEqual([
    'https://fcm.googleapis.com/phone',
  ]);
});

test('a subscription ends with its session: at sign-out, and when it expires', async () => {
  const { email, password } = account;
  const short = { token: await login(server.app, email, password) };
  await subscribe(pushBrowser('https://fcm.googleapis.com/phone').subscription);
  await subscribe(pushBrowser('https://fcm.googleapis.com/desk').subscription, short);
  server.clock.advance(13 * 60 * 60_000);
  expect((await read()).push_subscriptions).toBe(1);
  const { db, clock } = server;
  await deleteExpired({ db, clock, onFailure: (code) => expect.fail(code) });
  expect(await subscriptions()).toHaveLength(1);
  await requestAs(server, account)('POST', '/auth/logout');
  expect(await subscriptions()).toEqual([]);
});

test('a subscription that arrives while its session is being deleted gets a 401', async () => {
  const { subscribing } = await transaction(server.db, async (tx) => {
    await tx.$client.query('DELETE FROM sessions WHERE user_id = $1', [account.userId]);
    const subscribing = subscribe(pushBrowser('https://fcm.googleapis.com/a').subscription);
    await untilWaiting(server);
    return { subscribing };
  });
  expect((await subscribing).statusCode).toBe(401);
});

const valid = pushBrowser().subscription;
const bad: readonly [string, Partial<Record<keyof PushSubscriptionPayload, unknown>>][] = [
  ['another host', { endpoint: 'https://push.example.org/x' }],
  ['plain http', { endpoint: 'http://fcm.googleapis.com/x' }],
  ['another port', { endpoint: 'https://fcm.googleapis.com:8443/x' }],
  ['credentials', { endpoint: 'https://me:secret@fcm.googleapis.com/x' }],
  ['a user', { endpoint: 'https://fcm.googleapis.com@evil.example/x' }],
  ['a longer host', { endpoint: 'https://fcm.googleapis.com.evil.example/x' }],
  ['a host that only ends alike', { endpoint: 'https://evilpush.apple.com/x' }],
  ['the bare domain', { endpoint: 'https://push.apple.com/x' }],
  ['an address', { endpoint: 'https://169.254.169.254/latest' }],
  ['a file', { endpoint: 'file:///etc/passwd' }],
  ['no URL', { endpoint: 'fcm.googleapis.com/x' }],
  ['no keys', { keys: undefined }],
  ['a short key', { keys: { ...valid.keys, p256dh: 'BF2P' } }],
  [
    'no point of the curve',
    { keys: { ...valid.keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } },
  ],
  [
    'a compressed point',
    { keys: { ...valid.keys, p256dh: Buffer.alloc(33, 2).toString('base64url') } },
  ],
  ['a short secret', { keys: { ...valid.keys, auth: 'OTA5' } }],
  ['no account', { account: undefined }],
];

test.each(bad)('rejects a subscription with %s', async (_, changes) => {
  const response = await subscribe({ ...valid, ...changes });
  expect(response.statusCode).toBe(422);
  expect(await subscriptions()).toEqual([]);
});

test.each([
  'https://fcm.googleapis.com/fcm/send/x:y',
  'https://android.googleapis.com/gcm/send/x',
  'https://updates.push.services.mozilla.com/wpush/v2/x',
  'https://web.push.apple.com/x',
  'https://db5p.notify.windows.com/w/?token=x',
  'https://wns2-by3p.wns.windows.com/w/?token=x',
])('a subscription with the endpoint %s is accepted', async (endpoint) => {
  expect((await subscribe({ ...valid, endpoint })).statusCode).toBe(200);
});

test('device tokens and requests without a token are rejected', async () => {
  const payload = { device_id: 'pot-1' };
  const made = await requestAs(server, account)('POST', '/api/device-tokens', { payload });
  const device = made.json<NewDeviceToken>();
  for (const [owner, status] of [
    [device, 403],
    [null, 401],
  ] as const) {
    const request = requestAs(server, owner);
    const responses = [
      await request('GET', settings),
      await request('PATCH', settings, { payload: { mail_enabled: true } }),
      await request('PUT', subscription, { payload: valid }),
      await request('DELETE', subscription),
    ];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([status, status, status, status]);
  }
  expect(await stored()).toBeUndefined();
});
