import fs from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { findChromium } from '#build/find-chromium.ts';
import { projectRoot } from '../../src/build/build-if-needed.mjs';
import type { Bench } from './support/bench.ts';
import { openBareSite } from './support/browser/bare-site.ts';
import { bundle, inKilobytes } from './support/browser/bundle.ts';
import { slowPhone } from './support/browser/warm-start.ts';
import type { Listening } from './support/listening.ts';
import type { Part, Row } from './support/results/results.ts';
import { timesRow } from './support/results/times.ts';

const rounds = 10;
const names = ['ours', 'chartjs', 'recharts'] as const;
type Name = (typeof names)[number];
const rows: Row[] = [];
const chart = '<div class="chart" style="width:390px;height:120px"></div>';

let browser: Browser;
let site: Listening;
let bytes: Record<Name | 'rechartsAlone', number>;

async function open(): Promise<void> {
  const [ours, chartjs, recharts, alone] = [
    await bundle('pages/charts.ts'),
    await bundle('peers/charts-chartjs.mjs'),
    await bundle('peers/charts-recharts.jsx'),
    await bundle('peers/charts-recharts.jsx', ['react', 'react-dom', 'react-dom/client']),
  ];
  bytes = {
    ours: ours.gzipBytes,
    chartjs: chartjs.gzipBytes,
    recharts: recharts.gzipBytes,
    rechartsAlone: alone.gzipBytes,
  };
  const body = chart.repeat(4);
  // The charts read their colours from these tokens.
  const css = fs.readFileSync(path.join(projectRoot, 'src/client/ui/tokens.css'), 'utf8');
  site = await openBareSite({
    ours: { bundle: ours, body, css },
    chartjs: { bundle: chartjs, body },
    recharts: { bundle: recharts, body },
  });
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
}

function section(): Part {
  return {
    title: 'Charts against other libraries',
    conditions: `Four line charts, 390×120, each of 30 days in steps of 15 minutes (2,880 points) with its optimal range
as a band. The page is loaded again for each measurement, and its processor is slowed to a quarter. Median of ${rounds}
rounds in which all took turns, until the frame that shows all four charts. The app's charts are drawn by uPlot, set up
as on the sensor tab. Nothing is animated.`,
    rows,
  };
}

async function close(): Promise<void> {
  await browser.close();
  await site.close();
}

async function fourCharts(): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
  });
  const page = await context.newPage();
  await slowPhone(context, page);
  const draw: Record<Name, number[]> = { ours: [], chartjs: [], recharts: [] };
  const script: Record<Name, number[]> = { ours: [], chartjs: [], recharts: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const { drawMs, scriptMs } = await paint(page, name);
      // The first round is a warm-up and is not counted.
      if (round === 0) continue;
      draw[name].push(drawMs);
      script[name].push(scriptMs);
    }
  }
  for (const [peer, name] of [
    ['chartjs', 'Chart.js'],
    ['recharts', 'recharts'],
  ] as const) {
    rows.push(
      timesRow('four charts drawn', draw.ours, { name, values: draw[peer] }),
      timesRow('library code run and four charts drawn', script.ours, {
        name,
        values: script[peer],
      }),
    );
  }
  rows.push(
    bytesRow('Chart.js', bytes.chartjs),
    bytesRow('recharts, React not counted', bytes.rechartsAlone),
    bytesRow('recharts and React', bytes.recharts),
  );
  await context.close();
}

async function paint(page: Page, name: Name) {
  await page.goto(`${site.url}/${name}`);
  const painted = await page.waitForFunction(() => window.painted);
  return (await painted.jsonValue()) ?? { drawMs: Number.NaN, scriptMs: Number.NaN };
}

function bytesRow(name: string, others: number): Row {
  return {
    what: 'code of such a page, gzip',
    figure: inKilobytes(bytes.ours),
    against: `${name}: ${inKilobytes(others)}`,
    ratio: `×${(bytes.ours / others).toFixed(2)}`,
  };
}

export const bench: Bench = { open, steps: [fourCharts], section, close };
