import { beforeAll, expect, test } from 'vitest';
import { barriersInBothThemes } from './support/accessibility.ts';
import type { Phone } from './support/browser.ts';
import { isFocused } from './support/focus.ts';
import { plantCard, signIn, waterNow } from './support/garden.ts';
import { setUp } from './support/set-up.ts';
import { smallTargets } from './support/small-targets.ts';

let phone: Phone;
beforeAll(async () => {
  const made = await setUp();
  ({ phone } = made);
  return made.close;
});

const inBothThemes = () => barriersInBothThemes(phone.page);

test('no screen from sign-in to a watering has an accessibility violation', async () => {
  const { page } = phone;
  await page.goto('/signin');
  await page.getByRole('button', { name: 'Sign In' }).click();
  expect(await inBothThemes()).toEqual([]);
  await signIn(page);
  expect(await inBothThemes()).toEqual([]);
  await page.getByRole('button', { name: 'User menu' }).click();
  expect(await inBothThemes()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  expect(await inBothThemes()).toEqual([]);
  await page.goto('/dashboard/schedule');
  await page.getByRole('article').first().waitFor();
  expect(await inBothThemes()).toEqual([]);
});

test('a plant can be watered with the keyboard alone, and the watering is announced', async () => {
  const { page } = phone;
  await page.goto('/dashboard');
  await plantCard(page, 'Monty').waitFor();
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    if (await isFocused(waterNow(page, 'Monty'))) break;
  }
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'Monty watered' }).waitFor();
});

test('closing the overlay sidebar moves the focus to the new screen or back to its button', async () => {
  const { page } = phone;
  await signIn(page);
  const toggle = page.getByRole('button', { name: 'Toggle sidebar' });
  const link = page.getByRole('navigation', { name: 'Main' }).getByText('Watering Schedule');
  await toggle.press('Enter');
  await link.waitFor();
  await link.focus();
  await page.keyboard.press('Escape');
  await link.waitFor({ state: 'hidden' });
  await expect.poll(() => isFocused(toggle)).toBe(true);
  await toggle.press('Enter');
  await link.waitFor();
  await link.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Watering Schedule' }).waitFor();
  await expect.poll(() => isFocused(page.getByRole('main'))).toBe(true);
});

test('every touch target is at least 44 pixels high and wide', async () => {
  const { page } = phone;
  await page.goto('/dashboard');
  await plantCard(page, 'Monty').waitFor();
  expect(await smallTargets(page)).toEqual([]);
});
