import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { barriersInBothThemes } from './support/accessibility.ts';
import { type AppServer, openAppServer } from './support/app-server.ts';
import { openPhone, type Phone } from './support/browser.ts';
import { fillSignIn, plantCard, waterNow } from './support/garden.ts';
import { setGarden } from './support/garden-rows.ts';
import { dialog } from './support/plant-dialog.ts';
import { form } from './support/plant-form.ts';
import { garden, hoursAgo, noon } from './support/sample-garden.ts';

declare global {
  interface Window {
    /** The plants whose cards have rendered again since the test began to look. */
    repainted: () => string[];
  }
}

let server: AppServer;
let phone: Phone;
let page: Page;
beforeAll(async () => {
  server = await openAppServer();
  await server.start();
  await setGarden(server, []);
  phone = await openPhone(server.url);
  await phone.context.clock.install({ time: noon });
  page = phone.page;
});
afterAll(async () => {
  await phone.close();
  await server.close();
});

/** As long as what is waited for on a page. */
const patient = { timeout: 15_000 };
const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };
const sidebar = () => page.getByRole('navigation', { name: 'Main' });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const syncNow = () => page.evaluate(() => window.dispatchEvent(new Event('online')));

/** Within the page, so that what is on its way stays on its way. */
async function go(screen: string): Promise<void> {
  await sidebar().getByRole('link', { name: screen, exact: true }).click();
  await page.getByRole('heading', { name: screen, level: 1 }).waitFor();
}

test('each screen says what it loads until the first plants arrive, or what failed, with a retry', async () => {
  let isBroken = true;
  let answered = deferred();
  await phone.context.route('**/api/**', async (route) => {
    await answered.promise;
    if (isBroken) await route.fulfill({ status: 500, json: { message: 'Out of order' } });
    else await route.continue();
  });
  await page.setViewportSize(wide);
  await page.goto('/dashboard');
  await fillSignIn(page);
  await page.getByLabel('Remember me').check();
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByText('Loading dashboard data...').waitFor();
  await page.getByText('Monitor and manage your plants').waitFor();
  await go('My Plants');
  await page.getByText('Loading plants...').waitFor();
  await page.getByText('Manage your plant collection').waitFor();
  answered.resolve();
  await page.goto('/dashboard/plants?plant=anyone');
  await dialog(page).getByRole('alert').filter({ hasText: 'Failed to load plant data' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  const failures = [
    ['My Plants', 'Failed to load plants data'],
    ['Watering Schedule', 'Failed to load watering schedule'],
    ['Dashboard', 'Failed to load dashboard data'],
  ] as const;
  for (const [screen, failed] of failures) {
    await go(screen);
    await page.getByRole('alert').filter({ hasText: failed }).waitFor();
    expect(await barriersInBothThemes(page), screen).toEqual([]);
    answered = deferred();
    const asked = phone.context.waitForEvent('request', (request) =>
      request.url().endsWith('/api/plants'),
    );
    await page.getByRole('button', { name: 'Try Again' }).click();
    await asked;
    isBroken = screen !== 'Dashboard';
    answered.resolve();
  }
  await heading('No Plants Yet').waitFor();
  await phone.context.unrouteAll({ behavior: 'ignoreErrors' });
});

test('an empty collection says so on every screen and offers its first plant', async () => {
  await page.getByText('No plants in your collection yet.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add Your First Plant' }).click();
  await form(page).waitFor();
  await page.keyboard.press('Escape');
  await form(page).waitFor({ state: 'detached' });
  await go('Watering Schedule');
  await heading('No Plants to Schedule').waitFor();
  await page.getByText("Keep track of your plants' watering needs").waitFor();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await go('My Plants');
  await heading('No Plants Yet').waitFor();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.getByText('No plants in your collection yet.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add My First Plant' }).click();
  await form(page).waitFor();
  await page.keyboard.press('Escape');
  await form(page).waitFor({ state: 'detached' });
});

