import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type AppServer, openAppServer } from './support/app-server.ts';

let server: AppServer;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  server = await openAppServer();
  await server.start();
  browser = await chromium.launch({ executablePath: inject('chromium'), args: ['--no-sandbox'] });
  page = await browser.newPage({ baseURL: server.url, javaScriptEnabled: false });
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

test.each(['/', '/landing'])(
  '%s shows the landing page before any script has run',
  async (path) => {
    await page.goto(path);
    expect(await page.title()).toBe('Sprig · Smart Plant Care');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Smart Plant Care at Your Fingertips',
    );
    const picture = page.getByRole('img', { name: /windowsill/ });
    expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    expect(await page.getByRole('link', { name: 'Get Started' }).getAttribute('href')).toBe(
      '/signup',
    );
  },
);

test('without JavaScript the sign-in page says that it is needed and shows no form', async () => {
  await page.goto('/signin');
  const words = page.locator('body > noscript');
  expect(await words.textContent()).toBe('Sprig needs JavaScript.');
  expect(await words.isVisible()).toBe(true);
  expect(await page.getByRole('textbox').count()).toBe(0);
});
