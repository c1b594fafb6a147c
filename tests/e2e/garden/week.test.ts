import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webManifest } from '#build/app-identity.ts';
import { projectRoot } from '../../../src/build/build-if-needed.mjs';
import { openPhone, type Phone } from '../support/phone/browser.ts';
import { indicator, notice, untilSynced } from '../support/phone/sync.ts';
import { button, password } from '../support/screens/account-form.ts';
import {
  closeSidebar,
  demo,
  fillSignIn,
  plantCard,
  signIn,
  untilInstalled,
  waterNow,
} from '../support/screens/garden.ts';
import {
  editField,
  fillNames,
  goToLastStep,
  next,
  untilClosed,
} from '../support/screens/plant-form.ts';
import { type AppServer, openAppServer } from '../support/server/app-server.ts';
import { mailedLink } from '../support/server/mailbox.ts';
import { wateringsSince } from '../support/server/waterings.ts';

let server: AppServer;
let phone: Phone;
/** A second device of the same person. */
let tablet: Phone;
let simulator: ChildProcess | undefined;
beforeAll(async () => {
  server = await openAppServer();
  await server.start();
  [phone, tablet] = await Promise.all([
    openPhone(server.url, { isComplete: true }),
    openPhone(server.url),
  ]);
});
afterAll(async () => {
  simulator?.kill();
  await Promise.all([phone.close(), tablet.close()]);
  await server.close();
});

const dayMs = 86_400_000;
const rosa = { name: 'Rosa Gardener', email: 'rosa@garden.org', password: 'Rose-garden-1' };
const newPassword = 'Tulip-garden-2';
const nicknames = ['Monstera Lisa', 'Fernando', 'Aloysia', 'Basilika', 'Ivanka'];
const [sensed = '', edited = '', ...others] = nicknames;

const folder = path.join(projectRoot, 'tests/e2e/artifacts/week');
let pictures = 0;

/** Takes a screenshot of a step if SCREENSHOTS is set. */
async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  pictures += 1;
  fs.mkdirSync(folder, { recursive: true });
  const file = `${String(pictures).padStart(2, '0')}-${name}.png`;
  await page.screenshot({ path: path.join(folder, file), animations: 'disabled' });
}

async function signUp(page: Page): Promise<void> {
  await page.goto('/');
  await picture(page, 'landing');
  await page.getByRole('link', { name: 'Get Started' }).first().click();
  await page.getByLabel('Full name').fill(rosa.name);
  await page.getByLabel('Email address').fill(rosa.email);
  await password(page).fill(rosa.password);
  await password(page, 'Confirm password').fill(rosa.password);
  await page.getByRole('checkbox').check();
  await picture(page, 'sign-up');
  await button(page, 'Create Account').click();
  await page.getByText('Please check your email to verify your account.').waitFor();
  await picture(page, 'created');
  await page.goto(await mailedLink(server, rosa.email, '/auth/verify-email'));
  await page.getByText('Your email is verified. You can sign in now.').waitFor();
  await picture(page, 'verified');
}

async function enter(page: Page, account = rosa): Promise<void> {
  await fillSignIn(page, account);
  await page.getByLabel('Remember me').check();
  await button(page, 'Sign In').click();
  await page.waitForURL('**/dashboard');
}

/** Adds a plant with the given button. The plant with a sensor gets automatic watering. */
async function addPlant(page: Page, nickname: string, add: Locator): Promise<void> {
  await add.click();
  await fillNames(page, nickname);
  if (nickname === sensed) {
    await next(page).click();
    const soil = page.getByRole('group', { name: 'Soil humidity (%)' });
    await soil.getByLabel('Minimum').fill('60');
    await soil.getByLabel('Maximum').fill('90');
    await next(page).click();
    await page.getByLabel(/^Device ID/).fill('pot-of-lisa');
    await page.getByLabel(/^Enable automatic watering/).check();
    await picture(page, 'wizard');
  } else await goToLastStep(page);
  await button(page, 'Add Plant').click();
  await untilClosed(page);
  await plantCard(page, nickname).waitFor();
}

/** Adds two dry readings. Automatic watering needs three, at least two minutes apart; the device sends the third. */
async function addDryReadings(nickname: string): Promise<void> {
  for (const minutesAgo of [6, 3]) {
    await server.query(
      `INSERT INTO sensor_logs (user_id, plant_id, ts, soil_humidity)
       SELECT user_id, id, $2, 50 FROM plants WHERE nickname = $1`,
      [nickname, new Date(Date.now() - minutesAgo * 60_000)],
    );
  }
}

/** Starts a simulated device for which each second is a day, so that its soil dries during the test. */
function startSensor(): ChildProcess {
  const options = ['--plants', '1', '--speed', '86400', '--url', server.url];
  const account = ['--email', rosa.email, '--password', rosa.password];
  return spawn(process.execPath, ['dist/simulator/main.js', ...options, ...account], {
    cwd: projectRoot,
    stdio: 'ignore',
  });
}

/** The source of each watering of the plant: 'manual' or 'auto'. */
async function sourcesOf(nickname: string): Promise<string[]> {
  const rows = await server.query<{ source: string }>(
    'SELECT w.source FROM waterings w JOIN plants p ON p.id = w.plant_id WHERE p.nickname = $1',
    [nickname],
  );
  return rows.map(({ source }) => source);
}

/** When the plant was watered (ms). */
async function wateredAt(nickname: string): Promise<number> {
  const [watering] = await wateringsSince(server, nickname, new Date(0));
  if (!watering) throw new Error(`${nickname} was never watered`);
  return watering.watered_at.getTime();
}