test('the sidebar starts open, docked on a wide screen; on a phone its overlay closes it for good', async () => {
  const toggle = page.getByRole('button', { name: 'Toggle sidebar' });
  const overlay = page.getByRole('button', { name: 'Close sidebar', includeHidden: true });
  const edge = async (part: 'nav' | 'main') => page.locator(part).boundingBox();
  // Nobody has touched it yet, and links of a docked sidebar leave it open.
  expect(await toggle.getAttribute('aria-expanded')).toBe('true');
  await page.setViewportSize({ width: 1024, height: 800 });
  expect(await overlay.isVisible()).toBe(false);
  await expect.poll(async () => (await edge('main'))?.x, patient).toBe((await edge('nav'))?.width);
  await page.setViewportSize({ width: 1023, height: 800 });
  await expect.poll(async () => (await edge('main'))?.x, patient).toBe(0);
  expect(await overlay.isVisible()).toBe(true);
  await page.setViewportSize(narrow);
  await overlay.click({ position: { x: 380, y: 400 } });
  await sidebar().waitFor({ state: 'hidden' });
  await page.reload();
  await heading('No Plants Yet').waitFor();
  expect(await toggle.getAttribute('aria-expanded')).toBe('false');
  expect(await sidebar().isVisible()).toBe(false);
});

test('the four tiles count plants as they arrive', async () => {
  await setGarden(server, garden);
  await page.goto('/dashboard');
  await syncNow();
  await plantCard(page, 'Alma').waitFor();
  await expect.poll(() => tile('Total Plants'), patient).toBe('7');
  await expect.poll(() => tile('Needs Water'), patient).toBe('2');
  await expect.poll(() => tile('Needs Attention'), patient).toBe('1');
  await expect.poll(() => tile('Auto-Watered Today'), patient).toBe('3');
  expect(await tiles().count()).toBe(4);
});

const tiles = () => page.locator('dl').first().locator('div');
const tile = (label: string) => tiles().filter({ hasText: label }).locator('dd').textContent();

test('each filter shows its count in the menu and its plants under its name', async () => {
  const filter = page.getByLabel('Filter plants');
  const shown = [
    ['All', 'All Plants', ['Alma', 'Bruno', 'Carla', 'Dora', 'Emil', 'Flora', 'Gus']],
    ['Needs Water', 'Needs Water', ['Bruno', 'Emil']],
    ['Needs Attention', 'Needs Attention', ['Bruno']],
    ['Auto-Watering', 'Auto-Watering', ['Dora', 'Emil', 'Flora', 'Gus']],
    ['Indoor', 'Indoor', ['Alma', 'Carla', 'Gus']],
    ['Outdoor', 'Outdoor', ['Bruno', 'Emil', 'Flora']],
  ] as const;
  expect(await filter.getByRole('option').allTextContents()).toEqual(
    shown.map(([name, _, plants]) => `${name} (${plants.length})`),
  );
  for (const [name, title, plants] of shown) {
    await filter.selectOption(name);
    await heading(`${title} (${plants.length})`).waitFor();
    await expect.poll(cardNames, patient).toEqual(plants);
  }
  await filter.selectOption('All');
  for (const [typed, found] of [
    ['FLO', ['Flora']],
    ['little oak', ['Emil']],
    ['pothos', ['Bruno']],
  ] as const) {
    await page.getByLabel('Search plants').fill(typed);
    await expect.poll(cardNames, patient).toEqual(found);
  }
  await filter.selectOption('Indoor');
  await page.getByText('No plants match your search criteria.').waitFor();
  await heading('Indoor (0)').waitFor();
});

function cardNames(): Promise<string[]> {
  return page.getByRole('article').getByRole('heading').allTextContents();
}

test.each([
  [390, 1],
  [600, 2],
  [1000, 3],
  [1440, 4],
])('on a screen %d pixels wide the cards are laid out in %d columns', async (width, columns) => {
  await page.setViewportSize({ width, height: 900 });
  if (width === 390) await page.goto('/dashboard');
  await plantCard(page, 'Alma').waitFor();
  const left = () =>
    page.getByRole('article').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
  await expect.poll(async () => new Set(await left()).size, patient).toBe(columns);
});

test('a change of one plant renders only its own card again', async () => {
  await page.evaluate(() => {
    // React gives an element new properties whenever its component has rendered again.
    const propsOf = (element: Element) =>
      Object.entries(element).find(([name]) => name.startsWith('__reactProps'))?.[1];
    const before = [...document.querySelectorAll('article')].map((card) => ({
      card,
      props: propsOf(card),
    }));
    window.repainted = () =>
      before
        .filter(({ card, props }) => propsOf(card) !== props)
        .map(({ card }) => card.querySelector('h3')?.textContent ?? '');
  });
  await waterNow(page, 'Bruno').click();
  await plantCard(page, 'Bruno').getByText('In 7 days').waitFor();
  await phone.context.clock.fastForward('01:00');
  expect(await page.evaluate(() => window.repainted())).toEqual(['Bruno']);
});

