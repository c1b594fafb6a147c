import type { Page } from 'playwright';
import { type Scene, screen } from './support/scene.ts';
import type { Who } from './support/scene-browser.ts';

export const frameScenes: Scene[] = [
  screen('demo', '/dashboard/analytics', 'Coming Soon', { name: 'analytics' }),
  screen('demo', '/dashboard/notifications', 'Coming Soon', { name: 'notifications' }),
  articleScene('articles', '/dashboard/articles', 'Plant Articles'),
  articleScene('article', '/dashboard/articles/understanding-plant-nutrition', /Nutrition/i),
  articleScene('article-missing', '/dashboard/articles/no-such-article', /not found/),
  {
    name: 'article-loading',
    who: 'demo',
    isCut: true,
    show: async (page) => {
      await page.route('**/assets/winter-plant-care*.js', () => undefined);
      await page.goto('/dashboard/articles/winter-plant-care');
      await page.getByText('Loading article...').waitFor();
    },
  },
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
  headerScene('user-menu-long-texts', 'long texts', 'User menu'),
  headerScene('bell-menu', 'demo', 'Notifications'),
  {
    ...headerScene('offline', 'offline'),
    show: async (page) => {
      await openDashboard(page);
      await page.getByText('Waiting to be sent').waitFor();
    },
  },
  headerScene('refused', 'refused'),
  {
    ...headerScene('sign-out-unsent', 'offline'),
    show: async (page) => {
      await openDashboard(page);
      await page.getByRole('button', { name: 'User menu' }).click();
      await page.getByRole('button', { name: 'Sign Out' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
];

function articleScene(name: string, path: string, heading: string | RegExp): Scene {
  return screen('demo', path, heading, { name, path });
}

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
