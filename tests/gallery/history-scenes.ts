import type { Page } from 'playwright';
import { openPlant, openTab } from '../e2e/support/screens/plant-dialog.ts';
import type { Scene } from './support/scene.ts';
import type { Who } from './support/scene-browser.ts';

/** The history of a plant, its photos, and its charts over a week and a year. */
export const historyScenes: Scene[] = [
  historyScene('history', openHistory),
  historyScene('history-end', async (page) => {
    await openHistory(page);
    await entries(page).last().scrollIntoViewIfNeeded();
  }),
  historyScene('history-menu', async (page) => {
    await openHistory(page);
    await page.getByRole('button', { name: 'Add entry' }).click();
  }),
  historyScene('history-form', async (page) => {
    await openHistory(page);
    await page.getByRole('button', { name: 'Add entry' }).click();
    await page.getByRole('menuitem', { name: 'Note' }).click();
    await page
      .getByRole('textbox', { name: 'Note' })
      .fill('Two new leaves, and the old one is yellow. '.repeat(12));
  }),
  historyScene('history-edit', async (page) => {
    await openHistory(page);
    await page
      .getByRole('button', { name: /^Actions for Watered/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: /Edit/ }).first().click();
  }),
  historyScene(
    'history-empty',
    async (page) => {
      await page.goto('/dashboard');
      await page.getByRole('link', { name: /^Details of/ }).click();
      await openTab(page, 'History');
      await page.getByText('Nothing here yet').waitFor();
    },
    'long texts',
  ),
  historyScene('history-offline', openHistory, 'offline'),
  historyScene('history-snooze', async (page) => {
    await page.goto('/dashboard/schedule');
    await page
      .getByRole('button', { name: /^Soil is still wet/ })
      .first()
      .click();
  }),
  historyScene('history-album', openAlbum),
  historyScene('photo', openPhoto),
  historyScene('range-week', (page) => openRange(page, '7 d')),
  historyScene('range-year', (page) => openRange(page, '1 y')),
];

function historyScene(
  name: string,
  show: (page: Page) => Promise<unknown>,
  who: Who = 'demo',
): Scene {
  return { name, who, show, isCut: true, isSmallToo: true };
}

function entries(page: Page) {
  return page.getByRole('tabpanel', { name: 'History' }).getByRole('listitem');
}

export async function openHistory(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await openPlant(page, 'Monty');
  await openTab(page, 'History');
  await entries(page).first().waitFor();
}

export async function openAlbum(page: Page): Promise<void> {
  await openHistory(page);
  await page.getByRole('button', { name: /^All \d+ photos$/ }).click();
  await page.getByRole('list', { name: 'Photos' }).locator('img').nth(2).waitFor();
}

export async function openPhoto(page: Page): Promise<void> {
  await openHistory(page);
  await page.getByRole('list', { name: 'Photos' }).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Older photo' }).waitFor();
}

export async function openRange(page: Page, range: string): Promise<void> {
  await page.goto('/dashboard');
  await openPlant(page, 'Monty');
  await openTab(page, 'Sensor Data');
  await page.getByRole('radio', { name: range }).check();
  await page.getByRole('slider').first().waitFor();
}
