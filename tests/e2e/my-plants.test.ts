import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AppServer, openAppServer } from './support/app-server.ts';
import { openPhone, type Phone } from './support/browser.ts';
import { closeSidebar, fillSignIn, signIn } from './support/garden.ts';
import { form } from './support/plant-form.ts';

let server: AppServer;
let phone: Phone;
beforeEach(async () => {
  server = await openAppServer();
  await server.start();
  phone = await openPhone(server.url);
});
afterEach(async () => {
  await phone.close();
  await server.close();
});

test('the grid is narrowed by filter and search, and says so', async () => {
  const { page } = phone;
  await signIn(page, '/dashboard/plants');
  await page.getByRole('heading', { name: 'My Plants', level: 1 }).waitFor();
  await page.getByText('Manage your plant collection').waitFor();
  await page.getByRole('heading', { name: 'All Plants (12)' }).waitFor();
  const filter = page.getByLabel('Filter plants');
  const offered = await filter.getByRole('option').allTextContents();
  expect(offered.map((text) => text.replace(/ \(\d+\)$/, ''))).toEqual([
    'All',
    'Needs Water',
    'Needs Attention',
    'Auto-Watering',
    'Indoor',
    'Outdoor',
  ]);
  await filter.selectOption('Indoor');
  const shown = await page.getByRole('article').count();
  expect(offered).toContain(`Indoor (${shown})`);
  expect(shown).toBeLessThan(12);
  await page.getByRole('heading', { name: `Indoor (${shown})` }).waitFor();
  await filter.selectOption('All');
  await page.getByLabel('Search plants').fill('sWISS cheese');
  await expect.poll(() => page.getByRole('article').count()).toBe(1);
  await page.getByLabel('Search plants').fill('no such plant');
  await page.getByText('No plants match your search criteria.').waitFor();
});

test('an empty collection offers its first plant, on both screens', async () => {
  const { page } = phone;
  await server.query('DELETE FROM plants');
  await page.goto('/dashboard/plants');
  await fillSignIn(page);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('heading', { name: 'No Plants Yet' }).waitFor();
  await closeSidebar(page);
  await page.getByRole('button', { name: 'Add My First Plant' }).click();
  await form(page).waitFor();
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Add Your First Plant' }).click();
  await form(page).waitFor();
  expect(phone.problems).toEqual([]);
});
