import type { Locator, Page } from 'playwright';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { appUrl, type Phone } from '../support/phone/browser.ts';
import { plantCard, signIn } from '../support/screens/garden.ts';
import { addQuietPlant, openPlant, openTab } from '../support/screens/plant-dialog.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { setUp } from '../support/set-up.ts';

const nickname = 'Hattie';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  await addQuietPlant(server, nickname);
  return made.close;
});

const address = (page: Page) => page.url().replace(appUrl, '');

/** Opens another screen without loading the page again. */
async function openScreen(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Clicks a button of the confirmation and waits until it is closed. */
async function answer(question: Locator, button: string): Promise<void> {
  await question.getByRole('button', { name: button }).click();
  await question.waitFor({ state: 'detached' });
}

/** The app in a new tab, whose first history entry of the app is this screen. */
async function openFirstScreen(url: string) {
  const page = await phone.context.newPage();
  onTestFinished(() => page.close());
  await page.goto(url);
  const question = page.getByRole('dialog', { name: 'Water All' });
  return {
    page,
    question,
    ask: async () => {
      await page.getByRole('button', { name: /^Water all/ }).click();
      await question.waitFor();
    },
    /** The number of history entries of the app before the current one. */
    index: () => page.evaluate(() => Reflect.get(history.state, '__TSR_index')),
  };
}

test('Back asks before a typed note is lost; cancelling keeps note and URL, discarding closes only the dialog', async () => {
  const { page } = phone;
  const question = page.getByRole('dialog', { name: 'Discard changes?' });
  await page.goto('/dashboard');
  await openScreen(page, 'My Plants');
  await openPlant(page, nickname);
  await openTab(page, 'History');
  await page.getByRole('button', { name: 'Add entry' }).click();
  await page.getByRole('menuitem', { name: 'Note…' }).click();
  const note = page.getByLabel('Note', { exact: true });
  await note.fill('A new leaf');
  const opened = address(page);
  expect(opened).toMatch(/^\/dashboard\/plants\?plant=.*&tab=history$/);

  await page.goBack();
  await answer(question, 'Keep editing');
  await expect.poll(() => address(page)).toBe(opened);
  expect(await note.inputValue()).toBe('A new leaf');

  // A second Back while the question is open.
  await page.goBack();
  await question.waitFor();
  await page.goBack();
  await answer(question, 'Keep editing');
  await expect.poll(() => address(page)).toBe(opened);
  expect(await note.inputValue()).toBe('A new leaf');

  await page.goBack();
  await answer(question, 'Discard');
  await note.waitFor({ state: 'detached' });
  await expect.poll(() => address(page)).toBe('/dashboard/plants');
  await plantCard(page, nickname).waitFor();
  await page.goBack();
  await expect.poll(() => address(page)).toBe('/dashboard');
  expect(phone.problems).toEqual([]);
});

/** Adds a device, whose secret is then shown. */
async function addDevice(page: Page, id: string): Promise<Locator> {
  await page.getByLabel('Device ID').fill(id);
  await page.getByRole('button', { name: 'Add device' }).click();
  const secret = page.locator('code', { hasText: /^sprig_/ });
  await secret.waitFor();
  return secret;
}

test.each([
  ['the sheet', 'Devices', '/dashboard?devices=1'],
  ['Settings', 'Settings', '/dashboard/settings'],
])('in %s Back asks before the secret of a device is lost', async (_, item, opened) => {
  const { page } = phone;
  const question = page.getByRole('dialog', { name: 'Leave without copying?' });
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'User menu' }).click();
  await page
    .getByRole('button', { name: item })
    .or(page.getByRole('link', { name: item }))
    .click();
  const secret = await addDevice(page, `pot-of-${item}`);
  const shown = await secret.textContent();
  expect(address(page)).toBe(opened);

  await page.goBack();
  await answer(question, 'Back to the secret');
  await expect.poll(() => address(page)).toBe(opened);
  expect(await secret.textContent()).toBe(shown);

  await page.goBack();
  await answer(question, 'Leave');
  await secret.waitFor({ state: 'detached' });
  await expect.poll(() => address(page)).toBe('/dashboard');
  await plantCard(page, nickname).waitFor();

  await page.goForward();
  await page.getByLabel('Device ID').waitFor();
  expect(await secret.count()).toBe(0);
  expect(phone.problems).toEqual([]);
});

