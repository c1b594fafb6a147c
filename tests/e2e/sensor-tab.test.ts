import type { Locator } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { barriersInBothThemes } from './support/accessibility.ts';
import { type AppServer, openAppServer } from './support/app-server.ts';
import { openPhone, type Phone } from './support/browser.ts';
import { signIn } from './support/garden.ts';
import {
  addQuietPlant,
  breakReadings,
  dialog,
  idOf,
  inkedPixels,
  inkedWidth,
  openTab,
} from './support/plant-dialog.ts';

let server: AppServer;
let phone: Phone;
let monty: string;
let quiet: string;
beforeAll(async () => {
  server = await openAppServer();
  await server.start();
  quiet = await addQuietPlant(server, 'Quiet');
  monty = await idOf(server, 'Monty');
  phone = await openPhone(server.url);
  await signIn(phone.page);
});
afterAll(async () => {
  await phone.close();
  await server.close();
});

const sensors = () => phone.page.getByRole('tabpanel', { name: 'Sensor Data' });
const charts = () => sensors().getByRole('slider');
const syncNow = () => phone.page.evaluate(() => window.dispatchEvent(new Event('online')));

async function openSensors(id: string): Promise<void> {
  await phone.page.goto(`/dashboard/schedule?plant=${id}&tab=sensors`);
  await sensors().getByRole('heading', { name: 'Last 24 Hours' }).waitFor();
}

/** Readings `hoursAgo` each, in one go; null is a measure that was not reported. */
async function report(id: string, hoursAgo: number[], soil: (number | null)[]): Promise<void> {
  await server.query(
    `INSERT INTO sensor_logs
     SELECT p.user_id, p.id, date_trunc('second', now()) - make_interval(secs => 3600 * r.h), r.soil, 50, 20, 3000
     FROM plants p, unnest($2::float8[], $3::float8[]) AS r(h, soil) WHERE p.id = $1`,
    [id, hoursAgo, soil],
  );
}

/** The next answer with readings is a failure, and comes only when that is called. */
async function holdLogs(): Promise<() => void> {
  const { promise, resolve } = deferred();
  await phone.context.route(
    /\/api\/logs\/plant\//,
    async (route) => {
      await promise;
      await route.fulfill({ status: 500, json: { message: 'No logs today' } });
    },
    { times: 1 },
  );
  return resolve;
}

beforeEach(() => openSensors(monty));

