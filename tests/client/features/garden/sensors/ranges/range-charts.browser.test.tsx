import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { readLastWatered } from '#client/store/series.ts';
import {
  type BucketSeries,
  bucketText,
  type MeasureSeries,
} from '#domain/reading/bucket-series.ts';
import type { RangeName } from '#domain/reading/ranges.ts';
import { defaultZone } from '#domain/zone.ts';
import { bucketSeries, emptySeries } from '../../../../../support/bucket-series.ts';
import { violationsInBothThemes } from '../../../../../support/component/accessibility.ts';
import { fakeApi } from '../../../../../support/component/api.ts';
import { resizeScreen } from '../../../../../support/component/browser.ts';
import {
  dayOfReadings,
  monty,
  pullPlants,
  pullReadings,
  readingAgo,
  setSync,
  wateredAgo,
} from '../../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../../support/component/open-app.tsx';

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty()]);
  await pullReadings(db, 'monty', dayOfReadings());
});

const panel = () => page.getByRole('tabpanel', { name: 'Sensor Data' });
const range = (name: string) => panel().getByRole('radio', { name });
const charts = () => panel().getByRole('slider');
const valueText = () => charts().nth(0).element().getAttribute('aria-valuetext') ?? '';

/** Simulates the sync worker: stores what the server sent. */
async function store(name: RangeName, series: BucketSeries): Promise<void> {
  const lastWatered = await readLastWatered(db, 'monty');
  const row = { plantId: 'monty', range: name, fetchedAt: Date.now(), lastWatered };
  await db.series.put({ ...row, series, isWanted: 0, hasFailed: false });
}

async function openRange(name: string): Promise<void> {
  await openApp('/dashboard/analytics?plant=monty&tab=sensors');
  await range(name).click();
}

const wanted = async () =>
  (await db.series.toArray()).map((row) => [row.plantId, row.range, row.isWanted]);

test('the latest 24 readings are shown first; choosing 7 days requests its series from sync', async () => {
  await openApp('/dashboard/analytics?plant=monty&tab=sensors');
  await expect.element(range('Latest 24 readings')).toBeChecked();
  await expect.element(panel().getByRole('heading', { name: 'Last 24 Hours' })).toBeVisible();
  expect(await wanted()).toEqual([]);
  await range('7 days').click();
  await expect.element(panel().getByRole('heading', { name: 'Last 7 Days' })).toBeVisible();
  await expect.element(panel().getByText('Loading readings...')).toBeVisible();
  await expect.poll(wanted).toEqual([['monty', '7d', 1]]);
  await store('7d', bucketSeries('7d'));
  await expect.poll(() => charts().elements().length).toBe(4);
  await range('Latest 24 readings').click();
  await expect.poll(() => charts().nth(0).element().getAttribute('aria-valuemax')).toBe('23');
});

