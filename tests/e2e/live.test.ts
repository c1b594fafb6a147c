import type { Locator } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import type { AppServer } from './support/app-server.ts';
import type { Phone } from './support/browser.ts';
import { plantCard, waterNow } from './support/garden.ts';
import { dialog, openPlant } from './support/plant-dialog.ts';
import { setUp } from './support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  return made.close;
});

const readingsOf = (nickname: string) =>
  plantCard(phone.page, nickname).getByRole('list', { name: 'Latest readings' }).textContent();

test('a new reading shows without a reload', async () => {
  await server.query(
    `INSERT INTO sensor_logs SELECT p.user_id, p.id, now() + interval '1 minute', 33.3, 44.4, 22.2, 555
     FROM plants p WHERE p.nickname = 'Monty'`,
  );
  await phone.page.getByRole('button', { name: /Sync details/ }).click();
  await phone.page.getByRole('button', { name: 'Sync now' }).click();
  await phone.page.goBack();
  await expect.poll(() => readingsOf('Monty'), { timeout: 15_000 }).toContain('33.3 %');
});

test('a watering in one tab shows in another, and the server has it once', async () => {
  const before = new Date();
  const other = await phone.context.newPage();
  await other.goto('/dashboard');
  await plantCard(other, 'Zed').getByText('Water now!').waitFor();
  await waterNow(other, 'Zed').click();
  await plantCard(phone.page, 'Zed').getByText('In 14 days').waitFor();
  const count = () =>
    server.query('SELECT 1 FROM waterings WHERE watered_at >= $1', [before]).then((r) => r.length);
  await expect.poll(count).toBe(1);
  await other.close();
  expect(await count()).toBe(1);
  expect(phone.problems).toEqual([]);
});

test('while the call runs, every button of the plant shows "Watering..." and is disabled', async () => {
  const { page, context } = phone;
  await context.clock.install();
  await page.goto('/dashboard');
  await plantCard(page, 'Monty').waitFor();
  const answered = deferred();
  await context.route('**/api/plants/*/water**', async (route) => {
    await answered.promise;
    await route.continue();
  });
  await waterNow(page, 'Monty').click();
  await expectBusy(waterNow(page, 'Monty'));
  await openPlant(page, 'Monty');
  await expectBusy(dialog(page).getByRole('button', { name: 'Watering...' }));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  await page.getByRole('link', { name: 'Watering Schedule' }).click();
  const item = page.getByRole('article').filter({ hasText: 'Monty' });
  await expectBusy(item.getByRole('button'));
  expect(await page.getByRole('button', { name: 'Watering...' }).count()).toBe(1);
  answered.resolve();
  await item.getByRole('button', { name: 'Water Now: Monty' }).waitFor();
  await item.getByText('Waiting to be sent').waitFor({ state: 'detached' });
});

test('an unanswered request keeps the buttons busy for ten seconds, then the watering shows as waiting', async () => {
  const { page, context } = phone;
  const answered = deferred();
  await context.route('**/api/plants/*/water**', async (route) => {
    await answered.promise;
    await route.continue();
  });
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

test('a failed watering is only logged and announced as waiting until all is saved, and the focus stays on its button', async () => {
  const { page, context } = phone;
  await page.goto('/dashboard');
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

test('a new reading shows by itself within half a minute', async () => {
  const { page, context } = phone;
  // A page that can have no worker syncs by itself, on the clock that the test moves.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'Worker'));
  const pulled = page.waitForResponse((answer) => answer.url().endsWith('/with-latest-readings'));
  await page.goto('/dashboard');
  await pulled;
  await plantCard(page, 'Monty').waitFor();
  await server.query(
    `INSERT INTO sensor_logs SELECT p.user_id, p.id, now() + interval '4 minutes', 31.7, 44.4, 22.2, 555
     FROM plants p WHERE p.nickname = 'Monty'`,
  );
  // The half minute counts from the end of the last round, which may still be under way.
  await expect
    .poll(async () => {
      await context.clock.fastForward('00:30');
      return readingsOf('Monty');
    })
    .toContain('31.7 %');
  expect(phone.problems).toEqual([]);
});

async function expectBusy(button: Locator): Promise<void> {
  await expect.poll(() => button.textContent(), { timeout: 5_000 }).toBe('Watering...');
  await expect.poll(() => button.isDisabled()).toBe(true);
}
