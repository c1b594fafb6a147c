import { beforeAll, beforeEach, expect, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import type { AppServer } from './support/app-server.ts';
import type { Phone } from './support/browser.ts';
import { isFocused } from './support/focus.ts';
import { plantCard } from './support/garden.ts';
import {
  choose,
  fillNames,
  form,
  goToLastStep,
  next,
  openAddForm,
  untilClosed,
} from './support/plant-form.ts';
import { plantsNamed } from './support/plants-named.ts';
import { setUp } from './support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard/plants');
  ({ server, phone } = made);
  return made.close;
});
beforeEach(async () => {
  await phone.page.goto('/dashboard/plants');
});

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

test('an edit starts from the plant and changes only the edited fields', async () => {
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
  const [after, ...others] = await plantsNamed(server, 'Monty');
  expect(others).toEqual([]);
  expect(after).toMatchObject({
    location: 'Attic',
    device_id: 'sensor-7',
    auto_watering_enabled: true,
    watering_frequency: before?.watering_frequency,
    soil_humidity_threshold_min: before?.soil_humidity_threshold_min,
  });
  await expect.poll(() => new URL(page.url()).search).toBe('');
});

test('a step continues only when all its fields are valid, and correcting a field clears its error', async () => {
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
  const frequency = page.getByLabel(/^Watering frequency/);
  expect(await isFocused(frequency)).toBe(true);
  await frequency.fill('3');
  await page.getByRole('button', { name: 'Next' }).click();
  expect(await isFocused(soil.getByLabel('Minimum'))).toBe(true);
  await soil.getByLabel('Maximum').fill('80');
  expect(await soil.getByText('Minimum must be less than maximum').count()).toBe(0);
  for (const wrong of ['-0', '-1e3', '--', 'e', '1e400']) {
    await frequency.clear();
    await frequency.pressSequentially(wrong);
    expect(await form(page).getByText('Must be a positive number').count()).toBe(0);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Must be a positive number').waitFor();
  }
  await frequency.clear();
  await frequency.focus();
  await page.keyboard.insertText('  2\n');
  expect(await frequency.inputValue()).toBe('2');
  // In an English browser a comma groups digits, as in the app's own '10,000 lux', and is left out.
  const light = page.getByRole('group', { name: /^Light/ });
  await light.getByLabel('Minimum').clear();
  await light.getByLabel('Minimum').pressSequentially(',5');
  await light.getByLabel('Maximum').clear();
  await light.getByLabel('Maximum').pressSequentially('12,000');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel(/^Device ID/).waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  expect(await soil.getByLabel('Minimum').inputValue()).toBe('70');
  expect(await light.getByLabel('Minimum').inputValue()).toBe('5');
  expect(await light.getByLabel('Maximum').inputValue()).toBe('12000');
  // Beyond what the server takes, in the words of the server.
  await frequency.clear();
  await frequency.pressSequentially('1e9');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Add Plant' }).click();
  await page
    .getByRole('alert')
    .getByText(/^watering_frequency: /)
    .waitFor();
});

test('a plant that the server refuses stays in the form with the reason and is saved once corrected', async () => {
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
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Add Plant');
  // Taken back: no card beneath the form shows it.
  await expect.poll(() => page.locator('article h3', { hasText: 'xxx' }).count()).toBe(0);
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
  expect(await plantsNamed(server, name)).toHaveLength(1);
  expect(await plantCount()).toBe(before + 1);
});

test('an edit that the server refuses shows the reason until something is corrected, and leaves the plant unchanged', async () => {
  const { page } = phone;
  await choose(page, 'Monty', 'Edit');
  await page.getByLabel('Nickname').fill('x'.repeat(201));
  await goToLastStep(page);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page
    .getByRole('alert')
    .getByText(/^nickname: /)
    .waitFor();
  await page.getByLabel(/^Device ID/).fill('sensor-8');
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await untilClosed(page);
  await plantCard(page, 'Monty').waitFor();
  await expect.poll(() => plantCard(page, 'Monty').textContent()).not.toMatch(/waiting|could not/i);
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
  expect(await plantsNamed(server, 'Zed')).toEqual([]);
  expect(phone.problems).toEqual([]);
});

test('until the server answers, saving and deleting say so and cannot be tapped again', async () => {
  const { page } = phone;
  const held = await holdAnswers(/api\/plants$/, 'POST');
  await openAddForm(page);
  await fillNames(page, 'Slowly');
  await goToLastStep(page);
  // As two quick taps do.
  await form(page)
    .locator('form')
    .evaluate((wizard: HTMLFormElement) => {
      wizard.requestSubmit();
      wizard.requestSubmit();
    });
  expect(await page.getByRole('button', { name: 'Adding...' }).isDisabled()).toBe(true);
  // It is on its way: there is nothing left to discard, and nothing to close by mistake.
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog').count()).toBe(1);
  held.release();
  await untilClosed(page);
  expect(await plantsNamed(server, 'Slowly')).toHaveLength(1);
  const deleting = await holdAnswers(/api\/plants\//, 'DELETE');
  await choose(page, 'Slowly', 'Delete');
  await page.getByRole('button', { name: 'Delete Plant' }).click();
  expect(await page.getByRole('button', { name: 'Processing...' }).isDisabled()).toBe(true);
  await plantCard(page, 'Slowly').waitFor({ state: 'detached' });
  deleting.release();
  await untilClosed(page);
  expect(await plantsNamed(server, 'Slowly')).toEqual([]);
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
  const said = page.getByRole('status').filter({ hasText: /^Ruby deleted, waiting to be sent$/ });
  await said.waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await expect.poll(() => plantCard(page, 'Ruby').count()).toBe(0);
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect.poll(() => plantsNamed(server, 'Ruby')).toEqual([]);
  await said.waitFor({ state: 'detached' });
  expect(phone.problems).toEqual([]);
});

async function holdAnswers(path: RegExp, method: string): Promise<{ release: () => void }> {
  const { promise, resolve } = deferred();
  await phone.context.route(path, async (route) => {
    if (route.request().method() === method) await promise;
    await route.continue();
  });
  return { release: resolve };
}
