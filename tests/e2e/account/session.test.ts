import { beforeAll, beforeEach, expect, test } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import { smallTargets } from '../../support/layout.ts';
import { barriersInBothThemes } from '../support/phone/accessibility.ts';
import { appUrl, forgetAll, type Phone } from '../support/phone/browser.ts';
import {
  fillSignIn,
  plantCard,
  signIn,
  signInByForm,
  waterNow,
} from '../support/screens/garden.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { wateringsSince } from '../support/server/waterings.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  return made.close;
});
beforeEach(() => forgetAll(phone));

const token = () => phone.page.evaluate(() => window.localStorage.getItem('sprig.token'));
const url = (page = phone.page) => page.url().replace(appUrl, '');

async function openUserMenu(): Promise<void> {
  await phone.page.getByRole('button', { name: 'User menu' }).click();
}

async function signOut(): Promise<void> {
  await openUserMenu();
  await phone.page.getByRole('button', { name: 'Sign Out' }).click();
}

/** The number of account databases on the phone. */
const databases = () => phone.page.evaluate(async () => (await indexedDB.databases()).length);

test('signing out leaves neither data nor the last screen for the next person, even while the server does not respond', async () => {
  const { page } = phone;
  await signInByForm(page, '/dashboard/schedule');
  const response = deferred();
  await phone.context.route('**/auth/logout', async (route) => {
    await response.promise;
    await route.abort();
  });
  await page.evaluate(watchForBrokenScreen);
  await signOut();
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  expect(url()).toBe('/signin');
  expect(await token()).toBeNull();
  await expect.poll(databases).toBe(0);
  response.resolve();
  expect(await page.getByRole('form').getByRole('status').count()).toBe(0);
  expect(await page.evaluate(() => document.body.dataset.broke)).toBeUndefined();
  await page.goBack();
  expect(page.url()).toBe('about:blank');
  await page.goForward();
  expect(url()).toBe('/signin');
  await fillSignIn(page);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL('**/dashboard');
});

/** Runs in the page: records whether an error screen is shown, even briefly. */
function watchForBrokenScreen(): void {
  new MutationObserver(() => {
    if (document.body.textContent.includes('could not be shown'))
      document.body.dataset.broke = 'yes';
  }).observe(document.body, { childList: true, subtree: true });
}

test('without a readable profile the app shows that it is loading until the server responds; an unknown token ends the session', async () => {
  const { page } = phone;
  await page.goto('/healthz');
  await page.evaluate(() => {
    window.localStorage.setItem('sprig.token', 'a.b.c');
    window.localStorage.setItem('sprig.profile', '{"username":');
  });
  const profile = deferred();
  await phone.context.route('**/auth/me', async (route) => {
    await profile.promise;
    await route.continue();
  });
  await page.goto('/dashboard');
  await page.getByRole('status').getByText('Loading...').waitFor();
  expect(await page.getByRole('heading').count()).toBe(0);
  profile.resolve();
  await page.getByText('Session expired. Please login again.').waitFor();
  expect(await token()).toBeNull();
});

test("a 401 for the profile at the start shows 'Session expired. Please login again.', even if sync gets a 401 first", async () => {
  const { page, context } = phone;
  await signIn(page, '/dashboard/plants');
  // Closes the app: a live event could make the open page pull, and so get the 401 before the next start does.
  await page.goto('about:blank');
  await server.query('DELETE FROM sessions');
  const profile = deferred();
  await context.route('**/auth/me', async (route) => {
    await profile.promise;
    await route.continue();
  });
  const refused = context.waitForEvent('response', (response) => response.status() === 401);
  await page.goto('/dashboard/plants');
  await refused;
  // Until the response to the profile request arrives, the plants stay visible.
  await page.getByRole('article').first().waitFor();
  profile.resolve();
  const message = page.getByText('Session expired. Please login again.');
  await message.waitFor();
  expect(url()).toBe('/signin?from=%2Fdashboard%2Fplants');
  await page.getByLabel('Remember me').check();
  await message.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.goBack();
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  expect(await message.count()).toBe(0);
});

