import { beforeEach, expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { formatMoment } from '#domain/dates.ts';
import type { JournalEntry } from '#domain/journal/entry.ts';
import { hourMs } from '#domain/time.ts';
import { defaultZone } from '#domain/zone.ts';
import { violationsInBothThemes } from '../../../../support/component/accessibility.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { emulateMedia, resizeScreen } from '../../../../support/component/browser.ts';
import {
  dayOfReadings,
  monty,
  pullPlants,
  pullReadings,
  readingAgo,
  setSync,
  storePlant,
} from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { journalEntry, journalRow } from '../../../../support/device/device-rows.ts';

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty()]);
});

const panel = () => page.getByRole('tabpanel', { name: 'Sensor Data' });
const charts = () => page.getByRole('slider');
const chart = (index = 0): Locator => charts().nth(index);
const valueNow = (index = 0) => Number(chart(index).element().getAttribute('aria-valuenow'));

async function openSensors(): Promise<void> {
  await openApp('/dashboard/analytics?plant=monty&tab=sensors');
  await expect.element(panel().getByRole('heading', { name: 'Last 24 Hours' })).toBeVisible();
}

async function openWithReadings(): Promise<void> {
  await pullReadings(db, 'monty', dayOfReadings());
  await openSensors();
  await expect.poll(() => charts().elements().length).toBe(4);
}

