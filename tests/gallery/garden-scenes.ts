import type { Page } from 'playwright';
import { type Scene, screen } from './support/scene.ts';

export const gardenScenes: Scene[] = [
  screen('demo', '/dashboard', /^All Plants/, { name: 'dashboard', isSmallToo: true }),
  screen('newcomer', '/dashboard', 'No Plants Yet', { name: 'dashboard-empty' }),
  screen('long texts', '/dashboard', /^All Plants/, {
    name: 'dashboard-long-texts',
    isSmallToo: true,
  }),
  screen('collector', '/dashboard', /^All Plants/, { name: 'dashboard-300', isCut: true }),
  {
    name: 'dashboard-loading',
    who: 'waiting',
    isCut: true,
    show: async (page) => {
      await page.goto('/dashboard');
      await page.getByText('Loading dashboard data...').waitFor();
    },
  },
  screen('failed', '/dashboard', 'Failed to load', { name: 'dashboard-failed' }),
  {
    name: 'dashboard-no-match',
    who: 'demo',
    show: async (page) => {
      await openGarden(page, '/dashboard');
      await page.getByLabel('Search plants').fill('no such plant');
      await page.getByText('No plants match').waitFor();
    },
  },
  {
    name: 'dashboard-focus',
    who: 'demo',
    isCut: true,
    show: async (page) => {
      await openGarden(page, '/dashboard');
      await page.getByLabel('Search plants').focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
    },
  },
  screen('demo', '/dashboard/plants', /^All Plants/, { name: 'plants' }),
  {
    name: 'plants-filter',
    who: 'demo',
    isCut: true,
    show: async (page) => {
      await openGarden(page, '/dashboard/plants');
      await page.getByLabel('Filter plants').click();
    },
  },
  {
    name: 'plants-menu',
    who: 'demo',
    isCut: true,
    show: async (page) => {
      await openGarden(page, '/dashboard/plants');
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
    },
  },
  screen('newcomer', '/dashboard/plants', 'No Plants Yet', { name: 'plants-empty' }),
  screen('long texts', '/dashboard/plants', /^All Plants/, {
    name: 'plants-long-texts',
    isSmallToo: true,
  }),
  {
    name: 'schedule',
    who: 'demo',
    isSmallToo: true,
    show: (page) => openGarden(page, '/dashboard/schedule'),
  },
  screen('long texts', '/dashboard/schedule', /^Donau/, {
    name: 'schedule-long-texts',
    isSmallToo: true,
  }),
  screen('newcomer', '/dashboard/schedule', 'No Plants to', { name: 'schedule-empty' }),
  screen('failed', '/dashboard/plants', 'Failed to load', { name: 'plants-failed' }),
  screen('failed', '/dashboard/schedule', 'Failed to load', { name: 'schedule-failed' }),
];

async function openGarden(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('article').first().waitFor();
}
