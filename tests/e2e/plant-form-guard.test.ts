import type { Page } from 'playwright';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { barriersInBothThemes } from './support/accessibility.ts';
import type { Phone } from './support/browser.ts';
import { isFocused } from './support/focus.ts';
import { plantCard } from './support/garden.ts';
import { choose, fillNames, form, openAddForm, untilClosed } from './support/plant-form.ts';
import { setUp } from './support/set-up.ts';
import { smallTargets } from './support/small-targets.ts';

let phone: Phone;
let page: Page;
beforeAll(async () => {
  const made = await setUp('/dashboard/plants');
  ({ phone } = made);
  page = phone.page;
  return made.close;
});
beforeEach(() => page.goto('/dashboard/plants').then(() => undefined));

const question = () => page.getByRole('dialog', { name: 'Discard changes?' });
const keep = () => question().getByRole('button', { name: 'Keep editing' }).click();
const discard = () => question().getByRole('button', { name: 'Discard' }).click();

test('an unchanged form closes with Escape, the close button and Back, without a confirmation', async () => {
  const ways = [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('button', { name: 'Close' }).click(),
    () => page.goBack(),
  ];
  for (const way of ways) {
    await openAddForm(page);
    await way();
    await untilClosed(page);
    expect(new URL(page.url()).pathname).toBe('/dashboard/plants');
  }
});

test('with input, Escape, the close button and Back ask first and keep the draft', async () => {
  await openAddForm(page);
  await fillNames(page, 'Typed');
  const ways = [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('button', { name: 'Close' }).click(),
    () => page.goBack(),
  ];
  for (const way of ways) {
    await way();
    await keep();
    await question().waitFor({ state: 'detached' });
    expect(await page.getByLabel('Nickname').inputValue()).toBe('Typed');
    await expect.poll(() => new URL(page.url()).search).toBe('?form=new');
  }
  await page.goBack();
  await discard();
  await untilClosed(page);
  await expect.poll(() => plantCard(page, 'Typed').count()).toBe(0);
  expect(page.url()).toMatch(/\/dashboard\/plants$/);
});

test('a form is at most 48rem wide, and with input a tap outside asks first too', async () => {
  await page.setViewportSize({ width: 1000, height: 800 });
  await openAddForm(page);
  expect((await form(page).boundingBox())?.width).toBe(768);
  await fillNames(page, 'Typed');
  await page.mouse.click(5, 400);
  await discard();
  await untilClosed(page);
  await page.setViewportSize({ width: 390, height: 844 });
});

test('Cancel closes at once, with or without a draft', async () => {
  for (const isTyped of [false, true]) {
    await openAddForm(page);
    if (isTyped) await fillNames(page, 'Typed');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await untilClosed(page);
  }
});

test('the browser asks before leaving the page with input, and not once the input is gone', async () => {
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

test('the URL alone opens the form, and closing it keeps the screen', async () => {
  for (const path of ['/dashboard', '/dashboard/plants', '/dashboard/schedule']) {
    await page.goto(`${path}?form=new`);
    await form(page).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await untilClosed(page);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
  }
});

test('the form URL of a plant that does not exist says so and links back', async () => {
  for (const search of ['form=nobody', 'delete=nobody']) {
    await page.goto(`/dashboard/plants?${search}`);
    const missing = page.getByRole('dialog', { name: 'Plant', exact: true });
    await missing.getByRole('heading', { name: 'This plant is not in your collection' }).waitFor();
    await missing.getByText('It may have been deleted, perhaps on another device.').waitFor();
    if (search === 'form=nobody') expect(await barriersInBothThemes(page)).toEqual([]);
    await missing.getByRole('button', { name: 'Close' }).last().click();
    await untilClosed(page);
    expect(page.url()).toMatch(/\/dashboard\/plants$/);
  }
});

test('the dashboard offers to add a plant but has no menus on its cards', async () => {
  await page.goto('/dashboard');
  await page.getByRole('article').first().waitFor();
  expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Add New Plant' }).click();
  await form(page).waitFor();
});

test('a plant can be added with the keyboard alone, and the focus returns to where it was', async () => {
  const add = page.getByRole('button', { name: 'Add New Plant' });
  await add.focus();
  await page.keyboard.press('Enter');
  await form(page).waitFor();
  await expect.poll(() => page.locator(':focus').getAttribute('name')).toBe('nickname');
  await page.keyboard.type('Keyed');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Boston Fern');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Fern');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Care Requirements');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Smart Features');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await untilClosed(page);
  await plantCard(page, 'Keyed').waitFor();
  await expect.poll(() => isFocused(add)).toBe(true);
});

test('the menu of a card works with the keyboard alone and returns the focus', async () => {
  const menu = plantCard(page, 'Monty').getByRole('button', { name: 'Actions for Monty' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator(':focus').textContent()).toMatch('Edit');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Delete Plant' }).waitFor();
  await page.keyboard.press('Escape');
  await untilClosed(page);
  await expect.poll(() => isFocused(menu)).toBe(true);
});

test('no step, error or question has an accessibility violation', async () => {
  const check = async () => {
    expect(await barriersInBothThemes(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
  };
  await plantCard(page, 'Monty').getByRole('button', { name: 'Actions for Monty' }).click();
  await check();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete Plant' }).waitFor();
  await check();
  await page.keyboard.press('Escape');
  await untilClosed(page);
  await choose(page, 'Monty', 'Edit');
  await page.getByLabel('Nickname').fill('');
  await page.keyboard.press('Enter');
  await check();
  await page.getByLabel('Nickname').fill('x'.repeat(201));
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: /^Soil/ }).getByLabel('Minimum').fill('100');
  await page.keyboard.press('Enter');
  await check();
  await page.getByRole('group', { name: /^Soil/ }).getByLabel('Minimum').fill('10');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByRole('alert').waitFor();
  await check();
  await page.keyboard.press('Escape');
  await question().waitFor();
  await check();
  await discard();
  await untilClosed(page);
  expect(phone.problems).toEqual([]);
});
