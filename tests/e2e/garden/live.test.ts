import type { Locator } from 'playwright';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import type { Phone } from '../support/phone/browser.ts';
import { openAndPull } from '../support/phone/sync.ts';
import { plantCard, waterNow } from '../support/screens/garden.ts';
import { dialog, idOf, openPlant } from '../support/screens/plant-dialog.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { postAsDemo } from '../support/server/demo-api.ts';
import { wateringsSince } from '../support/server/waterings.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  // The clock runs normally until a test advances it.
  await phone.context.clock.install();
  return made.close;
});
beforeEach(async () => {
  await phone.context.unrouteAll({ behavior: 'ignoreErrors' });
  await openAndPull(phone.page, '/dashboard');
  await plantCard(phone.page, 'Monty').waitFor();
});

const readingsOf = (nickname: string) =>
  plantCard(phone.page, nickname).getByRole('list', { name: 'Latest readings' }).textContent();

/**
 * Reports a reading with a time in the near future, so that it stays the newest even if simulated devices report
 * meanwhile.
 */
async function reportSoilOf(nickname: string, percent: number): Promise<void> {
  await postAsDemo(server, '/api/logs', {
    plant_id: await idOf(server, nickname),
    timestamp: new Date(Date.now() + 60_000).toISOString(),
    soil_humidity: percent,
  });
}

test('a new reading shows without a reload', async () => {
  await reportSoilOf('Monty', 33.3);
  await expect.poll(() => readingsOf('Monty')).toContain('33.3 %');
});

test('a watering in one tab shows in another, and the server has it once', async () => {
  const before = new Date();
  const other = await phone.context.newPage();
  await other.goto('/dashboard');
  await plantCard(other, 'Zed').getByText('Water now!').waitFor();
  await waterNow(other, 'Zed').click();
  await plantCard(phone.page, 'Zed').getByText('In 14 days').waitFor();
  const stored = () => wateringsSince(server, 'Zed', before);
  await expect.poll(stored).toHaveLength(1);
  await other.close();
  expect(await stored()).toHaveLength(1);
  expect(phone.problems).toEqual([]);
});

/** Responses to waterings arrive only once the result is resolved. */
async function holdWaterings() {
  const answered = deferred();
  await phone.context.route('**/api/plants/*/water**', async (route) => {
    await answered.promise;
    await route.continue();
  });
  return answered;
}

/**
 * Stops the page's clock, and timers of five seconds or more. So the buttons, which are busy for ten seconds at most, do
 * not become free while a slow machine runs the test.
 */
async function stopClock(): Promise<void> {
  const { clock } = phone.context;
  await clock.setFixedTime(Date.now());
  onTestFinished(() => clock.setSystemTime(Date.now()));
  await phone.page.evaluate(() => {
    const start = window.setTimeout;
    const startIfShort = (callback: () => void, ms = 0) => (ms < 5_000 ? start(callback, ms) : 0);
    Object.assign(window, { setTimeout: startIfShort });
  });
}

test('while a watering is being sent, Water Now on the card and in the dialog shows "Watering..." and is disabled', async () => {
  const { page } = phone;
  const answered = await holdWaterings();
  await stopClock();
  await waterNow(page, 'Monty').click();
  await expectBusy(waterNow(page, 'Monty'));
  await openPlant(page, 'Monty');
  await expectBusy(dialog(page).getByRole('button', { name: 'Watering...' }));
  answered.resolve();
  await dialog(page).getByRole('button', { name: 'Water Now: Monty' }).waitFor();
});

test('while a watering is being sent from its card, Water Now on the schedule shows "Watering..." and is disabled', async () => {
  const { page } = phone;
  const answered = await holdWaterings();
  await stopClock();
  await waterNow(page, 'Monty').click();
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  await page.getByRole('link', { name: 'Watering Schedule' }).click();
  // The dashboard's card is an article as well.
  await page.getByRole('heading', { name: 'Watering Schedule', level: 1 }).waitFor();
  const item = page.getByRole('article').filter({ hasText: 'Monty' });
  await expectBusy(item.getByRole('button'));
  expect(await page.getByRole('button', { name: 'Watering...' }).count()).toBe(1);
  answered.resolve();
  await item.getByRole('button', { name: 'Water Now: Monty' }).waitFor();
  await item.getByText('Waiting to be sent').waitFor({ state: 'detached' });
});

test('an unanswered request keeps the buttons busy for ten seconds, then the watering shows as waiting', async () => {
  const { page, context } = phone;
  const answered = await holdWaterings();
  await page.goto('/dashboard/schedule');
  const item = page.getByRole('article').filter({ hasText: 'Ruby' });
  await item.getByRole('button', { name: 'Water Now: Ruby' }).click();
  await expectBusy(item.getByRole('button'));
  await page.getByRole('link', { name: 'Ruby' }).click();
  await expectBusy(dialog(page).getByRole('button', { name: 'Watering...' }));
  await context.clock.fastForward('00:10');
  await dialog(page).getByRole('button', { name: 'Water Now: Ruby' }).waitFor();
  await dialog(page).getByText('Waiting to be sent').waitFor();
  answered.resolve();
  await dialog(page).getByText('Waiting to be sent').waitFor({ state: 'detached' });
  expect(phone.problems).toEqual([]);
});

const saidAloud = (sentence: string) => phone.page.getByText(sentence, { exact: true });

test('a watering that fails with a 500 shows no alert; it is logged, announced as waiting and later as saved, and its button keeps the focus', async () => {
  const { page, context } = phone;
  await context.route('**/api/plants/*/water**', (route) =>
    route.fulfill({ status: 500, json: { message: 'The can is empty' } }),
  );
  const logged = page.waitForEvent('console', (message) => message.text().includes('can is empty'));
  await waterNow(page, 'Captain Gel').focus();
  await page.keyboard.press('Enter');
  await logged;
  await plantCard(page, 'Captain Gel')
    .getByRole('button', { name: 'Water Now: Captain Gel' })
    .waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await expect.poll(focused).toBe('Water Now: Captain Gel');
  expect(await page.getByRole('alert').count()).toBe(0);
  await saidAloud('Captain Gel watered, waiting to be sent').waitFor({ state: 'attached' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await saidAloud('All changes saved').waitFor({ state: 'attached' });
  expect(phone.problems).toEqual([]);
});

test('a page without workers shows a new reading without a reload', async () => {
  const { page, context } = phone;
  // Without workers sync runs in the page, where the test can advance the clock.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'Worker'));
  onTestFinished(async () => {
    // An init script cannot be removed from its page.
    phone.page = await context.newPage();
    await page.close();
    await context.clock.setSystemTime(Date.now());
  });
  const pulled = page.waitForResponse((response) =>
    response.url().endsWith('/with-latest-readings'),
  );
  await page.goto('/dashboard');
  await pulled;
  await plantCard(page, 'Figaro').waitFor();
  await reportSoilOf('Figaro', 31.7);
  // The last round may still be running, and the next one is timed from its end, so advance the clock repeatedly.
  await expect
    .poll(async () => {
      await context.clock.fastForward('00:30');
      return readingsOf('Figaro');
    })
    .toContain('31.7 %');
  expect(phone.problems).toEqual([]);
});

async function expectBusy(button: Locator): Promise<void> {
  await expect.poll(() => button.textContent()).toBe('Watering...');
  await expect.poll(() => button.isDisabled()).toBe(true);
}