const readings = (page: Page) =>
  plantCard(page, sensed).getByRole('list', { name: 'Latest readings' });

/** Opens the installed app like the icon on the home screen, from the caches. */
async function openInstalled(page: Page): Promise<void> {
  await untilInstalled(page);
  const start = await page.goto(webManifest.start_url ?? '');
  expect(start?.fromServiceWorker()).toBe(true);
}

async function goOffline(): Promise<void> {
  await phone.context.route(/\/(api|auth)\//, (route) => route.abort());
  await phone.context.setOffline(true);
}

async function goOnline(): Promise<void> {
  await phone.context.unrouteAll({ behavior: 'ignoreErrors' });
  await phone.context.setOffline(false);
}

const invitation = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Install Sprig: it opens like any app' });
const topOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().top);
const bottomOf = (part: Locator) =>
  part.evaluate((element) => element.getBoundingClientRect().bottom);

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
}

/** Which of Rosa's name, email address and plant names are on the page, in web storage or in the name of a database. */
async function traces(page: Page): Promise<string[]> {
  const kept = await page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name ?? '');
    return [...names, JSON.stringify(window.localStorage), JSON.stringify(window.sessionStorage)];
  });
  const seen = [(await page.locator('body').textContent()) ?? '', ...kept].join('\n');
  return [...nicknames, rosa.name, rosa.email].filter((words) => seen.includes(words));
}

test('a person signs up, adds plants, gets automatic watering, makes changes offline, sees a conflict and resets the password; another account then sees none of her data', async () => {
  const { page } = phone;
  await signUp(page);
  await enter(page);
  await page.getByText('No Plants Yet').waitFor();
  await closeSidebar(page);
  await picture(page, 'empty-garden');
  await addPlant(page, sensed, button(page, 'Add Your First Plant'));
  await addDryReadings(sensed);
  simulator = startSensor();
  for (const nickname of [edited, ...others]) {
    await addPlant(page, nickname, button(page, 'Add New Plant'));
  }
  await expect.poll(() => sourcesOf(sensed), { timeout: 20_000 }).toEqual(['auto']);
  simulator.kill();
  await untilSynced(page);
  await picture(page, 'five-plants');

  await signIn(tablet.page, '/dashboard', rosa);
  await openInstalled(page);
  await readings(page).waitFor();
  await goOffline();
  await page.reload();
  for (const nickname of others) {
    await waterNow(page, nickname).click();
    await plantCard(page, nickname).getByText('Waiting to be sent').waitFor();
  }
  await picture(page, 'offline');
  await page.goto('/dashboard/plants');
  await editField(page, edited, /^Location/, 'Attic');
  await tablet.page.goto('/dashboard/plants');
  await editField(tablet.page, edited, /^Location/, 'Cellar');
  await untilSynced(tablet.page);
  await indicator(page).click();
  await page.getByRole('dialog', { name: 'Changes' }).waitFor();
  await picture(page, 'waiting-changes');
  await page.goBack();

  await goOnline();
  await notice(page).getByText(`${edited}: location changed elsewhere too`).waitFor();
  await invitation(page).waitFor();
  expect(await bottomOf(notice(page))).toBeLessThanOrEqual(await topOf(invitation(page)));
  await picture(page, 'changed-on-both');
  await button(page, 'Not now').click();
  await notice(page).getByRole('button', { name: 'Dismiss' }).click();
  await untilSynced(page);
  for (const nickname of others) expect(await sourcesOf(nickname)).toEqual(['manual']);

  // A day after the watering, not after now: midnight may have passed since.
  await page.clock.install({ time: (await wateredAt(others[0] ?? '')) + dayMs });
  await page.goto('/dashboard');
  await plantCard(page, others[0] ?? '')
    .getByText('In 2 days')
    .waitFor();
  await picture(page, 'next-day');
  await page.goto('/dashboard/articles');
  await page.getByRole('link', { name: 'The Science of Watering Plants Correctly' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await picture(page, 'article');

  await signOut(page);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  // The previous form has an email field too.
  await button(page, 'Send Reset Link').waitFor();
  await page.getByLabel('Email address').fill(rosa.email);
  await button(page, 'Send Reset Link').click();
  await page.getByText('Password reset email sent').waitFor();
  await picture(page, 'reset-asked');
  await page.goto(await mailedLink(server, rosa.email, '/reset-password'));
  await password(page, 'New password').fill(newPassword);
  await password(page, 'Confirm new password').fill(newPassword);
  await picture(page, 'new-password');
  // An open page could notice the end of its session before it is loaded again.
  await tablet.page.goto('about:blank');
  await button(page, 'Update Password').click();
  await page.getByText('Password Updated Successfully').waitFor();
  await picture(page, 'password-updated');
  // The reset has ended the session on her other device.
  await tablet.page.goto('/dashboard/plants');
  await tablet.page.getByText('Session expired. Please login again.').waitFor();
  await picture(tablet.page, 'signed-out-elsewhere');
  await page.goto('/signin');
  await enter(page, { ...rosa, password: newPassword });
  await expect.poll(() => page.getByRole('article').count()).toBe(nicknames.length);
  await picture(page, 'back-again');

  await signOut(page);
  await picture(page, 'signed-out');
  await enter(page, { ...rosa, ...demo });
  await expect.poll(() => page.getByRole('article').count()).toBe(12);
  await picture(page, 'another-person');
  expect(await traces(page)).toEqual([]);
  expect([...phone.problems, ...tablet.problems]).toEqual([]);
});
