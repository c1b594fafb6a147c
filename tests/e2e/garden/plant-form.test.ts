import type { Page } from 'playwright';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Phone } from '../support/phone/browser.ts';
import { openAndPull } from '../support/phone/sync.ts';
import { plantCard } from '../support/screens/garden.ts';
import {
  choose,
  fillNames,
  form,
  goToLastStep,
  next,
  openAddForm,
  rejectedName,
  untilClosed,
} from '../support/screens/plant-form.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { plantsNamed } from '../support/server/plants-named.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard/plants');
  ({ server, phone } = made);
  return made.close;
});
beforeEach(() => openAndPull(phone.page, '/dashboard/plants'));

async function plantCount(): Promise<number> {
  return (await server.query('SELECT id FROM plants')).length;
}

test('online, a new plant is on the server when the form closes, and its card is shown', async () => {
  const { page } = phone;
  const buttons = async () => (await form(page).locator('footer button').allTextContents()).join();
  await openAddForm(page);
  expect(await buttons()).toBe('Cancel,Next');
  await fillNames(page, 'Newcomer');
  await next(page).click();
  await page.getByLabel(/^Watering frequency/).waitFor();
  expect(await buttons()).toBe('Back,Next');
  await next(page).click();
  await page.getByLabel(/^Device ID/).waitFor();
  expect(await buttons()).toBe('Back,Add Plant');
  await page.getByRole('button', { name: 'Add Plant' }).click();
  await untilClosed(page);
  await plantCard(page, 'Newcomer').waitFor();
  await expect.poll(() => plantCard(page, 'Newcomer').textContent()).not.toMatch(/waiting/i);
  expect(await plantsNamed(server, 'Newcomer')).toMatchObject([
    { location: null, watering_frequency: 3, device_id: null, auto_watering_enabled: false },
  ]);
  await page
    .getByRole('status')
    .filter({ hasText: /^Newcomer added$/ })
    .waitFor();
  expect(phone.problems).toEqual([]);
});

test('the edit form is filled with the plant’s values, and saving it changes only the edited fields', async () => {
  const { page } = phone;
  const [before] = await plantsNamed(server, 'Monty');
  await choose(page, 'Monty', 'Edit');
  await form(page).waitFor();
  expect(await page.getByLabel('Nickname').inputValue()).toBe('Monty');
  await page.getByLabel(/^Location/).fill('Attic');
  await goToLastStep(page);
  expect(await page.getByLabel(/^Device ID/).inputValue()).toBe('sprig-demo-01');
  await page.getByLabel(/^Device ID/).fill('  sensor-7 ');
  await page.getByLabel(/requires a compatible device/).check();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await untilClosed(page);
  const edited = {
    location: 'Attic',
    device_id: 'sensor-7',
    auto_watering_enabled: true,
    watering_frequency: before?.watering_frequency,
    soil_humidity_threshold_min: before?.soil_humidity_threshold_min,
  };
  await expect.poll(() => plantsNamed(server, 'Monty')).toMatchObject([edited]);
  await expect.poll(() => new URL(page.url()).search).toBe('');
});

test('a plant that the server rejects stays in the form with the reason and is saved once corrected', async () => {
  const { page } = phone;
  const before = await plantCount();
  await openAddForm(page);
  await fillNames(page, rejectedName);
  await goToLastStep(page);
  await page.getByRole('button', { name: 'Add Plant' }).click();
  await page
    .getByRole('alert')
    .getByText(/^nickname: /)
    .waitFor();
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Add Plant');
  // The change was withdrawn, so no card shows it.
  await expect.poll(() => page.locator('article h3', { hasText: rejectedName }).count()).toBe(0);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  const name = '🌵👩‍🌾 نبتة "الصبار" <b>&amp;';
  await page.getByLabel('Nickname').fill(`  ${name} `);
  await goToLastStep(page);
  await page.getByRole('button', { name: 'Add Plant' }).click();
  await untilClosed(page);
  await plantCard(page, name).waitFor();
  await expect.poll(() => plantsNamed(server, name)).toHaveLength(1);
  expect(await plantCount()).toBe(before + 1);
});

test('a deletion removes the plant here and on the server; a cancelled one keeps it', async () => {
  const { page } = phone;
  const question = page.getByRole('dialog', { name: 'Delete Plant' });
  await choose(page, 'Zed', 'Delete');
  await question
    .getByText('Are you sure you want to delete Zed? This action cannot be undone.')
    .waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await untilClosed(page);
  expect(await plantsNamed(server, 'Zed')).toHaveLength(1);
  await choose(page, 'Zed', 'Delete');
  await question.getByRole('button', { name: 'Delete Plant' }).click();
  await untilClosed(page);
  await expect.poll(() => plantCard(page, 'Zed').count()).toBe(0);
  await expect.poll(() => plantsNamed(server, 'Zed')).toEqual([]);
  expect(phone.problems).toEqual([]);
});

test('a deletion that fails with a server error is logged, announced as waiting, and done later', async () => {
  const { page, context } = phone;
  const [ruby] = await server.query<{ id: string }>(
    "SELECT id FROM plants WHERE nickname = 'Ruby'",
  );
  await context.route(/api\/plants\//, (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 500, json: '' })
      : route.continue(),
  );
  const failure = `Failed to delete plant with ID ${ruby?.id}`;
  const logged = page.waitForEvent('console', (message) => message.text() === failure);
  await choose(page, 'Ruby', 'Delete');
  await page.getByRole('button', { name: 'Delete Plant' }).click();
  await untilClosed(page);
  await logged;
  const announcement = page
    .getByRole('status')
    .filter({ hasText: /^Ruby deleted, waiting to be sent$/ });
  await announcement.waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await expect.poll(() => plantCard(page, 'Ruby').count()).toBe(0);
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect.poll(() => plantsNamed(server, 'Ruby')).toEqual([]);
  await announcement.waitFor({ state: 'detached' });
  expect(phone.problems).toEqual([]);
});

test('an unchanged form closes with Escape, the close button and Back, without a confirmation', async () => {
  const { page } = phone;
  for (const leave of waysOut(page)) {
    await openAddForm(page);
    await leave();
    await untilClosed(page);
    expect(new URL(page.url()).pathname).toBe('/dashboard/plants');
  }
});

test('Escape, the close button and Back ask before they close a form with input, and Keep editing keeps the input', async () => {
  const { page } = phone;
  const question = page.getByRole('dialog', { name: 'Discard changes?' });
  await openAddForm(page);
  await fillNames(page, 'Typed');
  for (const leave of waysOut(page)) {
    await leave();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Nickname').inputValue()).toBe('Typed');
    await expect.poll(() => new URL(page.url()).search).toBe('?form=new');
  }
  await page.goBack();
  await question.getByRole('button', { name: 'Discard' }).click();
  await untilClosed(page);
  await expect.poll(() => plantCard(page, 'Typed').count()).toBe(0);
  expect(page.url()).toMatch(/\/dashboard\/plants$/);
});

function waysOut(page: Page): (() => Promise<unknown>)[] {
  return [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('button', { name: 'Close' }).click(),
    () => page.goBack(),
  ];
}

test('the browser asks before leaving the page with input, and staying keeps the input', async () => {
  const { page } = phone;
  await openAddForm(page);
  await fillNames(page, 'Typed');
  const asked = page.waitForEvent('dialog');
  const leaving = page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await leaving;
  expect(await page.getByLabel('Nickname').inputValue()).toBe('Typed');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await untilClosed(page);
});
