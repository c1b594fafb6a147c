import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPhone, type Phone } from '../support/phone/browser.ts';
import { signIn } from '../support/screens/garden.ts';
import { type AppServer, openAppServer } from '../support/server/app-server.ts';
import { setGarden } from '../support/server/garden-rows.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  server = await openAppServer();
  await server.start();
  const watered = new Date();
  const nicknames = Array.from({ length: 1_000 }, (_, i) => `Plant ${i}`);
  await setGarden(
    server,
    nicknames.map((nickname) => ({ nickname, last_watered: watered })),
  );
  phone = await openPhone(server.url);
  await signIn(phone.page);
});
afterAll(async () => {
  await phone.close();
  await server.close();
});

test.each(['/dashboard', '/dashboard/schedule'])(
  '%s renders 1,000 plants only as far as the person has scrolled',
  async (screen) => {
    const { page } = phone;
    await page.goto(screen);
    const cards = page.getByRole('article');
    await cards.first().waitFor();
    expect(await cards.count()).toBeLessThanOrEqual(120);
    const drawn = async () => {
      await page.mouse.wheel(0, 40_000);
      return cards.count();
    };
    await expect.poll(drawn, { timeout: 40_000 }).toBeGreaterThanOrEqual(300);
    expect(await cards.count()).toBeLessThan(1_000);
  },
);

test('returning to the list restores the scroll position', async () => {
  const { page } = phone;
  await page.goto('/dashboard/schedule');
  await page.getByRole('article').first().waitFor();
  const last = page.getByRole('article').nth(150);
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 40_000);
      return last.count();
    })
    .toBe(1);
  await last.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => window.scrollY);
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  await page.getByRole('link', { name: 'Analytics' }).click();
  await page.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor();
  await page.goBack();
  await page.getByRole('article').first().waitFor();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(scrolled - 844);
});

test('a search finds plants that are not rendered yet; clearing it counts all plants and renders at least 60', async () => {
  const { page } = phone;
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'All Plants (1000)' }).waitFor();
  const search = page.getByRole('searchbox', { name: 'Search plants' });
  await search.fill('plant 999');
  await page.getByRole('heading', { name: 'All Plants (1)' }).waitFor();
  await page.getByRole('article', { name: 'Plant 999' }).waitFor();
  await search.fill('');
  await page.getByRole('heading', { name: 'All Plants (1000)' }).waitFor();
  await expect.poll(() => page.getByRole('article').count()).toBeGreaterThanOrEqual(60);
});

test('a keystroke is handled before the list has rendered all its items', async () => {
  const { page } = phone;
  await page.goto('/dashboard');
  await page.getByRole('searchbox', { name: 'Search plants' }).fill('plant 999');
  await page.getByRole('heading', { name: 'All Plants (1)' }).waitFor();
  const drawnMeanwhile = await page.evaluate(drawnUntilAnswered);
  // The first render contains six results. Five of them are new cards: Plant 1 is among the first six plants too.
  expect(drawnMeanwhile).toBeGreaterThanOrEqual(5);
  expect(drawnMeanwhile).toBeLessThanOrEqual(30);
});

/**
 * Clears the search and types a digit once all plants are counted. Returns how many cards were added until the heading
 * shows the number of results.
 */
function drawnUntilAnswered(): Promise<number> {
  const search = document.querySelector<HTMLInputElement>('input[type=search]');
  const title = document.getElementById('plant-grid-title');
  const valueOfInput = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  const type = (text: string) => {
    valueOfInput?.set?.call(search, text);
    search?.dispatchEvent(new Event('input', { bubbles: true }));
  };
  let isTyped = false;
  let drawn = 0;
  return new Promise((resolve) => {
    const observer = new MutationObserver((records) => {
      const count = title?.textContent ?? '';
      if (isTyped) {
        for (const { addedNodes } of records) {
          drawn += [...addedNodes].filter(({ nodeName }) => nodeName === 'LI').length;
        }
        if (!count.includes('(271)')) return;
        observer.disconnect();
        resolve(drawn);
      } else if (count.includes('(1000)')) {
        isTyped = true;
        type('1');
      }
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    type('');
  });
}
