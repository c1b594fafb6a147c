import { beforeAll, beforeEach, expect, test } from 'vitest';
import { barriersInBothThemes } from './support/accessibility.ts';
import type { AppServer } from './support/app-server.ts';
import { openPhone, type Phone } from './support/browser.ts';
import { plantCard, signIn, waterNow } from './support/garden.ts';
import { setGarden } from './support/garden-rows.ts';
import { openPlant, openTab } from './support/plant-dialog.ts';
import { fillNames, next, openAddForm } from './support/plant-form.ts';
import { hoursAgo } from './support/sample-garden.ts';
import { setUp } from './support/set-up.ts';
import { sidewaysParts } from './support/sideways.ts';
import { openChanges } from './support/sync.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  return made.close;
});
beforeEach(() => phone.page.goto('/dashboard'));

const narrow = { width: 390, height: 844 };
const narrowest = { width: 320, height: 640 };
const syncNow = () => phone.page.evaluate(() => window.dispatchEvent(new Event('online')));

test('the sidebar links to the six screens and to the help articles', async () => {
  const { page } = phone;
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await links.last().waitFor();
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
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByText('Demo Gardener', { exact: true }).waitFor();
  await page.getByText('demo@sprig.local', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Sign Out' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'AI Analytics' }).click();
  await page.getByRole('heading', { name: 'Coming Soon' }).waitFor();
  for (const name of ['Smart Predictions', 'Growth Optimization', 'Advanced Reporting']) {
    expect(await page.getByRole('heading', { name }).isVisible()).toBe(true);
  }
});

test('the bell has a red dot, announces the coming notifications and links to the preview', async () => {
  const { page } = phone;
  const dot = page.getByRole('button', { name: 'Notifications' }).locator('span');
  const { width, colour } = await dot.evaluate((element) => ({
    width: element.getBoundingClientRect().width,
    colour: getComputedStyle(element).backgroundColor,
  }));
  expect(width).toBeGreaterThan(5);
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
  expect(red).toBeGreaterThan(1.5 * Math.max(green, blue));
  expect(await page.getByRole('link', { name: 'Sprig' }).getAttribute('href')).toBe('/landing');
  await page.getByRole('button', { name: 'Notifications' }).click();
  await page.getByText('Real-time plant notifications will come in the next update.').waitFor();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.getByRole('link', { name: 'See the preview' }).click();
  await page.getByRole('heading', { name: 'Notifications Coming Soon' }).waitFor();
  expect(await page.getByRole('link', { name: 'See the preview' }).isVisible()).toBe(false);
  for (const name of ['Smart Alerts', 'Watering Reminders', 'Growth Milestones']) {
    expect(await page.getByRole('heading', { name }).isVisible()).toBe(true);
  }
  expect(await page.getByText('Estimated launch: Coming next update').isVisible()).toBe(true);
});

test.each(['/dashboard/no-such-screen', '/dashboard/plants/7', '/dashboard/a/b/c'])(
  'any other dashboard path redirects to /dashboard: %s',
  async (path) => {
    await phone.page.goto(path);
    await phone.page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    expect(new URL(phone.page.url()).pathname).toBe('/dashboard');
  },
);

test('the controls on a card work without opening its plant', async () => {
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
    await page.goto(`/dashboard/${name}`);
    await page.getByRole('heading', { name: /Coming Soon/ }).waitFor();
    expect(await barriersInBothThemes(page)).toEqual([]);
  },
);

test('on the narrowest phone every screen has one title, the document has it too, and nothing scrolls sideways', async () => {
  const { page } = phone;
  await page.setViewportSize(narrowest);
  // A panel on its way in is cut off.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [path, title] of [
    ['/dashboard', 'Dashboard'],
    ['/dashboard/plants', 'My Plants'],
    ['/dashboard/schedule', 'Watering Schedule'],
    ['/dashboard/analytics', 'AI Analytics'],
    ['/dashboard/notifications', 'Notifications'],
    ['/dashboard/articles', 'Plant Articles'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    if (/d$|plants$|schedule$/.test(path)) await page.getByRole('article').first().waitFor();
    expect(await page.locator('h1').count(), path).toBe(1);
    expect(await page.title(), path).toBe(`${title} · Sprig`);
    expect(await sidewaysParts(page), path).toEqual([]);
  }
  // A card has more room here, and its picture takes it.
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto('/dashboard');
  await plantCard(page, 'Professor Stripes').waitFor();
  expect(await sidewaysParts(page)).toEqual([]);
});

test('on the narrowest phone no menu, dialog or step of the form scrolls sideways', async () => {
  const { page } = phone;
  const check = async (part: string) => expect(await sidewaysParts(page), part).toEqual([]);
  await page.setViewportSize(narrowest);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await plantCard(page, 'Monty').waitFor();
  for (const menu of ['User menu', 'Notifications']) {
    await page.getByRole('button', { name: menu }).click();
    await page.getByRole('region', { name: menu }).waitFor();
    await check(menu);
    await page.keyboard.press('Escape');
  }
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  await check('the sidebar');
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  await openPlant(page, 'Monty');
  for (const tab of ['Overview', 'Sensor Data', 'Care Settings']) {
    await openTab(page, tab);
    if (tab === 'Sensor Data') await page.getByRole('slider').nth(3).waitFor();
    await check(tab);
  }
  await page.keyboard.press('Escape');
  await openChanges(page);
  await check('the changes');
  await openAddForm(page);
  await check('step 1');
  await fillNames(page, 'x'.repeat(300));
  await next(page).click();
  await page.getByLabel(/^Watering frequency/).waitFor();
  await check('step 2');
  await next(page).click();
  await page.getByLabel(/^Device ID/).waitFor();
  await check('step 3');
  await page.getByRole('button', { name: 'Add Plant' }).click();
  await page.getByRole('alert').waitFor();
  await check('a refusal');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.setViewportSize(narrow);
});

test('names of 10,000 characters or in another direction do not break the layout', async () => {
  const yesterday = hoursAgo(24);
  const { page } = phone;
  await setGarden(server, [
    { nickname: 'x'.repeat(10_000), plant_name: 'word '.repeat(2000), last_watered: yesterday },
    { nickname: '\u202Edesrever', plant_name: 'نبتة (1)!', last_watered: yesterday },
  ]);
  for (const screen of ['/dashboard', '/dashboard/plants', '/dashboard/schedule']) {
    await page.goto(screen);
    await syncNow();
    await expect.poll(() => page.getByRole('article').count(), { timeout: 15_000 }).toBe(2);
    for (const card of await page.getByRole('article').all()) {
      expect((await card.boundingBox())?.height).toBeLessThan(600);
    }
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond).toBe(0);
  }
  const [row] = await server.query<{ id: string }>(
    "SELECT id FROM plants WHERE nickname NOT LIKE 'x%'",
  );
  await page.goto(`/dashboard/plants?delete=${row?.id}`);
  const question = page.getByRole('dialog', { name: 'Delete Plant' });
  await question.getByText('This action cannot be undone.').waitFor();
  // Text that turns the direction of what follows turns only itself.
  expect(await question.locator('bdi').textContent()).toBe('\u202Edesrever');
  expect(phone.problems).toEqual([]);
});

test.each([
  ['0 hours', false],
  ['27 hours', true],
])(
  'on the narrowest phone a card has room for the longest readings, %s old',
  async (age, isSilent) => {
    await server.query('DELETE FROM sensor_logs');
    await server.query(
      `INSERT INTO sensor_logs (user_id, plant_id, ts, soil_humidity, air_humidity, temperature, luminance)
      SELECT user_id, id, now() - $1::interval, 99.9, 99.9, -10.5, 120000 FROM plants`,
      [age],
    );
    // One that has seen no newer ones.
    const { page, close } = await openPhone(server.url);
    await page.setViewportSize(narrowest);
    await signIn(page, '/dashboard');
    await page.getByText('120,000 lux').first().waitFor();
    expect(await page.getByText(/ago$/).first().isVisible()).toBe(isSilent);
    expect(await sidewaysParts(page)).toEqual([]);
    await close();
  },
);
