import type { Page } from 'playwright';
import { type Scene, screen } from './support/scene.ts';

/** Pictures of the settings of the account and of a plant's reminders. */
export const settingsScenes: Scene[] = [
  screen('demo', '/dashboard/settings', 'Calendar', { name: 'settings', isSmallToo: true }),
  screen('failed', '/dashboard/settings', 'Calendar', { name: 'settings-failed' }),
  screen('waiting', '/dashboard/settings', 'Calendar', { name: 'settings-loading' }),
  screen('long texts', '/dashboard/settings', 'Calendar', {
    name: 'settings-long-texts',
    isSmallToo: true,
  }),
  settingsScene('settings-errors', async (page) => {
    await page.getByRole('button', { name: 'Change email' }).click();
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByLabel('New password', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Change password' }).last().click();
    await page.getByText('Passwords do not match').waitFor();
  }),
  settingsScene('settings-calendar', async (page) => {
    const remove = page.getByRole('button', { name: 'Remove calendar' });
    const create = page.getByRole('button', { name: 'Create calendar' });
    await remove.or(create).waitFor();
    if (await create.isVisible()) await create.click();
    await remove.waitFor();
    await remove.scrollIntoViewIfNeeded();
  }),
  {
    name: 'plant-reminders',
    who: 'demo',
    isCut: true,
    isSmallToo: true,
    show: async (page) => {
      await page.goto('/dashboard/plants');
      await page.getByRole('button', { name: 'Actions for Monty' }).click();
      await page.getByRole('menuitem', { name: /^Reminders/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
];

function settingsScene(name: string, show: (page: Page) => Promise<unknown>): Scene {
  return {
    name,
    who: 'demo',
    isCut: true,
    isSmallToo: true,
    show: async (page) => {
      await page.goto('/dashboard/settings');
      await show(page);
    },
  };
}