test('four charts of 120 pixels draw the readings, the band and a shared crosshair', async () => {
  await expect.poll(() => charts().count()).toBe(4);
  for (const chart of await charts().all()) {
    expect((await chart.boundingBox())?.height).toBe(120);
    expect(await inkedPixels(chart, '--leaf')).toBeGreaterThan(150);
    expect(await inkedPixels(chart, '--leaf-tint')).toBeGreaterThan(1000);
  }
  await charts().first().scrollIntoViewIfNeeded();
  await charts().first().hover();
  // Unpicked, all four say the newest reading.
  await expect.poll(() => charts().first().getAttribute('aria-valuenow')).not.toBe('23');
  const texts = async () =>
    Promise.all((await charts().all()).map((c) => c.getAttribute('aria-valuetext')));
  const moments = (await texts()).map((text) => text?.split(' · ')[1]);
  expect(new Set(moments).size).toBe(1);
  expect(moments[0]).toMatch(/^[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M$/);
  await sensors()
    .getByText(moments[0] ?? '')
    .first()
    .waitFor();
  expect(
    await sensors()
      .getByText(moments[0] ?? '')
      .count(),
  ).toBeGreaterThanOrEqual(4);
});

test('the arrow keys move the crosshair, also to the newest and the oldest reading', async () => {
  const chart = charts().first();
  await chart.focus();
  const at = () => chart.getAttribute('aria-valuenow');
  await phone.page.keyboard.press('Home');
  await expect.poll(at).toBe('0');
  await phone.page.keyboard.press('ArrowRight');
  await expect.poll(at).toBe('1');
  await phone.page.keyboard.press('End');
  await expect.poll(at).toBe('23');
  expect(await charts().last().getAttribute('aria-valuenow')).toBe('23');
});

test('a finger moves the crosshair sideways and scrolls the tab up and down', async () => {
  const { page } = phone;
  const chart = charts().first();
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  if (!box) throw new Error('the chart is not there');
  // Not every browser shows by scrolling what it would do without this.
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

test('each chart describes in words what it shows', async () => {
  await sensors()
    .getByText(
      /^Soil humidity: latest [\d.]+ %, lowest [\d.]+ %, highest [\d.]+ %\. 24 readings from/,
    )
    .waitFor({ state: 'attached' });
  expect(
    await sensors()
      .getByText(/^(Air humidity|Temperature|Light): latest/)
      .count(),
  ).toBe(3);
});

test('the latest readings are judged in words, also beyond the scale', async () => {
  await server.query(
    `INSERT INTO sensor_logs SELECT user_id, id, now() + interval '1 minute', 3.5, NULL, 61.2, 25000
     FROM plants WHERE id = $1`,
    [monty],
  );
  await syncNow();
  const tile = (name: string) => sensors().getByRole('listitem').filter({ hasText: name });
  await tile('Soil humidity').getByText('3.5 %').waitFor();
  expect(await tile('Soil humidity').textContent()).toContain('Too low');
  expect(await tile('Temperature').textContent()).toContain('61.2 °C');
  expect(await tile('Temperature').textContent()).toContain('Too high');
  expect(await tile('Air humidity').textContent()).toContain('Not reported');
  // In percent of 0–100 %, 0–50 °C and 0–20000 lux: Monty likes 25–70 %, 50–80 %, 18–31 °C and 1000–20000 lux.
  await expect.poll(() => barOf(tile('Soil humidity'))).toEqual({ from: 25, to: 70, value: 3.5 });
  await expect.poll(() => barOf(tile('Air humidity'))).toEqual({ from: 50, to: 80, value: null });
  await expect.poll(() => barOf(tile('Temperature'))).toEqual({ from: 36, to: 62, value: 100 });
  await expect.poll(() => barOf(tile('Light'))).toEqual({ from: 5, to: 100, value: 100 });
});

/** Where a bar's zone and marker stand on the screen, in percent of the bar. */
async function barOf(tile: Locator) {
  return tile.locator('[aria-hidden]:has(> div)').evaluate((bar) => {
    const { left, width } = bar.getBoundingClientRect();
    const percent = (x: number) => Math.round((1000 * (x - left)) / width) / 10;
    const [zone, marker] = [...bar.children].map((part) => part.getBoundingClientRect());
    if (!zone) return null;
    const value = marker ? percent(marker.left + marker.width / 2) : null;
    return { from: percent(zone.left), to: percent(zone.right), value };
  });
}

test('the tab says that there are no readings only once loaded; the first one appears without a reload, and gaps are not bridged', async () => {
  const { page } = phone;
  await openSensors(quiet);
  await sensors().getByRole('status').filter({ hasText: 'No sensor data available' }).waitFor();
  expect(await charts().count()).toBe(0);
  expect(await barriersInBothThemes(page)).toEqual([]);
  await report(quiet, [1], [40]);
  const fail = await holdLogs();
  await syncNow();
  await sensors().getByText('40 %', { exact: true }).waitFor();
  expect(await sensors().getByText('Loading readings...').count()).toBe(4);
  expect(await sensors().getByText('No sensor data available').count()).toBe(0);
  fail();
  await expect.poll(() => sensors().getByText('No sensor data available').count()).toBe(4);
  await syncNow();
  await expect.poll(() => charts().count()).toBe(4);
  await report(quiet, [0.8, 0.6, 0.4, 0.2], [null, null, 45, 46]);
  await syncNow();
  await sensors().getByText('46 %', { exact: true }).first().waitFor();
  await expect.poll(() => charts().first().getAttribute('aria-valuemax')).toBe('4');
  await expect.poll(() => inkedWidth(charts().nth(1), '--leaf')).toBeGreaterThan(0.7);
  expect(await inkedWidth(charts().first(), '--leaf')).toBeLessThan(0.5);
  await charts().first().focus();
  await page.keyboard.press('ArrowLeft');
  const third = `45 % · ${await momentOf(quiet, 45)}`;
  await expect.poll(() => charts().first().getAttribute('aria-valuetext')).toBe(third);
  expect(await charts().first().locator('..').locator('figcaption').textContent()).toContain(third);
  await page.keyboard.press('ArrowLeft');
  await expect
    .poll(() => charts().first().getAttribute('aria-valuetext'))
    .toMatch(/^Not reported · /);
});

/** When a soil humidity was reported, on the clock of UTC+7. */
async function momentOf(id: string, soil: number): Promise<string> {
  const [row] = await server.query<{ ts: Date }>(
    'SELECT ts FROM sensor_logs WHERE plant_id = $1 AND soil_humidity = $2',
    [id, soil],
  );
  return new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Asia/Bangkok',
  }).format(row?.ts);
}

test('a watering is marked in the charts', async () => {
  const { page } = phone;
  await openSensors(quiet);
  const soil = charts().first();
  expect(await inkedPixels(soil, '--water')).toBe(0);
  await openTab(page, 'Overview');
  await dialog(page).getByRole('button', { name: 'Water Now: Quiet' }).click();
  await openTab(page, 'Sensor Data');
  await expect.poll(() => inkedPixels(soil, '--water')).toBeGreaterThan(20);
  await sensors()
    .getByText(/Watered [A-Z]/)
    .first()
    .waitFor({ state: 'attached' });
});

test('the charts follow the width of the dialog and the theme', async () => {
  const { page } = phone;
  const width = () =>
    charts()
      .first()
      .locator('canvas')
      .evaluate((canvas) => canvas.clientWidth);
  await expect.poll(width).toBeGreaterThan(200);
  const narrow = await width();
  await page.setViewportSize({ width: 500, height: 844 });
  await expect.poll(width).toBe(narrow + 110);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(width).toBe(narrow);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => inkedPixels(charts().first(), '--leaf')).toBeGreaterThan(150);
  await page.emulateMedia({ colorScheme: 'light' });
});