test('the schedule is sorted by the next date, shows date, time and time left, and updates as time passes', async () => {
  await setGarden(server, garden);
  await page.goto('/dashboard/schedule');
  await syncNow();
  const names = () => page.getByRole('article').getByRole('heading').allTextContents();
  await expect
    .poll(names, patient)
    .toEqual(['Bruno', 'Emil', 'Carla', 'Dora', 'Gus', 'Alma', 'Flora']);
  const alma = page.getByRole('article').filter({ hasText: 'Alma' });
  const next = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Asia/Bangkok',
  }).format(hoursAgo(48 - 3.5 - 7 * 24));
  await alma.getByText(`Next: ${next}`).waitFor();
  await alma.getByText('Test Fern').waitFor();
  await alma.getByText('Every 7 days').waitFor();
  const image = alma.locator('img[width="1260"][height="750"]');
  expect(await image.getAttribute('src')).toContain('monstera');
  await page.getByRole('article').filter({ hasText: 'Carla' }).getByText('Every 1 day').waitFor();
  const bar = page.getByRole('progressbar', { name: 'Watering interval of Alma elapsed' });
  const elapsed = async () => Number(await bar.getAttribute('value'));
  expect(await elapsed()).toBeCloseTo((100 * (48 - 3.5)) / (7 * 24), 0);
  await alma.getByText('5d 3h remaining').waitFor();
  const bruno = page.getByRole('article').filter({ hasText: 'Bruno' });
  const red = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--danger)';
    return getComputedStyle(probe).color;
  });
  const colour = (part: Locator, of: 'color' | 'borderTopColor') =>
    part.evaluate((element, name) => getComputedStyle(element)[name], of);
  expect(await colour(bruno.getByText('Overdue'), 'color')).toBe(red);
  expect(await colour(bruno, 'borderTopColor')).toBe(red);
  expect(await colour(alma.getByText('5d'), 'color')).not.toBe(red);
  expect(await colour(alma, 'borderTopColor')).not.toBe(red);
  const before = await elapsed();
  await phone.context.clock.fastForward('03:00:00');
  await alma.getByText('5d 0h remaining').waitFor();
  expect(await elapsed()).toBeGreaterThan(before + 1);
});

test('after a watering the schedule is sorted again and the plant is no longer overdue', async () => {
  const bruno = page.getByRole('article').filter({ hasText: 'Bruno' });
  const bar = bruno.getByRole('progressbar');
  expect(await bar.getAttribute('value')).toBe('100');
  await bruno.getByRole('button', { name: 'Water Now: Bruno' }).click();
  await expect
    .poll(() => page.getByRole('article').getByRole('heading').allTextContents(), patient)
    .toEqual(['Emil', 'Carla', 'Dora', 'Gus', 'Alma', 'Bruno', 'Flora']);
  await bruno.getByText(/^[67]d \d+h remaining$/).waitFor();
  expect(await bruno.getByText('Overdue').count()).toBe(0);
  expect(Number(await bar.getAttribute('value'))).toBeLessThan(15);
});

test('a plant becomes due as time passes: its card says so, and the tile and the filter count it', async () => {
  await page.goto('/dashboard');
  await plantCard(page, 'Carla').getByText('Tomorrow', { exact: true }).waitFor();
  const isDue = (nickname: string) => plantCard(page, nickname).getByText('Water now!').count();
  expect([await isDue('Carla'), await isDue('Emil')]).toEqual([0, 1]);
  expect(await tile('Needs Water')).toBe('1');
  // Three of its twenty-four hours had gone, and the schedule's test took three more.
  await phone.context.clock.fastForward('17:30:00');
  await plantCard(page, 'Carla').getByText('Water now!').waitFor();
  await expect.poll(() => tile('Needs Water'), patient).toBe('2');
  await expect
    .poll(() => page.getByLabel('Filter plants').textContent(), patient)
    .toContain('Needs Water (2)');
  expect(phone.problems).toEqual([]);
});
