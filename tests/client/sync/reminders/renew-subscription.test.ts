import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openDeviceDb } from '#client/store/database.ts';
import { deviceDbName } from '#client/store/device-db-name.ts';
import { readPushEndpoint, storePushEndpoint } from '#client/store/meta.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { saveBackgroundToken } from '#client/sync/background/background.ts';
import { renewSubscription } from '#client/sync/reminders/renew-subscription.ts';

const before = 'https://push.example.org/before';
const subscription = {
  endpoint: 'https://push.example.org/new',
  toJSON: () => ({ keys: { p256dh: 'cDI1Ng', auth: 'YXV0aA' } }),
} as unknown as PushSubscription;

/** The accounts and the earlier endpoints in the requests, by token. */
let sent: Record<string, unknown>;
let refusedToken: string | null;
beforeEach(() => {
  sent = {};
  refusedToken = null;
  vi.stubGlobal('fetch', async (_: string, { headers, body }: RequestInit) => {
    const token = new Headers(headers).get('authorization')?.replace('Bearer ', '') ?? '';
    const { account, replaces } = JSON.parse(String(body));
    sent[token] = [account, replaces];
    return Response.json({}, { status: token === refusedToken ? 401 : 200 });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
});

/** The database of an account that has subscribed this browser under this endpoint. */
async function subscribed(name: string, endpoint: string, token: string | null): Promise<DeviceDb> {
  const db = openDeviceDb(deviceDbName(`${name}@garden.org`));
  onTestFinished(() => db.delete());
  await storePushEndpoint(db, endpoint);
  if (token !== null) await saveBackgroundToken(db, token);
  return db;
}

test('the new subscription is sent for the account that made the earlier one, and stored', async () => {
  const rosa = await subscribed('rosa', before, 'rosa.s.token');
  const otto = await subscribed('otto', 'https://push.example.org/other', 'otto.s.token');
  await renewSubscription(before, async () => subscription);
  expect(sent).toEqual({ 'rosa.s.token': [rosa.name, before] });
  expect(await readPushEndpoint(rosa)).toBe(subscription.endpoint);
  expect(await readPushEndpoint(otto)).toBe('https://push.example.org/other');
});

test('without the earlier endpoint the new subscription is sent for every account with a token and a subscription', async () => {
  const rosa = await subscribed('rosa', before, 'rosa.s.token');
  await subscribed('vera', before, null);
  const otto = await subscribed('otto', 'https://push.example.org/other', 'otto.s.token');
  await renewSubscription(null, async () => subscription);
  expect(sent).toEqual({
    'rosa.s.token': [rosa.name, before],
    'otto.s.token': [otto.name, 'https://push.example.org/other'],
  });
});

test('an account whose session has ended does not prevent the renewal for the others', async () => {
  await subscribed('rosa', before, 'rosa.s.token');
  await subscribed('otto', before, 'otto.s.token');
  for (const token of ['rosa.s.token', 'otto.s.token']) {
    refusedToken = token;
    sent = {};
    await renewSubscription(null, async () => subscription);
    expect(Object.keys(sent)).toHaveLength(2);
  }
});

test('a subscription that was turned off while it was sent is ended, in the browser and on the server', async () => {
  const rosa = await subscribed('rosa', before, 'rosa.s.token');
  const methods: string[] = [];
  vi.stubGlobal('fetch', async (_: string, { method = 'GET' }: RequestInit) => {
    methods.push(method);
    await storePushEndpoint(rosa, null);
    return Response.json({});
  });
  const unsubscribe = vi.fn(async () => true);
  await renewSubscription(before, async () => ({ ...subscription, unsubscribe }));
  expect(methods).toEqual(['PUT', 'DELETE']);
  expect(unsubscribe).toHaveBeenCalledOnce();
  expect(await readPushEndpoint(rosa)).toBeNull();
});
