import AxeBuilder from '@axe-core/playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AppServer, openAppServer } from './support/app-server.ts';
import { openPhone, type Phone } from './support/browser.ts';
import { plantCard, signIn, waterNow } from './support/garden.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  server = await openAppServer();
  await server.start();
  phone = await openPhone(server.url);
  await signIn(phone.page);
});
afterAll(async () => {
  await phone.close();
  await server.close();
});
beforeEach(() => phone.page.goto('/dashboard'));

test('the sidebar leads to the six screens and to the articles that help', async () => {
  const { page } = phone;
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  const all = await links.evaluateAll((list) =>
    list.map((a) => [a.textContent?.trim(), a.getAttribute('href')]),
  );
  expect(all).toEqual([
    ['Dashboard', '/dashboard'],
    ['My Plants', '/dashboard/plants'],
    ['Watering Schedule', '/dashboard/schedule'],
    ['AI Analytics', '/dashboard/analytics'],
    ['Notifications', '/dashboard/notifications'],
    ['Articles', '/dashboard/articles'],
    ['Read Articles', '/dashboard/articles'],
  ]);
  await page.getByRole('link', { name: 'AI Analytics' }).click();
  await page.getByRole('heading', { name: 'Coming Soon' }).waitFor();
  for (const name of ['Smart Predictions', 'Growth Optimization', 'Advanced Reporting']) {
    expect(await page.getByRole('heading', { name }).isVisible()).toBe(true);
  }
});

test('the bell says what will come and leads to the preview', async () => {
  const { page } = phone;
  await page.getByRole('button', { name: 'Notifications' }).click();
  await page.getByText('Real-time plant notifications will come in the next update.').waitFor();
  await page.getByRole('link', { name: 'See the preview' }).click();
  await page.getByRole('heading', { name: 'Notifications Coming Soon' }).waitFor();
  expect(await page.getByRole('link', { name: 'See the preview' }).isVisible()).toBe(false);
  for (const name of ['Smart Alerts', 'Watering Reminders', 'Growth Milestones']) {
    expect(await page.getByRole('heading', { name }).isVisible()).toBe(true);
  }
  expect(await page.getByText('Estimated launch: Coming next update').isVisible()).toBe(true);
});

test('the schedule marks an overdue plant and moves it down once it is watered', async () => {
  const { page } = phone;
  await page.goto('/dashboard/schedule');
  const first = page.getByRole('article').first();
  await first.getByText('Overdue').waitFor();
  const nickname = (await first.getByRole('heading').textContent()) ?? '';
  const bar = page.getByRole('progressbar', { name: `Watering interval of ${nickname} elapsed` });
  expect(await bar.getAttribute('value')).toBe('100');
  const item = page.getByRole('article').filter({ hasText: nickname });
  expect(await item.textContent()).toMatch(/Next: [A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M/);
  expect(await item.textContent()).toMatch(/Every \d+ days/);
  await item.getByRole('button', { name: /^Water Now/ }).click();
  await item.getByText(/\d+d \d+h remaining|\d+h remaining/).waitFor();
  await expect.poll(() => first.getByRole('heading').textContent()).not.toBe(nickname);
  expect(await item.getByText('Overdue').count()).toBe(0);
});

test('what stands on a card works without opening its plant', async () => {
  const { page } = phone;
  await plantCard(page, 'Monty').waitFor();
  await waterNow(page, 'Monty').click();
  await page.getByRole('status').filter({ hasText: 'Monty watered' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  await plantCard(page, 'Monty').click({ position: { x: 50, y: 50 } });
  await page.getByRole('dialog').waitFor();
});

test.each(['analytics', 'notifications'])(
  "the preview of %s stands in nobody's way",
  async (name) => {
    const { page } = phone;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(`/dashboard/${name}`);
      await page.getByRole('heading', { name: /Coming Soon/ }).waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    }
  },
);