test('readings that cannot be read from the device show an error with a retry', async () => {
  const { page } = phone;
  await openTab(page, 'Overview');
  await breakReadings(page);
  await openTab(page, 'Sensor Data');
  await sensors().getByRole('alert').getByText('The readings could not be loaded.').waitFor();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.evaluate(() => window.dispatchEvent(new Event('repaired')));
  const asked = phone.context.waitForEvent('request', (request) =>
    request.url().includes('/with-latest-readings'),
  );
  await sensors().getByRole('button', { name: 'Try Again' }).click();
  await expect.poll(() => charts().count()).toBe(4);
  await asked;
});

test('no tab has an accessibility violation in either theme, and every target is large enough', async () => {
  const { page } = phone;
  for (const tab of ['Overview', 'Sensor Data', 'Care Settings']) {
    await openTab(page, tab);
    expect(await barriersInBothThemes(page)).toEqual([]);
    const small = await dialog(page).evaluate((box) =>
      [...box.querySelectorAll('button, a, [role=slider]')]
        .filter((el) => el.getBoundingClientRect().height < 44)
        .map((el) => el.outerHTML.slice(0, 80)),
    );
    expect(small).toEqual([]);
    const overflow = await page
      .getByRole('tabpanel')
      .evaluate((el) => el.scrollWidth - el.clientWidth);
    expect(overflow).toBe(0);
  }
  expect(phone.problems).toEqual([]);
});
