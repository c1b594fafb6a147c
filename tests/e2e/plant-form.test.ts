import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { type AppServer, openAppServer } from './support/app-server.ts';
import { openPhone, type Phone } from './support/browser.ts';
import { plantCard, signIn } from './support/garden.ts';
import {
  choose,
  fillNames,
  form,
  goToLastStep,
  openAddForm,
  untilClosed,
} from './support/plant-form.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  server = await openAppServer();
  await server.start();
  phone = await openPhone(server.url);
  await signIn(phone.page, '/dashboard/plants');
});
afterAll(async () => {
  await phone.close();
  await server.close();
});
beforeEach(async () => {
  await phone.page.goto('/dashboard/plants');
});

interface Row {
  nickname: string;
  location: string | null;
  watering_frequency: number;
  soil_humidity_threshold_min: number | null;
}

async function plantsNamed(nickname: string): Promise<Row[]> {
  return server.query<Row>('SELECT * FROM plants WHERE nickname = $1', [nickname]);
}

async function plantCount(): Promise<number> {
  return (await server.query('SELECT id FROM plants')).length;
}

test('online, a new plant is on the server when the form closes, and its card is there', async () => {
  const { page } = phone;
  await openAddForm(page);
  await fillNames(page, 'Newcomer');
  await goToLastStep(page);
  await page.getByRole('button', { name: 'Add Plant' }).click();
  await untilClosed(page);
  await plantCard(page, 'Newcomer').waitFor();
  expect(await plantCard(page, 'Newcomer').textContent()).not.toMatch(/waiting/i);
  expect(await plantsNamed('Newcomer')).toMatchObject([{ location: null, watering_frequency: 3 }]);
  await page
    .getByRole('status')
    .filter({ hasText: /^Newcomer added$/ })
    .waitFor();
  expect(phone.problems).toEqual([]);
});

test('an edit starts from the plant and changes only what was typed', async () => {
  const { page } = phone;
  const [before] = await plantsNamed('Monty');
  await choose(page, 'Monty', 'Edit');
  await form(page).waitFor();
  expect(await page.getByLabel('Nickname').inputValue()).toBe('Monty');
  await page.getByLabel(/^Location/).fill('Attic');
  await goToLastStep(page);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await untilClosed(page);
  const [after, ...others] = await plantsNamed('Monty');
  expect(others).toEqual([]);
  expect(after).toMatchObject({
    location: 'Attic',
    watering_frequency: before?.watering_frequency,
    soil_humidity_threshold_min: before?.soil_humidity_threshold_min,
  });
  await expect.poll(() => new URL(page.url()).search).toBe('');
});

test('a step is left only when all of it is right, and a wrong field is shown and forgiven', async () => {
  const { page } = phone;
  await openAddForm(page);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Nickname is required').waitFor();
  await page.getByText('Plant name is required').waitFor();
  await page.getByText('Species is required').waitFor();
  expect(await page.locator(':focus').getAttribute('name')).toBe('nickname');
  await fillNames(page, 'Newcomer');
  expect(await form(page).getByText('is required').count()).toBe(0);
  await page.keyboard.press('Enter');
  const soil = page.getByRole('group', { name: /^Soil humidity/ });
  await soil.getByLabel('Minimum').fill('70');
  await page.getByLabel(/^Watering frequency/).fill('');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Must be a positive number').waitFor();
  await soil.getByText('Minimum must be less than maximum').waitFor();
  await soil.getByLabel('Maximum').fill('80');
  expect(await soil.getByText('Minimum must be less than maximum').count()).toBe(0);
  await page.getByLabel(/^Watering frequency/).fill('2');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel(/^Device ID/).waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  expect(await soil.getByLabel('Minimum').inputValue()).toBe('70');
});

test('what the server refuses stays in the form with its reason and is saved once it is put right', async () => {
  const { page } = phone;
  const before = await plantCount();
  await openAddForm(page);
  await fillNames(page, 'x'.repeat(201));
  await goToLastStep(page);
  await page.getByRole('button', { name: 'Add Plant' }).click();
  await page
    .getByRole('alert')
    .getByText(/^nickname: /)
    .waitFor();
  // Taken back: no card beneath the form shows it.
  await expect.poll(() => page.locator('article h3', { hasText: 'xxx' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Nickname').fill('Quickly');
  await goToLastStep(page);
  await page.getByRole('button', { name: 'Add Plant' }).click();
  await untilClosed(page);
  await plantCard(page, 'Quickly').waitFor();
  expect(await plantCount()).toBe(before + 1);
});

test('an edit that the server refuses says why and leaves the plant as it was', async () => {
  const { page } = phone;
  await choose(page, 'Monty', 'Edit');
  await page.getByLabel('Nickname').fill('x'.repeat(201));
  await goToLastStep(page);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page
    .getByRole('alert')
    .getByText(/^nickname: /)
    .waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await untilClosed(page);
  await plantCard(page, 'Monty').waitFor();
  expect(await plantCard(page, 'Monty').textContent()).not.toMatch(/waiting|could not/i);
});

test('a deleted plant is gone here and on the server; a cancelled one stays', async () => {
  const { page } = phone;
  const question = page.getByRole('dialog', { name: 'Delete Plant' });
  await choose(page, 'Zed', 'Delete');
  await question
    .getByText('Are you sure you want to delete Zed? This action cannot be undone.')
    .waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await untilClosed(page);
  expect(await plantsNamed('Zed')).toHaveLength(1);
  await choose(page, 'Zed', 'Delete');
  await question.getByRole('button', { name: 'Delete Plant' }).click();
  await untilClosed(page);
  expect(await plantCard(page, 'Zed').count()).toBe(0);
  expect(await plantsNamed('Zed')).toEqual([]);
  expect(phone.problems).toEqual([]);
});

test('while the server thinks, saving and deleting say so and cannot be tapped again', async () => {
  const { page } = phone;
  const held = await holdAnswers(/api\/plants$/, 'POST');
  await openAddForm(page);
  await fillNames(page, 'Slowly');
  await goToLastStep(page);
  await page.getByRole('button', { name: 'Add Plant' }).click();
  expect(await page.getByRole('button', { name: 'Adding...' }).isDisabled()).toBe(true);
  // It is on its way: there is nothing left to discard, and nothing to close by mistake.
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog').count()).toBe(1);
  held.release();
  await untilClosed(page);
  const deleting = await holdAnswers(/api\/plants\//, 'DELETE');
  await choose(page, 'Slowly', 'Delete');
  await page.getByRole('button', { name: 'Delete Plant' }).click();
  expect(await page.getByRole('button', { name: 'Processing...' }).isDisabled()).toBe(true);
  await plantCard(page, 'Slowly').waitFor({ state: 'detached' });
  deleting.release();
  await untilClosed(page);
  expect(await plantsNamed('Slowly')).toEqual([]);
});

async function holdAnswers(path: RegExp, method: string): Promise<{ release: () => void }> {
  const { promise, resolve } = deferred();
  await phone.context.route(path, async (route) => {
    if (route.request().method() === method) await promise;
    await route.continue();
  });
  return { release: resolve };
}
