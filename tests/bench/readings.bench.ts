import { type Browser, chromium, type Page } from 'playwright';
import { findChromium } from '#build/find-chromium.ts';
import type { PullSize, Stored } from './pages/stored-readings.ts';
import type { Bench } from './support/bench.ts';
import { openBareSite } from './support/browser/bare-site.ts';
import { bundle } from './support/browser/bundle.ts';
import type { Listening } from './support/listening.ts';
import type { Part, Row } from './support/results/results.ts';
import { timesRow } from './support/results/times.ts';

const rounds = 7;
const rows: Row[] = [];

let browser: Browser;
let site: Listening;
let page: Page;

async function open(): Promise<void> {
  site = await openBareSite({
    readings: { bundle: await bundle('pages/stored-readings.ts'), body: '' },
  });
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  page = await browser.newPage();
  await page.goto(`${site.url}/readings`);
}

function section(): Part {
  return {
    title: 'Readings on the device',
    conditions: `The step of a sync that stores readings, from parsing the responses of 300 plants to the last stored row,
by Dexie in Chromium's IndexedDB, compared with one row for each reading by bulkPut. Median of ${rounds} rounds in which
all took turns.`,
    rows,
  };
}

async function close(): Promise<void> {
  await browser.close();
  await site.close();
}

async function storeReadings(): Promise<void> {
  const size = { plants: 300, readings: 10_000 };
  const ms: Record<'packed' | 'once' | 'each', number[]> = { packed: [], once: [], each: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const turn = {
      packed: await storePacked(size),
      once: await storeLoose(size, 'once'),
      each: await storeLoose(size, 'each response'),
    };
    // The first round is a warm-up and is not counted.
    if (round === 0) continue;
    for (const name of ['packed', 'once', 'each'] as const) ms[name].push(turn[name].ms);
  }
  const [each, once] = [
    'a row for each, put as each response comes',
    'a row for each, all in one put',
  ];
  rows.push(
    timesRow('10,000 readings stored', ms.packed, { name: each, values: ms.each }),
    timesRow('10,000 readings stored', ms.packed, { name: once, values: ms.once }),
  );
  for (const readings of [3_000, 10_000, 60_000]) {
    const few = await storePacked({ plants: 300, readings });
    rows.push({
      what: `rows of 300 plants with ${readings.toLocaleString('en')} readings`,
      figure: String(few.rows),
      against: `a row for each: ${readings}`,
      ratio: `${(few.rows / 300).toFixed(2)} per plant`,
    });
  }
}

function storePacked(size: PullSize): Promise<Stored> {
  return page.evaluate((what) => window.storePacked(what), size);
}

function storeLoose(size: PullSize, at: 'once' | 'each response'): Promise<Stored> {
  return page.evaluate(([what, when]) => window.storeLoose(what, when), [size, at] as const);
}

export const bench: Bench = { open, steps: [storeReadings], section, close };
