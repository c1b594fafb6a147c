import { beforeAll, expect, test } from 'vitest';
import type { Phone } from '../support/phone/browser.ts';
import { demo, plantCard } from '../support/screens/garden.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  return made.close;
});

const region = (name: string) => phone.page.getByRole('region', { name, exact: true });
const form = (name: string) => phone.page.getByRole('form', { name, exact: true });

async function openSettings(): Promise<void> {
  await phone.page.getByRole('button', { name: 'User menu' }).click();
  await phone.page.getByRole('link', { name: 'Settings' }).click();
  await phone.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
}

async function save(name: string): Promise<void> {
  await form(name).getByRole('button', { name: 'Save' }).click();
  await form(name).getByText('Saved').waitFor();
}

/** The status of a request with the session's token. */
async function statusWith(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${server.url}/auth/me`, { headers })).status;
}

/** When the first plant is due, as the clocks of a zone show it. */
async function firstDueIn(timeZone: string): Promise<string> {
  const [plant] = await server.query<{ at: Date }>(
    'SELECT next_watering_date AS at FROM plants ORDER BY next_watering_date LIMIT 1',
  );
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return format.format(plant?.at).replace(/\s/g, ' ');
}

/** Signs in elsewhere, and returns the token. */
async function signInElsewhere(): Promise<string> {
  const response = await fetch(`${server.url}/auth/login`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0',
    },
    body: JSON.stringify({ username_or_email: demo.email, password: demo.password }),
  });
  const { access_token: token } = await response.json();
  return token;
}

test('a name and a time zone are saved for the account, and are used after a reload without the server', async () => {
  const { page } = phone;
  await openSettings();
  await form('Name').getByLabel('Name').fill('Rosa Gardener');
  await save('Name');
  await form('Time zone').getByLabel('Time zone').selectOption('Pacific/Kiritimati');
  await save('Time zone');
  const [user] = await server.query<{ time_zone: string }>(
    'SELECT time_zone FROM users WHERE email = $1',
    [demo.email],
  );
  expect(user?.time_zone).toBe('Pacific/Kiritimati');
  await page.goto('/dashboard/schedule');
  const due = page.getByText(/^Next: /).first();
  const inZone = await due.textContent();
  expect(inZone).toBe(`Next: ${await firstDueIn('Pacific/Kiritimati')}`);
  await server.kill();
  await page.reload();
  await due.waitFor();
  expect(await due.textContent()).toBe(inZone);
  await page.getByRole('button', { name: 'User menu' }).click();
  await region('User menu').getByText('Rosa Gardener').waitFor();
  await server.start();
  await page.goto('/dashboard/settings');
  await form('Time zone').getByLabel('Time zone').selectOption('');
  await save('Time zone');
  await page.goto('/dashboard/schedule');
  await due.waitFor();
  expect(await due.textContent()).toBe(`Next: ${await firstDueIn('Asia/Bangkok')}`);
});

test('the dashboard offers the zone of the phone; after it is accepted, the schedule shows times in that zone', async () => {
  const { page } = phone;
  await page.goto('/dashboard');
  await page.getByText(/^Use this device’s time zone \(UTC−[45]\)\?$/).waitFor();
  await page.getByRole('button', { name: 'Use', exact: true }).click();
  await page.getByText('Use this device’s time zone').waitFor({ state: 'detached' });
  await page.goto('/dashboard/schedule');
  const due = page.getByText(/^Next: /).first();
  await due.waitFor();
  expect(await due.textContent()).toBe(`Next: ${await firstDueIn('America/New_York')}`);
});

test('a calendar app can read the feed at its secret URL until the feed is deleted', async () => {
  const { page } = phone;
  await page.goto('/dashboard/settings');
  const calendar = region('Calendar');
  await calendar.getByRole('button', { name: 'Create calendar' }).click();
  await region('Your calendar is ready').waitFor();
  const address = await calendar.locator('code').first().textContent();
  const { pathname } = new URL(address ?? '');
  const feed = await fetch(`${server.url}${pathname}`);
  expect(feed.headers.get('content-type')).toContain('text/calendar');
  expect(await feed.text()).toContain('BEGIN:VEVENT');
  await page.reload();
  await calendar.getByText(/^Last fetched /).waitFor();
  await calendar.getByRole('button', { name: 'Remove calendar' }).click();
  await page.getByRole('button', { name: 'Remove it' }).click();
  await calendar.getByRole('button', { name: 'Create calendar' }).waitFor();
  expect((await fetch(`${server.url}${pathname}`)).status).toBe(404);
});

test('the switch of the daily digest and the quiet hours are saved and shown again after a reload', async () => {
  const { page } = phone;
  await page.goto('/dashboard/notifications');
  await page.getByRole('link', { name: 'Settings → Reminders' }).click();
  const reminders = region('Reminders');
  const digest = reminders.getByRole('switch', { name: 'Daily digest' });
  const before = await digest.isChecked();
  await digest.click();
  await reminders.getByText('Saved').waitFor();
  await form('Quiet hours').getByLabel('From').fill('21:30');
  await save('Quiet hours');
  await page.reload();
  await digest.waitFor();
  expect(await digest.isChecked()).toBe(!before);
  expect(await form('Quiet hours').getByLabel('From').inputValue()).toBe('21:30');
});

test('a session is ended from the list, and a new password ends all others and replaces the token of this browser', async () => {
  const { page } = phone;
  const token = () => page.evaluate(() => window.localStorage.getItem('sprig.token') ?? '');
  await page.goto('/dashboard/settings');
  await page.getByText('This device', { exact: true }).waitFor();
  const before = await page
    .getByRole('list', { name: 'Browsers that are signed in' })
    .locator('li')
    .count();
  const [first, second] = [await signInElsewhere(), await signInElsewhere()];
  await page.reload();
  const sessions = page.getByRole('list', { name: 'Browsers that are signed in' });
  await sessions.getByText('This device').waitFor();
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(before + 2);
  await sessions
    .getByRole('button', { name: /^Sign out Firefox on Windows/ })
    .first()
    .click();
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(before + 1);
  expect([await statusWith(first), await statusWith(second)].sort()).toEqual([200, 401]);
  await page.getByRole('button', { name: 'Change password' }).click();
  const password = form('Password');
  await password.getByLabel('Current password', { exact: true }).fill('not this one');
  await password.getByLabel('New password', { exact: true }).fill('another-garden');
  await password.getByLabel('Confirm new password', { exact: true }).fill('another-garden');
  await password.getByRole('button', { name: 'Change password' }).click();
  await password.getByText('The current password is not correct').waitFor();
  await password.getByLabel('Current password', { exact: true }).fill(demo.password);
  const copied = await token();
  await password.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Password changed.').waitFor();
  const tokens = [first, second, copied, await token()];
  expect(await Promise.all(tokens.map(statusWith))).toEqual([401, 401, 401, 200]);
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
  await page.goto('/dashboard');
  await plantCard(page, 'Monty').waitFor();
});