test('a session ends in all tabs; only an expired session shows a message and leads back to the screen after sign-in', async () => {
  const { page, context } = phone;
  let profiles = 0;
  context.on('response', (response) => {
    if (response.url().endsWith('/auth/me')) profiles += 1;
  });
  await signIn(page);
  const other = await context.newPage();
  await other.goto('/dashboard/schedule');
  await other.getByRole('article').first().waitFor();
  // One for signIn() and one for each tab. A request for the profile that is still running would fail with another
  // message.
  await expect.poll(() => profiles).toBe(3);
  await server.query('DELETE FROM sessions');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  const tabs = [page, other];
  const tokens: (string | null)[] = [];
  for (const tab of tabs) await tab.getByText('Authentication required').waitFor();
  expect(url(other)).toBe('/signin?from=%2Fdashboard%2Fschedule');
  for (const tab of tabs) {
    // Taps in a background tab are slow.
    await tab.bringToFront();
    await fillSignIn(tab);
    await tab.getByLabel('Remember me').check();
    await tab.getByRole('button', { name: 'Sign In' }).click();
    await tab.getByRole('article').first().waitFor();
    tokens.push(await tab.evaluate(() => window.localStorage.getItem('sprig.token')));
  }
  expect(url(other)).toBe('/dashboard/schedule');
  const statusOf = async (one: string | null) => {
    const headers = { authorization: `Bearer ${one}` };
    return (await fetch(`${server.url}/auth/me`, { headers })).status;
  };
  const statuses = () => Promise.all(tokens.map(statusOf));
  // The first tab has switched to the second token and has ended the session of the first token.
  await expect.poll(statuses).toEqual([401, 200]);
  await page.bringToFront();
  await signOut();
  await other.waitForURL('**/signin');
  await other.getByRole('heading', { name: 'Welcome back' }).waitFor();
  expect(await other.getByText('Authentication required').count()).toBe(0);
  expect(await token()).toBeNull();
  await expect.poll(statuses, { message: 'of no use to whoever kept a token' }).toEqual([401, 401]);
  await other.close();
});

test('a watering survives an expired session and is sent once the same account signs in again', async () => {
  await signIn(phone.page);
  const before = new Date();
  await phone.context.route('**/api/**', (route) => route.abort());
  await waterNow(phone.page, 'Monty').click();
  await plantCard(phone.page, 'Monty').getByText('Waiting to be sent').waitFor();
  await server.query('DELETE FROM sessions');
  await phone.context.unrouteAll();
  await phone.page.waitForURL('**/signin**');
  await phone.page.getByText('Authentication required').waitFor();
  await signInByForm(phone.page);
  await expect.poll(() => wateringsSince(server, 'Monty', before)).toHaveLength(1);
});

test('without "Remember me" the session ends when the browser is closed', async () => {
  const { page } = phone;
  await page.goto('/dashboard');
  await fillSignIn(page);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('article').first().waitFor();
  await phone.restart();
  await phone.page.goto('/dashboard');
  await phone.page.waitForURL('**/signin**');
});

test('signing out with unsent changes asks first; cancelling keeps them, discarding deletes the databases', async () => {
  const { page, context } = phone;
  await signIn(page);
  await context.route('**/api/**', (route) => route.abort());
  await waterNow(page, 'Monty').click();
  await plantCard(page, 'Monty').getByText('Waiting to be sent').waitFor();
  const question = page.getByRole('dialog').getByText('1 change has not reached the server');
  // The test waits in real time: the app tries for three seconds to send the outbox. Setting the clock forward to skip
  // them would also end the wait for the database.
  const openConfirmation = async () => {
    await signOut();
    await question.waitFor();
  };
  await openConfirmation();
  expect(await barriersInBothThemes(page)).toEqual([]);
  expect(await page.evaluate(smallTargets)).toEqual([]);
  await page.getByRole('button', { name: 'Stay signed in' }).click();
  await plantCard(page, 'Monty').getByText('Waiting to be sent').waitFor();
  await openConfirmation();
  await page.getByRole('button', { name: 'Discard and sign out' }).click();
  await page.waitForURL('**/signin**');
  await expect.poll(databases).toBe(0);
});
