import { beforeAll, beforeEach, expect, test } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import type { Phone } from '../support/phone/browser.ts';
import { retryTimeout } from '../support/phone/sync.ts';
import { plantCard } from '../support/screens/garden.ts';
import {
  addQuietPlant,
  dialog,
  idOf,
  openPlant,
  openTab,
} from '../support/screens/plant-dialog.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { postAsDemo } from '../support/server/demo-api.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  return made.close;
});
beforeEach(() => phone.page.goto('/dashboard'));

const url = () => new URL(phone.page.url());
const focused = () => phone.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

test('a card opens its plant, whose id is in the URL, and going back returns to the card', async () => {
  const { page } = phone;
  await openPlant(page, 'Monty');
  const id = await idOf(server, 'Monty');
  expect(url().searchParams.get('plant')).toBe(id);
  await dialog(page).getByText('Swiss Cheese Plant', { exact: true }).waitFor();
  await openTab(page, 'Care Settings');
  await openTab(page, 'Sensor Data');
  expect(url().searchParams.get('tab')).toBe('sensors');
  await page.goBack();
  await dialog(page).waitFor({ state: 'detached' });
  expect(url().pathname + url().search).toBe('/dashboard');
  await expect.poll(focused).toBe('Details of Monty');
});

test('a finger moves the crosshair sideways and scrolls the tab up and down', async () => {
  const { page } = phone;
  const sensors = () => page.getByRole('tabpanel', { name: 'Sensor Data' });
  await page.goto(`/dashboard/schedule?plant=${await idOf(server, 'Monty')}&tab=sensors`);
  const chart = page.getByRole('slider').first();
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  if (!box) throw new Error('the chart is not there');
  // The style is checked too, because without it Chromium would still pass the scroll test below.
  expect(await chart.evaluate((element) => getComputedStyle(element).touchAction)).toBe('pan-y');
  const finger = await phone.context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: [number, number][]) =>
    finger.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map(([x, y]) => ({ x: box.x + x, y: box.y + y })),
    });
  const at = async () => Number(await chart.getAttribute('aria-valuenow'));
  const before = await sensors().evaluate((panel) => panel.scrollTop);
  await touch('touchStart', [[60, 60]]);
  for (let x = 60; x <= box.width - 20; x += 20) await touch('touchMove', [[x, 56 + x / 5]]);
  await expect.poll(at).toBeGreaterThan(18);
  await touch('touchMove', [[120, 90]]);
  await expect.poll(at).toBeLessThan(12);
  await touch('touchEnd', []);
  const top = () => sensors().evaluate((panel) => panel.scrollTop);
  expect(await top()).toBe(before);
  expect(await sensors().evaluate((panel) => panel.scrollLeft)).toBe(0);
  await touch('touchStart', [[150, 90]]);
  for (let y = 90; y >= -60; y -= 15) await touch('touchMove', [[150, y]]);
  await touch('touchEnd', []);
  await expect.poll(top).toBeGreaterThan(before);
});

test('the first readings of a sensor appear without a reload, first the latest values, then the charts', async () => {
  const { page } = phone;
  const id = await addQuietPlant(server, 'Quiet');
  const syncNow = () => page.evaluate(() => window.dispatchEvent(new Event('online')));
  const sensors = page.getByRole('tabpanel', { name: 'Sensor Data' });
  // Makes the server send whole lists: a delta would contain the plant's readings. Begins before the page loads, so
  // that no earlier request for a delta is still pending.
  await phone.context.route('**/with-latest-readings', async (route) => {
    const { 'if-none-match': _, 'a-im': __, ...headers } = await route.request().allHeaders();
    await route.continue({ headers });
  });
  // While `isFailing` is false, the test responds to requests for this plant's readings with an empty list, because a
  // late response of the server could contain the new reading. Later requests fail once `failing` resolves.
  let isFailing = false;
  const failing = deferred();
  await phone.context.route(new RegExp(`/api/logs/plant/${id}\\b`), async (route) => {
    if (!isFailing) return route.fulfill({ json: [] });
    await failing.promise;
    await route.fulfill({ status: 500, json: { message: 'No logs today' } });
  });
  await page.goto(`/dashboard/schedule?plant=${id}&tab=sensors`);
  await sensors.getByRole('status').filter({ hasText: 'No sensor data available' }).waitFor();
  isFailing = true;
  await postAsDemo(server, '/api/logs', {
    plant_id: id,
    timestamp: new Date(Date.now() - 3_600_000).toISOString(),
    soil_humidity: 40,
    air_humidity: 50,
    temperature: 20,
    luminance: 3000,
  });
  await syncNow();
  await sensors.getByText('40 %', { exact: true }).waitFor();
  await expect.poll(() => sensors.getByText('Loading readings...').count()).toBe(4);
  failing.resolve();
  await expect.poll(() => sensors.getByText('No sensor data available').count()).toBe(4);
  // Waits until running route handlers have finished: one of them may still have to continue a request for the list of
  // plants.
  await phone.context.unrouteAll({ behavior: 'wait' });
  await syncNow();
  await expect.poll(() => page.getByRole('slider').count()).toBe(4);
});

test('offline, a link opens the dialog with its charts, including a range opened before, and a watering waits to be sent', async () => {
  const { page } = phone;
  const range = page.getByRole('radio', { name: '7 d' });
  const soil = page.getByRole('figure', { name: 'Soil humidity trend' });
  const days = () => soil.getByRole('slider').getAttribute('aria-valuemax');
  const link = `/dashboard?plant=${await idOf(server, 'Monty')}&tab=sensors`;
  await page.goto(link);
  await range.check();
  await page.getByRole('heading', { name: 'Last 7 Days' }).waitFor();
  await expect.poll(async () => Number(await days())).toBeGreaterThan(100);
  const seen = await days();
  await server.kill();
  await page.goto(link);
  await page.getByRole('slider').nth(3).waitFor();
  await range.check();
  await expect.poll(days).toBe(seen);
  await openTab(page, 'Overview');
  await dialog(page).getByRole('button', { name: 'Water Now: Monty' }).click();
  await dialog(page).getByText('Waiting to be sent').waitFor();
  await page.goto('/dashboard');
  await server.start();
  await plantCard(page, 'Monty')
    .getByText('Waiting to be sent')
    .waitFor({ state: 'detached', ...retryTimeout });
  expect(phone.problems).toEqual([]);
});
