import type { Page } from 'playwright';
import { type Scene, screen } from './support/scene.ts';
import type { Who } from './support/studio.ts';

export const frameScenes: Scene[] = [
  screen('demo', '/dashboard/analytics', 'Coming Soon', { name: 'analytics' }),
  screen('demo', '/dashboard/notifications', 'Coming Soon', { name: 'notifications' }),
  screen('demo', '/dashboard/articles', 'Plant Articles', { name: 'articles' }),
  screen('demo', '/dashboard/articles/understanding-plant-nutrition', /Nutrition/i, {
    name: 'article',
  }),
  screen('demo', '/dashboard/articles/no-such-article', 'not found', { name: 'article-missing' }),
  {
    name: 'sidebar',
    who: 'demo',
    isCut: true,
    isSmallToo: true,
    show: async (page) => {
      await openDashboard(page);
      const toggle = page.getByRole('button', { name: 'Toggle sidebar' });
      if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
    },
  },
  headerScene('user-menu', 'demo', 'User menu'),
  headerScene('user-menu-wordy', 'wordy', 'User menu'),
  headerScene('bell-menu', 'demo', 'Notifications'),
  headerScene('cut-off', 'cut off'),
  headerScene('refused', 'refused'),
  {
    ...headerScene('sign-out-unsent', 'cut off'),
    show: async (page) => {
      await openDashboard(page);
      await page.getByRole('button', { name: 'User menu' }).click();
      await page.getByRole('button', { name: 'Sign Out' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
];

function headerScene(name: string, who: Who, button?: string): Scene {
  return {
    name,
    who,
    isCut: true,
    isSmallToo: true,
    show: async (page) => {
      await openDashboard(page);
      if (button) await page.getByRole('button', { name: button }).click();
    },
  };
}

async function openDashboard(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await page.getByRole('article').first().waitFor();
}