test('Back closes a question that has no URL, and then leaves the screen', async () => {
  const { page } = phone;
  const question = page.getByRole('dialog', { name: 'Water All' });
  await page.goto('/dashboard');
  await openScreen(page, 'My Plants');
  for (const _ of ['once', 'twice']) {
    await page.getByRole('button', { name: /^Water all/ }).click();
    await question.waitFor();
    await page.goBack();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => address(page)).toBe('/dashboard/plants');
  }
  await page.goBack();
  await expect.poll(() => address(page)).toBe('/dashboard');
  expect(phone.problems).toEqual([]);
});

test('Back closes a question also on the first screen after the start, and leaves no extra history entry', async () => {
  const { page, question, ask, index } = await openFirstScreen('/dashboard/plants');
  await ask();
  await page.goBack();
  await question.waitFor({ state: 'detached' });
  expect(address(page)).toBe('/dashboard/plants');

  await ask();
  await answer(question, 'Cancel');
  await expect.poll(index).toBe(0);
  expect(address(page)).toBe('/dashboard/plants');
  await page.goBack();
  expect(page.url()).toBe('about:blank');
  expect(phone.problems).toEqual([]);
});

test('a question on the first screen leaves no history entry after Forward or a reload', async () => {
  const { page, question, ask, index } = await openFirstScreen('/dashboard/plants');
  await ask();
  await page.goBack();
  await question.waitFor({ state: 'detached' });
  await page.goForward();
  await expect.poll(index).toBe(1);
  await ask();
  await answer(question, 'Cancel');
  await expect.poll(index).toBe(0);

  await ask();
  await page.reload();
  await ask();
  await page.goBack();
  await question.waitFor({ state: 'detached' });
  await expect.poll(index).toBe(0);
  await page.goBack();
  expect(page.url()).toBe('about:blank');
  expect(phone.problems).toEqual([]);
});

test('Back closes an open question of the settings, and asks about unsaved input only when it leaves them', async () => {
  const { page } = phone;
  const dialogs = page.getByRole('dialog');
  const question = (title: string) => page.getByRole('dialog', { name: title });
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  const name = page.getByRole('form', { name: 'Name' }).getByLabel('Name');
  await name.fill('Rosa Gardener');
  await page.getByRole('button', { name: 'Create calendar' }).click();
  await page.getByRole('button', { name: 'New address' }).click();
  await question('Make a new address?').waitFor();

  await page.goBack();
  await dialogs.waitFor({ state: 'detached' });
  await expect.poll(() => address(page)).toBe('/dashboard/settings');
  expect(await name.inputValue()).toBe('Rosa Gardener');

  await page.goBack();
  await answer(question('Discard changes?'), 'Discard');
  await answer(question('Leave without copying?'), 'Leave');
  await expect.poll(() => address(page)).toBe('/dashboard');
  expect(phone.problems).toEqual([]);
});

test('a double tap that closes a dialog does not leave the screen', async () => {
  const { page } = phone;
  await page.goto('/dashboard');
  await openScreen(page, 'My Plants');
  await openPlant(page, nickname);
  const close = page.getByRole('button', { name: 'Close dialog' });
  // Both taps are before the browser has gone back, as on a slow phone.
  await close.evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await close.waitFor({ state: 'detached' });
  await plantCard(page, nickname).waitFor();
  expect(address(page)).toBe('/dashboard/plants');
  await openPlant(page, nickname);
  await close.click();
  await close.waitFor({ state: 'detached' });
  expect(address(page)).toBe('/dashboard/plants');
  expect(phone.problems).toEqual([]);
});

test('after a sign-out that a question confirmed on the first screen, Back does not lead to that screen', async () => {
  const { page, index } = await openFirstScreen('/dashboard');
  const question = page.getByRole('dialog', { name: 'Changes not sent yet' });
  await plantCard(page, nickname).waitFor();
  onTestFinished(async () => {
    await phone.context.setOffline(false);
    await signIn(phone.page);
  });
  await phone.context.setOffline(true);
  await plantCard(page, nickname)
    .getByRole('button', { name: /^Water Now/ })
    .click();
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await question.getByRole('button', { name: 'Discard and sign out' }).click();
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await expect.poll(index).toBe(0);
  expect(address(page)).toBe('/signin');
  await page.goBack();
  expect(page.url()).toBe('about:blank');
});