test('four charts, each 120 pixels high, draw the readings, the band of the optimal range and a crosshair that they share', async () => {
  await openWithReadings();
  for (const index of [0, 1, 2, 3]) {
    expect((chart(index).element() as HTMLElement).offsetHeight).toBe(120);
    await expect.poll(() => inkedPlaces(index, '--leaf').length).toBeGreaterThan(150);
    expect(inkedPlaces(index, '--leaf-tint').length).toBeGreaterThan(1000);
  }
  await chart().hover();
  // Until a reading is picked, all four charts describe the newest one.
  await expect.poll(valueNow).not.toBe(23);
  const moments = charts()
    .elements()
    .map((element) => element.getAttribute('aria-valuetext')?.split(' · ')[1]);
  expect(new Set(moments).size).toBe(1);
  expect(moments[0]).toMatch(/^[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M$/);
  expect(
    panel()
      .getByText(moments[0] ?? '')
      .elements().length,
  ).toBeGreaterThanOrEqual(4);
});

test('the time axis of readings over several days has days as labels', async () => {
  const drawn = vi.spyOn(CanvasRenderingContext2D.prototype, 'fillText');
  await pullReadings(
    db,
    'monty',
    Array.from({ length: 24 }, (_, n) => readingAgo(4 * n)),
  );
  await openSensors();
  const labels = () =>
    drawn.mock.calls.map(([text]) => text).filter((text) => /[A-Z]{2}|[a-z]/.test(text));
  await expect.poll(() => new Set(labels()).size).toBeGreaterThan(2);
  expect(labels().filter((text) => !/^[A-Z][a-z]{2} \d+$/.test(text))).toEqual([]);
});

test('the arrow keys move the crosshair by one reading, Home and End to the oldest and the newest, and leaving the chart removes it', async () => {
  await openWithReadings();
  (chart().element() as HTMLElement).focus();
  for (const [key, index] of [
    ['Home', 0],
    ['ArrowRight', 1],
    ['ArrowLeft', 0],
    ['End', 23],
  ] as const) {
    await userEvent.keyboard(`{${key}}`);
    await expect.poll(valueNow).toBe(index);
  }
  expect(valueNow(3)).toBe(23);
  await userEvent.keyboard('{Home}');
  await expect.poll(valueNow).toBe(0);
  await userEvent.keyboard('{Tab}');
  await expect.poll(valueNow).toBe(23);
});

test('the crosshair stays at its reading when a new reading arrives', async () => {
  await pullReadings(db, 'monty', [readingAgo(3), readingAgo(2), readingAgo(1)]);
  await openSensors();
  await expect.poll(() => charts().elements().length).toBe(4);
  (chart().element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.poll(valueNow).toBe(1);
  const text = chart().element().getAttribute('aria-valuetext');
  // The chart shows the newest 24 readings, so the oldest of these 25 is no longer shown.
  await pullReadings(
    db,
    'monty',
    Array.from({ length: 22 }, (_, n) => readingAgo(n / 100)),
  );
  await expect.element(chart()).toHaveAttribute('aria-valuemax', '23');
  expect([valueNow(), chart().element().getAttribute('aria-valuetext')]).toEqual([0, text]);
});

test('scrolling any part of the tab into view, also text for screen readers, does not move the header', async () => {
  await openWithReadings();
  const dialog = page.getByRole('dialog', { name: 'Monty' }).element();
  for (const part of panel().element().querySelectorAll('*')) part.scrollIntoView();
  expect(dialog.scrollTop).toBe(0);
  expect(panel().element().scrollTop).toBeGreaterThan(0);
});

test('each chart describes in words what it shows', async () => {
  await openWithReadings();
  const sentence =
    /^Soil humidity: latest 40 %, lowest 40 %, highest 63 %\. 24 readings from .* to .*, all in the optimal range\./;
  await expect.element(panel().getByText(sentence)).toBeInTheDocument();
  expect(
    panel()
      .getByText(/^(Air humidity|Temperature|Light): latest/)
      .elements(),
  ).toHaveLength(3);
});

test('the description of a chart counts only the readings that contain its value, and gives their period', async () => {
  const reported = [0.8, 0.6].map((hours) => readingAgo(hours));
  const others = [1, 0.2].map((hours) => readingAgo(hours, { soil_humidity: null }));
  await pullReadings(db, 'monty', [...reported, ...others]);
  await openSensors();
  const [from, to] = reported.map(({ timestamp }) =>
    formatMoment(Date.parse(timestamp), 'dateTime', defaultZone),
  );
  const sentence = panel().getByText(/^Soil humidity: latest/);
  await expect.element(sentence).toHaveTextContent(`2 readings from ${from} to ${to},`);
});

test('each value of the latest reading is rated in words and marked on its bar, at the end of the bar if it is off the scale', async () => {
  await pullReadings(db, 'monty', [
    readingAgo(0, { soil_humidity: 3.5, air_humidity: null, temperature: 61.2, luminance: 25_000 }),
  ]);
  await openSensors();
  const tile = (name: string) => panel().getByRole('listitem').filter({ hasText: name });
  await expect.element(tile('Soil humidity')).toHaveTextContent(/3\.5 %.*Too low/);
  await expect.element(tile('Temperature')).toHaveTextContent(/61\.2 °C.*Too high/);
  await expect.element(tile('Air humidity')).toHaveTextContent('Not reported');
  // Positions in percent of the bar. The scales are 0–100 %, 0–50 °C and 0–20000 lux.
  expect(barOf(tile('Soil humidity'))).toEqual({ from: 25, to: 70, value: 3.5 });
  expect(barOf(tile('Air humidity'))).toEqual({ from: 50, to: 80, value: null });
  expect(barOf(tile('Temperature'))).toEqual({ from: 36, to: 62, value: 100 });
  expect(barOf(tile('Light'))).toEqual({ from: 5, to: 100, value: 100 });
});

test('the latest value is rounded only if the rounded value has the same verdict', async () => {
  await pullReadings(db, 'monty', [
    readingAgo(0, {
      soil_humidity: 24.96,
      air_humidity: 49.94,
      temperature: 31.04,
      luminance: 20_000.4,
    }),
  ]);
  await openSensors();
  const tile = (name: string) => panel().getByRole('listitem').filter({ hasText: name });
  await expect.element(tile('Soil humidity')).toHaveTextContent(/24\.96 %.*Too low/);
  await expect.element(tile('Air humidity')).toHaveTextContent(/49\.9 %.*Too low/);
  await expect.element(tile('Temperature')).toHaveTextContent(/31\.04 °C.*Too high/);
  await expect.element(tile('Light')).toHaveTextContent(/20,000\.4 lux.*Too high/);
});

test('Sensor Data and Care Settings show the same optimal range, which is not rounded', async () => {
  const range = { temperature_threshold_min: 22.25, temperature_threshold_max: 24.75 };
  await pullPlants(db, [monty(range)]);
  await pullReadings(db, 'monty', [readingAgo(0, { temperature: 24.78 })]);
  await openSensors();
  const tile = panel().getByRole('listitem').filter({ hasText: 'Temperature' });
  await expect.element(tile).toHaveTextContent(/24\.8 °C.*Too high.*Optimal 22\.25–24\.75 °C/);
  await page.getByRole('tab', { name: 'Care Settings' }).click();
  const settings = page.getByRole('tabpanel', { name: 'Care Settings' });
  await expect.element(settings.getByText('22.25–24.75 °C', { exact: true })).toBeVisible();
});

/** Where a bar's optimal zone and its marker are on the screen, in percent of the bar. */
function barOf(tile: Locator) {
  const bar = tile.element().querySelector('[aria-hidden]:has(> div)');
  if (!bar) throw new Error('no bar');
  const { left, width } = bar.getBoundingClientRect();
  const percent = (x: number) => Math.round((1000 * (x - left)) / width) / 10;
  const [zone, marker] = [...bar.children].map((part) => part.getBoundingClientRect());
  if (!zone) return null;
  const value = marker ? percent(marker.left + marker.width / 2) : null;
  return { from: percent(zone.left), to: percent(zone.right), value };
}

test('the tab says only after loading that there are no readings; the first readings appear automatically', async () => {
  await openSensors();
  const nothing = () => panel().getByText('No sensor data available').elements().length;
  await expect.poll(nothing).toBe(1);
  expect(charts().elements()).toHaveLength(0);
  expect(await violationsInBothThemes()).toEqual([]);
  const first = readingAgo(1, { soil_humidity: 40 });
  await pullReadings(db, 'monty', [first], { withReadings: false });
  await expect.element(panel().getByText('40 %', { exact: true })).toBeVisible();
  expect(panel().getByText('Loading readings...').elements()).toHaveLength(4);
  expect(nothing()).toBe(0);
  // Simulates the end of a pull that could not load the readings.
  await setSync(db, { pulledAt: Date.now() + 1, connectivity: 'online' });
  await expect.poll(nothing).toBe(4);
  await pullReadings(db, 'monty', [first]);
  await expect.poll(() => charts().elements().length).toBe(4);
  const figure = panel().getByRole('figure', { name: 'Soil humidity trend' });
  expect(figure.element().querySelector('figcaption')?.textContent).toBe('Soil humidity40 %');
});

test('a tab that is opened while the first readings are being loaded says that there are none only after loading has failed', async () => {
  await setSync(db, { pulledAt: Date.now() - hourMs, connectivity: 'online' });
  await pullReadings(db, 'monty', [readingAgo(1)], { withReadings: false });
  await openSensors();
  await expect.poll(() => panel().getByText('Loading readings...').elements().length).toBe(4);
  expect(panel().getByText('No sensor data available').elements()).toHaveLength(0);
  // Sync loads the readings of this plant before those of others.
  expect(await db.syncState.get('look')).toMatchObject({ plantKey: 'monty' });
  const failed = { pullError: 'Out of order', pullFailedAt: Date.now() };
  await setSync(db, { pulledAt: Date.now() - hourMs, connectivity: 'online', ...failed });
  await expect.element(panel().getByText('No sensor data available').nth(3)).toBeVisible();
});

test('when the first values arrive just as an earlier pull ends, their charts are still shown as loading', async () => {
  await openSensors();
  await expect.element(panel().getByText('No sensor data available')).toBeVisible();
  await db.transaction('rw', db.syncState, db.latest, db.readings, async () => {
    await setSync(db, { pulledAt: Date.now() - 1, connectivity: 'online' });
    await pullReadings(db, 'monty', [readingAgo(1)], { withReadings: false });
  });
  await expect.poll(() => panel().getByText('Loading readings...').elements().length).toBe(4);
});

test('no line connects values across a gap, and at a reading without a value the crosshair says “Not reported”', async () => {
  const third = readingAgo(0.4, { soil_humidity: 45 });
  await pullReadings(db, 'monty', [
    readingAgo(1, { soil_humidity: 40 }),
    readingAgo(0.8, { soil_humidity: null }),
    readingAgo(0.6, { soil_humidity: null }),
    third,
    readingAgo(0.2, { soil_humidity: 46 }),
  ]);
  await openSensors();
  await expect.poll(() => inkedWidth(1, '--leaf')).toBeGreaterThan(0.7);
  expect(inkedWidth(0, '--leaf')).toBeLessThan(0.5);
  (chart().element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowLeft}');
  const text = `45 % · ${formatMoment(Date.parse(third.timestamp), 'dateTime', defaultZone)}`;
  await expect.element(chart()).toHaveAttribute('aria-valuetext', text);
  expect(chart().element().closest('figure')?.querySelector('figcaption')?.textContent).toContain(
    text,
  );
  await userEvent.keyboard('{ArrowLeft}');
  await expect
    .element(chart())
    .toHaveAttribute('aria-valuetext', expect.stringMatching(/^Not reported · /));
});

test('a watering is marked in the charts', async () => {
  await storePlant(db, monty({ last_watered: null }));
  await setSync(db, { pulledAt: Date.now(), connectivity: 'offline' });
  await openWithReadings();
  expect(inkedPlaces(0, '--water')).toHaveLength(0);
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Water Now: Monty' }).click();
  await page.getByRole('tab', { name: 'Sensor Data' }).click();
  await expect.poll(() => inkedPlaces(0, '--water').length).toBeGreaterThan(20);
  await expect
    .element(
      panel()
        .getByText(/Watered [A-Z]/)
        .first(),
    )
    .toBeInTheDocument();
});

test('all waterings of the last day are drawn, even if the journal has many earlier ones', async () => {
  const watered = (hours: number) =>
    journalEntry({ id: `w${hours}`, at: new Date(Date.now() - hours * hourMs).toISOString() });
  const store = (entries: JournalEntry[]) =>
    db.journal.put(journalRow({ plantId: 'monty', entries }));
  const ink = () => inkedPlaces(0, '--water').length;
  await store([watered(2)]);
  await openWithReadings();
  await expect.poll(ink).toBeGreaterThan(20);
  const inkOfOne = ink();
  const earlier = Array.from({ length: 40 }, (_, week) => watered((week + 1) * 7 * 24));
  await store([watered(2), watered(12), ...earlier]);
  await expect.poll(() => ink() / inkOfOne).toBeGreaterThan(1.8);
  // The description leaves out earlier waterings too.
  const time = 'Nov 20, 2026, 3:05 PM'.replace(/\w+/g, '\\w+');
  await expect
    .element(panel().getByText(/^Soil humidity: latest/))
    .toHaveTextContent(new RegExp(`Watered ${time} and ${time}\\.$`));
});

test('the charts follow the width of the dialog and the theme', async () => {
  await openWithReadings();
  const width = () => chart().element().querySelector('canvas')?.clientWidth ?? 0;
  await expect.poll(width).toBeGreaterThan(200);
  const narrow = width();
  await resizeScreen(500);
  await expect.poll(width).toBe(narrow + 110);
  await resizeScreen(390);
  await expect.poll(width).toBe(narrow);
  await emulateMedia({ 'prefers-color-scheme': 'dark' });
  await expect.poll(() => inkedPlaces(0, '--leaf').length).toBeGreaterThan(150);
});

test('if the stored readings cannot be read, an error with a retry button is shown', async () => {
  await pullReadings(db, 'monty', dayOfReadings());
  const { get } = IDBObjectStore.prototype;
  const broken = vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function read(
    this: IDBObjectStore,
    query,
  ) {
    if (this.name === 'readings') throw new DOMException('The disk is gone', 'UnknownError');
    return get.call(this, query);
  });
  await openSensors();
  const alert = panel().getByRole('alert').getByText('The readings could not be loaded.');
  await expect.element(alert).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
  broken.mockRestore();
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect.poll(() => charts().elements().length).toBe(4);
  // Try Again also requests a pull.
  await expect.poll(() => db.syncState.get('request')).toBeDefined();
});

test('Overview, Sensor Data and Care Settings are accessible in both themes, and their targets are at least 44 pixels high', async () => {
  await openWithReadings();
  for (const tab of ['Overview', 'Sensor Data', 'Care Settings']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect.element(page.getByRole('tabpanel', { name: tab })).toBeVisible();
    expect(await violationsInBothThemes()).toEqual([]);
    const dialog = page.getByRole('dialog').element();
    const small = [...dialog.querySelectorAll('button, a, [role=slider]')]
      .filter((element) => element.getBoundingClientRect().height < 44)
      .map((element) => element.outerHTML.slice(0, 80));
    expect(small).toEqual([]);
    const { scrollWidth, clientWidth } = page.getByRole('tabpanel').element();
    expect(scrollWidth - clientWidth).toBe(0);
  }
});

/** The fraction (0–1) of a chart's pixel columns that contain a token's colour. */
function inkedWidth(index: number, token: string): number {
  const width = canvasOf(index)?.width ?? 1;
  return new Set(inkedPlaces(index, token).map((place) => place % width)).size / width;
}

/** The indexes, row by row, of a chart's opaque pixels with a token's colour; small differences are tolerated. */
function inkedPlaces(index: number, token: string): number[] {
  const canvas = canvasOf(index);
  const probe = document.createElement('canvas').getContext('2d');
  const own = canvas?.getContext('2d');
  if (!canvas || !probe || !own) return [];
  probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(token);
  probe.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0] = probe.getImageData(0, 0, 1, 1).data;
  const { data } = own.getImageData(0, 0, canvas.width, canvas.height);
  const places: number[] = [];
  for (let i = 0; i < data.length; i += 4) {
    const distance =
      Math.abs((data[i] ?? 0) - r) +
      Math.abs((data[i + 1] ?? 0) - g) +
      Math.abs((data[i + 2] ?? 0) - b);
    if (distance < 12 && data[i + 3] === 255) places.push(i / 4);
  }
  return places;
}

function canvasOf(index: number) {
  return chart(index).element().querySelector('canvas');
}