test('the arrow keys choose a range, and move a crosshair whose value is announced', async () => {
  await store('24h', bucketSeries('24h', { gap: [50, 60] }));
  await openApp('/dashboard/analytics?plant=monty&tab=sensors');
  await expect.element(range('Latest 24 readings')).toBeChecked();
  (range('Latest 24 readings').element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(range('24 hours')).toBeChecked();
  await expect.poll(() => charts().elements().length).toBe(4);
  (charts().nth(0).element() as HTMLElement).focus();
  await userEvent.keyboard('{Home}');
  await expect.poll(valueText).toMatch(/^48 % \(47–49\) · [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M$/);
  for (let i = 0; i < 50; i += 1) await userEvent.keyboard('{ArrowRight}');
  await expect.poll(valueText).toMatch(/^Not reported · /);
  // All four charts show the same moment.
  const moments = charts()
    .elements()
    .map((chart) => chart.getAttribute('aria-valuetext')?.split(' · ')[1]);
  expect(new Set(moments).size).toBe(1);
});

test('hovering over a chart shows a value with its minimum, its maximum and its time', async () => {
  await store('30d', bucketSeries('30d'));
  await openRange('30 days');
  await expect.poll(() => charts().elements().length).toBe(4);
  await charts().nth(1).hover();
  await expect
    .element(
      panel()
        .getByText(/ % \(.*–.*\) · /)
        .first(),
    )
    .toBeVisible();
});

test('a gap in the data is a gap in the line', async () => {
  await store('7d', bucketSeries('7d', { gap: [60, 110] }));
  await openRange('7 days');
  await expect.poll(() => inkIn(0, 0.15, 0.3)).toBeGreaterThan(20);
  expect(inkIn(0, 0.45, 0.6)).toBe(0);
});

test('the area from the lowest to the highest value is drawn', async () => {
  const series = bucketSeries('7d');
  const all = (value: number) => Array<number>(series.count).fill(value);
  await store('7d', { ...series, soil_humidity: { min: all(5), mean: all(50), max: all(95) } });
  await openRange('7 days');
  // Above and below the optimal range of 25 to 70 %, the area is translucent.
  const translucent = () => {
    const canvas = charts().nth(0).element().querySelector('canvas');
    const { data } =
      canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
    return data?.filter((alpha, i) => i % 4 === 3 && alpha > 60 && alpha < 80).length;
  };
  await expect.poll(translucent).toBeGreaterThan(5_000);
});

test('each chart of a range describes in words what it shows', async () => {
  const series = bucketSeries('7d', { gap: [60, 110] });
  series.waterings = { at: [series.start], amount_ml: [null], source: ['manual'], count: [1] };
  await store('7d', series);
  await openRange('7 days');
  const sentence =
    /^Soil humidity in 7 days: latest .* %, lowest .* %, highest .* %\. Reported in 118 of 168 intervals\. Watered once\.$/;
  await expect.element(panel().getByText(sentence)).toBeInTheDocument();
});

/** How many pixels of a chart's line are between two positions, given as fractions of the plot's width. */
function inkIn(chart: number, from: number, to: number): number {
  const canvas = charts().nth(chart).element().querySelector('canvas');
  const context = canvas?.getContext('2d');
  if (!canvas || !context) return 0;
  const left = 38 * devicePixelRatio;
  const width = canvas.width - left;
  // Without the axis. The edges of the band are translucent, so their colour differs from the line's.
  const { data } = context.getImageData(
    left + Math.round(width * from),
    0,
    Math.round(width * (to - from)),
    canvas.height,
  );
  const leaf = [31, 107, 69];
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const isLeaf = leaf.every((part, n) => Math.abs((data[i + n] ?? 0) - part) < 12);
    if (isLeaf && data[i + 3] === 255) count += 1;
  }
  return count;
}

test('a press on another chart keeps the crosshair', async () => {
  await store('24h', bucketSeries('24h'));
  await openRange('24 hours');
  await expect.poll(() => charts().elements().length).toBe(4);
  const values = () =>
    charts()
      .elements()
      .map((chart) => chart.getAttribute('aria-valuenow'));
  await charts()
    .nth(0)
    .click({ position: { x: 120, y: 40 } });
  const [first] = values();
  expect(values()).toEqual([first, first, first, first]);
  await charts()
    .nth(2)
    .click({ position: { x: 200, y: 40 } });
  await expect.element(charts().nth(2)).toHaveFocus();
  const [second] = values();
  expect(values()).toEqual([second, second, second, second]);
  expect(Number(second)).toBeGreaterThan(Number(first));
  expect(second).not.toBe(charts().nth(0).element().getAttribute('aria-valuemax'));
});

test('a table has one row per period with data, newest first, and shows the waterings', async () => {
  const series = bucketSeries('1y', { gap: [0, 20] });
  await store('1y', series);
  await openRange('1 year');
  await panel().getByText('Show as table').click();
  const table = panel().getByRole('table');
  await expect.element(table).toHaveAccessibleName(/Readings of the last year/);
  const rows = table.getByRole('row');
  expect(rows.elements()).toHaveLength(1 + series.count - 20);
  await expect.element(rows.nth(1).getByRole('rowheader')).toHaveTextContent(/ to .*, 20\d\d$/);
  const newest = bucketText(series, series.count - 1, defaultZone);
  await expect.element(rows.nth(1).getByRole('rowheader')).toHaveTextContent(newest);
  await expect.element(table.getByText('2 times, 250 ml')).toBeInTheDocument();
  await expect.element(table.getByText('Once', { exact: true })).toBeInTheDocument();
});

test('the table contains a period in which the plant was watered and the sensor reported nothing', async () => {
  const { count } = bucketSeries('1y');
  // A watering is in the 40th period from the end.
  const series = bucketSeries('1y', { gap: [count - 50, count - 30] });
  await store('1y', series);
  await openRange('1 year');
  await panel().getByText('Show as table').click();
  const rows = panel().getByRole('table').getByRole('row');
  await expect.element(rows.filter({ hasText: '––––' })).toHaveTextContent(/Once$/);
  expect(rows.elements()).toHaveLength(1 + count - 20 + 1);
});

test('on a phone the times stay in view while the table scrolls sideways', async () => {
  await resizeScreen(390, 844);
  await store('1y', bucketSeries('1y'));
  await openRange('1 year');
  await panel().getByText('Show as table').click();
  const table = panel().getByRole('region', { name: /^Readings of the last year/ });
  await expect.element(table).toBeVisible();
  const region = table.element();
  expect(region.scrollWidth).toBeGreaterThan(region.clientWidth);
  region.scrollTo(region.scrollWidth, 100);
  const left = (element: Element | null) => element?.getBoundingClientRect().left ?? 0;
  const edge = left(region) + region.clientLeft;
  for (const cell of region.querySelectorAll('tr > :first-child')) expect(left(cell)).toBe(edge);
  expect(await violationsInBothThemes()).toEqual([]);
});

test('a range can be downloaded as CSV with one line per bucket; the file name contains the plant, the range and its first day', async () => {
  const clicked = vi
    .spyOn(HTMLAnchorElement.prototype, 'click')
    .mockImplementation(() => undefined);
  const blobs = vi.spyOn(URL, 'createObjectURL');
  const series = bucketSeries('30d');
  await store('30d', series);
  await openRange('30 days');
  await panel().getByRole('button', { name: 'Download CSV' }).click();
  const link = clicked.mock.contexts[0] as HTMLAnchorElement;
  expect(link.download).toBe(`sprig-Monty-30d-from-${series.start.slice(0, 10)}.csv`);
  const [blob] = blobs.mock.calls[0] ?? [];
  const text = blob instanceof Blob ? await blob.text() : '';
  expect(text.split('\r\n')).toHaveLength(series.count + 2);
});

test('a range without readings and one that is not on the device show a message', async () => {
  await store('30d', emptySeries('30d'));
  await openRange('30 days');
  await expect.element(panel().getByText('No data in this range')).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
  await setSync(db, { connectivity: 'offline' });
  await expect.element(panel().getByText(/^As of .*; newer readings could not be/)).toBeVisible();
  await range('1 year').click();
  await expect.element(panel().getByText('This range is not on this device yet.')).toBeVisible();
});

test.each([
  ['that is not stored', null],
  ['whose series is old', 3_600_000],
])('opening a range %s requests it once', async (_, age) => {
  if (age !== null) {
    await store('7d', bucketSeries('7d'));
    await db.series.update(['monty', '7d'], { fetchedAt: Date.now() - age });
  }
  const writes = vi.fn();
  db.series.hook('creating', () => void writes());
  db.series.hook('updating', () => void writes());
  await openRange('7 days');
  await expect.poll(wanted).toEqual([['monty', '7d', 1]]);
  // The live query of the last watering started before this read.
  await readLastWatered(db, 'monty');
  for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
  expect(writes).toHaveBeenCalledOnce();
});

test('a stored range whose update failed says until when its readings are known', async () => {
  await store('7d', bucketSeries('7d'));
  await openRange('7 days');
  await expect.poll(() => charts().elements().length).toBe(4);
  await db.series.update(['monty', '7d'], { hasFailed: true });
  await expect
    .element(panel().getByText(/^As of .*; newer readings could not be loaded\.$/))
    .toBeVisible();
});

test('when the newest series has fewer periods, a crosshair after its end moves to its last period', async () => {
  const series = bucketSeries('24h');
  await store('24h', series);
  await openRange('24 hours');
  await expect.element(charts().nth(0)).toBeVisible();
  (charts().nth(0).element() as HTMLElement).focus();
  await userEvent.keyboard('{Home}{End}');
  const valueNow = () => charts().nth(0).element().getAttribute('aria-valuenow');
  await expect.poll(valueNow).toBe(String(series.count - 1));
  const count = series.count - 3;
  const cut = ({ min, max, mean }: MeasureSeries) => ({
    min: min.slice(0, count),
    max: max.slice(0, count),
    mean: mean.slice(0, count),
  });
  const { soil_humidity, air_humidity, temperature, luminance } = series;
  await store('24h', {
    ...{ ...series, count },
    soil_humidity: cut(soil_humidity),
    air_humidity: cut(air_humidity),
    temperature: cut(temperature),
    luminance: cut(luminance),
  });
  await expect.poll(valueNow).toBe(String(count - 1));
  expect(valueText()).toMatch(/ % \(.*\) · /);
});

test('Try Again requests a range that could not be loaded', async () => {
  await openRange('7 days');
  await expect.poll(wanted).toEqual([['monty', '7d', 1]]);
  await db.series.update(['monty', '7d'], { isWanted: 0, hasFailed: true });
  await expect.element(panel().getByText('The readings could not be loaded.')).toBeVisible();
  await panel().getByRole('button', { name: 'Try Again' }).click();
  await expect.poll(wanted).toEqual([['monty', '7d', 1]]);
  await expect.element(panel().getByText('Loading readings...')).toBeVisible();
});

test('a range that was fetched recently is not requested when it is opened; an older one is requested after new readings', async () => {
  await store('24h', bucketSeries('24h'));
  await openRange('24 hours');
  await expect.poll(() => charts().elements().length).toBe(4);
  expect(await wanted()).toEqual([['monty', '24h', 0]]);
  await db.series.update(['monty', '24h'], { fetchedAt: Date.now() - 120_000 });
  await pullReadings(db, 'monty', [readingAgo(0, { soil_humidity: 44 })]);
  await expect.poll(wanted).toEqual([['monty', '24h', 1]]);
  // The stored series stays on the screen meanwhile.
  expect(charts().elements()).toHaveLength(4);
});

test('a range is requested again once the server has confirmed a watering', async () => {
  await store('7d', bucketSeries('7d'));
  await openRange('7 days');
  await expect.poll(() => charts().elements().length).toBe(4);
  expect(await wanted()).toEqual([['monty', '7d', 0]]);
  await pullPlants(db, [monty(wateredAgo(0, 7))]);
  await expect.poll(wanted).toEqual([['monty', '7d', 1]]);
});

test('an open range is requested again each time it is no longer recent', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await store('7d', bucketSeries('7d'));
  await openRange('7 days');
  await expect.poll(() => charts().elements().length).toBe(4);
  const passFiveMinutes = () => {
    vi.setSystemTime(Date.now() + 301_000);
    document.dispatchEvent(new Event('visibilitychange'));
  };
  expect(await wanted()).toEqual([['monty', '7d', 0]]);
  passFiveMinutes();
  await expect.poll(wanted).toEqual([['monty', '7d', 1]]);
  await store('7d', emptySeries('7d'));
  await expect.element(panel().getByText('No data in this range')).toBeVisible();
  passFiveMinutes();
  await expect.poll(wanted).toEqual([['monty', '7d', 1]]);
});

test('charts and table have no accessibility violations in either theme', async () => {
  await store('7d', bucketSeries('7d', { gap: [60, 110] }));
  await openRange('7 days');
  await expect.poll(() => charts().elements().length).toBe(4);
  await panel().getByText('Show as table').click();
  expect(await violationsInBothThemes()).toEqual([]);
});
