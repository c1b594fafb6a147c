import { expect, test } from 'vitest';
import { brokenNetwork, captivePortal, fetchResponding } from '../../support/device/fetch-stub.ts';
import { signIn } from './support/signed-in-page.ts';

type Page = Awaited<ReturnType<typeof signIn>>;

const createdAt = '2026-11-20T08:00:00Z';
const deviceToken = { id: 'a', device_id: 'pot-1', created_at: createdAt, last_used_at: null };
const device = { key: 'a', deviceId: 'pot-1', createdAt: Date.parse(createdAt), lastUsedAt: null };
const calendar = { created_at: createdAt, is_per_plant: false, fetched_at: null };
const browser = { key: 'a', name: 'Chrome', signedInAt: 0, isThisOne: false };

interface Row {
  name: string;
  call: (page: Page) => Promise<unknown>;
  fallback: string;
  /** A valid response body. */
  response: unknown;
}

const rows: Row[] = [
  {
    name: 'the devices',
    call: ({ devices }) => devices.loadDevices(),
    fallback: 'Failed to load devices',
    response: [deviceToken],
  },
  {
    name: 'a new device',
    call: ({ devices }) => devices.addDevice('pot-1'),
    fallback: 'Failed to add device',
    response: { ...deviceToken, token: 'sprig_x' },
  },
  {
    name: 'the removal of a device',
    call: ({ devices }) => devices.removeDevice(device),
    fallback: 'Failed to remove device',
    response: { message: 'Device token revoked' },
  },
  {
    name: 'the calendar',
    call: (page) => page.calendar.loadCalendar(),
    fallback: 'Failed to load the calendar',
    response: calendar,
  },
  {
    name: 'a new calendar',
    call: (page) => page.calendar.renewCalendar(),
    fallback: 'Failed to create the calendar',
    response: { ...calendar, url: 'https://sprig.example/calendar/x.ics' },
  },
  {
    name: 'a test message',
    call: ({ reminders }) => reminders.testReminder('mail'),
    fallback: 'The message could not be sent',
    response: { message: 'Sent' },
  },
  {
    name: 'the end of another session',
    call: ({ profile }) => profile.signOutBrowser(browser),
    fallback: 'Failed to sign out that browser',
    response: { message: 'Session ended' },
  },
];

test.each(rows)('$name: a response of the right shape succeeds', async ({ call, response }) => {
  const page = await signIn(fetchResponding(200, response).fetch);
  await expect(call(page)).resolves.not.toThrow();
});

test.each(rows)('$name: without a response the text is "$fallback"', async ({ call, fallback }) => {
  for (const fetch of [brokenNetwork, fetchResponding(200, captivePortal).fetch]) {
    const page = await signIn(fetch);
    await expect(call(page)).rejects.toMatchObject({ message: fallback, status: null });
  }
});

test.each(rows)('$name: an error response shows the message of the server', async ({ call }) => {
  const page = await signIn(fetchResponding(422, { message: 'The soil objects' }).fetch);
  await expect(call(page)).rejects.toMatchObject({ message: 'The soil objects', status: 422 });
});

test.each(rows)(
  '$name: a 401 says that authentication is required and ends the session',
  async ({ call }) => {
    const page = await signIn(fetchResponding(401, { message: 'x' }).fetch);
    await expect(call(page)).rejects.toThrow('Authentication required');
    await expect.poll(() => page.getSession().status).toBe('signed-out');
  },
);

test('removing what the server does not have any more succeeds', async () => {
  const page = await signIn(fetchResponding(404, { message: 'Not found' }).fetch);
  await page.devices.removeDevice(device);
  await page.profile.signOutBrowser(browser);
});

test('a removal to which a gateway responds with 404 fails', async () => {
  const page = await signIn(fetchResponding(404, captivePortal).fetch);
  await expect(page.devices.removeDevice(device)).rejects.toMatchObject({ status: null });
});
