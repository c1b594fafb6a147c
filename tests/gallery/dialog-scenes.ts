import type { Page } from 'playwright';
import { breakReadings, dialog, openPlant, openTab } from '../e2e/support/screens/plant-dialog.ts';
import {
  choose,
  fillNames,
  form,
  goToLastStep,
  next,
  openAddForm,
} from '../e2e/support/screens/plant-form.ts';
import type { Scene } from './support/scene.ts';
import type { Who } from './support/scene-browser.ts';

const wizardScenes: Scene[] = [
  dialogScene('wizard-1', openAddForm),
  dialogScene('wizard-1-errors', async (page) => {
    await openAddForm(page);
    await next(page).click();
  }),
  dialogScene('wizard-2', async (page) => {
    await openAddForm(page);
    await fillNames(page, 'Ada');
    await next(page).click();
    await page.getByLabel(/^Watering frequency/).waitFor();
  }),
  dialogScene('wizard-2-errors', async (page) => {
    await openAddForm(page);
    await fillNames(page, 'Ada');
    await next(page).click();
    for (const minimum of await page.getByLabel(/Minimum/).all()) await minimum.fill('99999');
    await page.getByLabel(/^Watering frequency/).fill('0');
    await next(page).click();
  }),
  dialogScene('wizard-3', async (page) => {
    await openAddForm(page);
    await fillNames(page, 'Ada');
    await goToLastStep(page);
  }),
  dialogScene('wizard-edit', async (page) => {
    await page.goto('/dashboard/plants');
    await choose(page, 'Monty', 'Edit');
    await form(page).waitFor();
  }),
  dialogScene('wizard-discard', async (page) => {
    await openAddForm(page);
    await fillNames(page, 'Ada');
    await page.keyboard.press('Escape');
  }),
  dialogScene('delete', async (page) => {
    await page.goto('/dashboard/plants');
    await choose(page, 'Monty', 'Delete');
    await page.getByRole('dialog').waitFor();
  }),
  dialogScene('delete-long-texts', deleteFirst, 'long texts'),
];

const tabs = [
  ['overview', 'Overview'],
  ['sensors', 'Sensor Data'],
  ['care', 'Care Settings'],
] as const;

export const dialogScenes: Scene[] = [
  ...wizardScenes,
  ...tabs.flatMap(([name, label]) => [
    dialogScene(`dialog-${name}`, async (page) => {
      await page.goto('/dashboard');
      await openPlant(page, 'Monty');
      await openTab(page, label);
      if (name === 'sensors') await page.getByRole('slider').first().waitFor();
    }),
    dialogScene(
      `dialog-${name}-long-texts`,
      async (page) => {
        await page.goto('/dashboard');
        await page.getByRole('link', { name: /^Details of/ }).click();
        await openTab(page, label);
        if (name === 'sensors') await page.getByText('No sensor data').first().waitFor();
      },
      'long texts',
    ),
  ]),
  dialogScene('dialog-sensors-end', async (page) => {
    await page.goto('/dashboard');
    await openPlant(page, 'Monty');
    await openTab(page, 'Sensor Data');
    await page.getByRole('slider').last().scrollIntoViewIfNeeded();
  }),
  dialogScene('dialog-sensors-loading', openSensorsOfMonty, 'ahead of readings'),
  dialogScene('dialog-sensors-failed', async (page) => {
    await page.goto('/dashboard');
    await openPlant(page, 'Monty');
    await breakReadings(page);
    await openTab(page, 'Sensor Data');
    await page.getByText('The readings could not be loaded.').waitFor();
  }),
  dialogScene('devices', async (page) => {
    await page.goto('/dashboard?devices=1');
    await dialog(page).getByLabel('Device ID').waitFor();
  }),
  dialogScene('dialog-gone', async (page) => {
    await page.goto('/dashboard?plant=00000000-0000-4000-8000-000000000000');
    await page.getByText('not in your collection').waitFor();
  }),
];

function dialogScene(
  name: string,
  show: (page: Page) => Promise<unknown>,
  who: Who = 'demo',
): Scene {
  return { name, who, show, isCut: true, isSmallToo: true };
}

async function deleteFirst(page: Page): Promise<void> {
  await page.goto('/dashboard/plants');
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').waitFor();
}

async function openSensorsOfMonty(page: Page): Promise<void> {
  await page.goto('/dashboard');
  // Deletes the stored data, because the loading text appears only until the first response for a plant.
  await page.evaluate(async () => {
    for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name);
  });
  await page.reload();
  await openPlant(page, 'Monty');
  await openTab(page, 'Sensor Data');
  await page.getByText('Loading readings...').first().waitFor();
}
