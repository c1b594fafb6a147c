import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AppServer, openAppServer } from './support/app-server.ts';
import { openPhone, type Phone } from './support/browser.ts';
import { plantCard, signIn, untilInstalled } from './support/garden.ts';
import { addQuietPlant, dialog, idOf, openPlant, openTab } from './support/plant-dialog.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  server = await openAppServer();
  await server.start();
  await addQuietPlant(server, 'Quiet');
  phone = await openPhone(server.url);
  await signIn(phone.page);
});
afterAll(async () => {
  await phone.close();
  await server.close();
});
beforeEach(() => phone.page.goto('/dashboard'));

const address = () => new URL(phone.page.url());
const focused = () => phone.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

test('a card opens its plant, the address names it, and going back returns to the card', async () => {
  const { page } = phone;
  await openPlant(page, 'Monty');
  const id = await idOf(server, 'Monty');
  expect(address().searchParams.get('plant')).toBe(id);
  await dialog(page).getByText('Swiss Cheese Plant', { exact: true }).waitFor();
  await openTab(page, 'Care Settings');
  await openTab(page, 'Sensor Data');
  expect(address().searchParams.get('tab')).toBe('sensors');
  await page.goBack();
  await dialog(page).waitFor({ state: 'detached' });
  expect(address().pathname + address().search).toBe('/dashboard');
  await expect.poll(focused).toBe('Details of Monty');
});

test.each([
  ['Escape', () => phone.page.keyboard.press('Escape')],
  ['its button', () => phone.page.getByRole('button', { name: 'Close dialog' }).click()],
])('closed by %s, it returns the focus and leaves no history entry', async (_, close) => {
  const { page } = phone;
  await page.goto('/dashboard/schedule');
  await page.goto('/dashboard');
  await openPlant(page, 'Zed');
  await openTab(page, 'Care Settings');
  await close();
  await dialog(page).waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('Details of Zed');
  await page.goBack();
  await page.getByRole('heading', { name: 'Watering Schedule' }).waitFor();
  expect(await dialog(page).count()).toBe(0);
});

test('a link opens a plant and a tab of it on any screen; closing stays on that screen', async () => {
  const { page } = phone;
  const id = await idOf(server, 'Monty');
  await page.goto(`/dashboard/schedule?plant=${id}&tab=care`);
  const panel = page.getByRole('tabpanel', { name: 'Care Settings' });
  await panel.getByText('Every 7 days').waitFor();
  await panel.getByText('18–31 °C').waitFor();
  await panel.getByRole('button', { name: 'Close' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  expect(address().pathname + address().search).toBe('/dashboard/schedule');
  await page.getByRole('link', { name: 'Monty' }).click();
  await dialog(page).getByRole('heading', { name: 'Monty' }).waitFor();
  expect(address().pathname).toBe('/dashboard/schedule');
});

test('a link to a plant that does not exist says so', async () => {
  const { page } = phone;
  await page.goto('/dashboard?plant=no-such-plant');
  await dialog(page).getByText('This plant is not in your collection').waitFor();
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
});

test.each(['?plant={"a":1}', '?plant=null&tab=[1]', '?form=true&delete={}&devices=9'])(
  'an invalid address opens nothing and breaks nothing: %s',
  async (search) => {
    const { page } = phone;
    await page.goto(`/dashboard${search}`);
    await plantCard(page, 'Monty').waitFor();
    expect(await dialog(page).count()).toBe(0);
  },
);

test('Edit and Delete open the form and the confirmation by address', async () => {
  const { page } = phone;
  const id = await idOf(server, 'Monty');
  await openPlant(page, 'Monty');
  await dialog(page).getByRole('button', { name: 'Edit Plant' }).click();
  await expect.poll(() => address().searchParams.get('form')).toBe(id);
  expect(address().searchParams.get('plant')).toBeNull();
  await page.goto(`/dashboard?plant=${id}&tab=care`);
  await dialog(page).getByRole('button', { name: 'Edit Plant' }).click();
  await expect.poll(() => address().searchParams.get('form')).toBe(id);
  await page.goto(`/dashboard?plant=${id}`);
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => address().searchParams.get('delete')).toBe(id);
});

test('Water Now in the dialog waters the plant once, is announced, and moves its dates', async () => {
  const { page } = phone;
  const before = new Date();
  await openPlant(page, 'Zed');
  await dialog(page).getByText('Water now!').waitFor();
  await dialog(page).getByRole('button', { name: 'Water Now: Zed' }).click();
  await page.getByRole('status').filter({ hasText: 'Zed watered' }).waitFor();
  await dialog(page).getByText('In 14 days').waitFor();
  const waterings = await server.query('SELECT 1 FROM waterings WHERE watered_at >= $1', [before]);
  expect(waterings).toHaveLength(1);
});

test('an edit elsewhere, a note of automatic watering and a deletion show in the open dialog', async () => {
  const { page } = phone;
  await openPlant(page, 'Quiet');
  await dialog(page).getByText('No notes yet.').waitFor();
  await phone.context.route('**/api/plants', async (route) => {
    const { 'if-none-match': _, ...headers } = route.request().headers();
    const answer = await route.fetch({ headers });
    const plants = (await answer.json()) as { nickname: string }[];
    const note = { description: 'By the door', auto_watering_note: 'Not watered: the pump rests' };
    const noted = plants.map((plant) =>
      plant.nickname === 'Quiet' ? { ...plant, ...note } : plant,
    );
    await route.fulfill({ status: 200, json: noted });
  });
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await dialog(page).getByText('Not watered: the pump rests').waitFor();
  await dialog(page).getByText('By the door').waitFor();
  await phone.context.unrouteAll({ behavior: 'ignoreErrors' });
  await server.query("DELETE FROM plants WHERE nickname = 'Quiet'");
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await dialog(page).getByText('This plant is not in your collection').waitFor();
});

test('offline, a link opens the dialog with its charts, and a watering waits', async () => {
  const { page } = phone;
  const id = await idOf(server, 'Monty');
  await untilInstalled(page);
  await server.kill();
  await page.goto(`/dashboard?plant=${id}&tab=sensors`);
  await page.getByRole('slider').nth(3).waitFor();
  await openTab(page, 'Overview');
  await dialog(page).getByRole('button', { name: 'Water Now: Monty' }).click();
  await dialog(page).getByText('Waiting to be sent').waitFor();
  await page.goBack();
  await server.start();
  await page.goto('/dashboard');
  await plantCard(page, 'Monty')
    .getByText('Waiting to be sent')
    .waitFor({ state: 'detached', timeout: 40_000 });
  expect(phone.problems).toEqual([]);
});
