import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright';
import { findChromium } from '#build/find-chromium.ts';
import { type AppServer, openAppServer } from '../e2e/support/server/app-server.ts';
import type { Bench } from './support/bench.ts';
import { openMirror } from './support/browser/scriptless.ts';
import { peersFolder } from './support/peers.ts';
import type { Part, Row } from './support/results/results.ts';
import { median } from './support/results/rounds.ts';
import { timesRow } from './support/results/times.ts';

const rounds = 7;
const lighthouseRuns = 5;
const rows: Row[] = [];

/** Slow 4G as Lighthouse and the developer tools apply it. */
const slow4g = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.44 * 1024 * 1024) / 8,
  uploadThroughput: (675 * 1024) / 8,
};

let server: AppServer;
let browser: Browser;

async function open(): Promise<void> {
  server = await openAppServer();
  await server.start();
  browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox'],
  });
}

function section(): Part {
  return {
    title: 'Public pages',
    conditions: `Largest contentful paint: each time in a new browser context with an empty cache, 390×844, Slow 4G applied
(562.5 ms, 1.44 Mbit/s), the page's processor slowed to a quarter; median of ${rounds} rounds in which both took turns.
The two pages differ only in their scripts. Lighthouse: mobile, with its default settings, median of ${lighthouseRuns} runs.`,
    rows,
  };
}

async function close(): Promise<void> {
  await browser.close();
  await server.close();
}

async function landing(): Promise<void> {
  const whole = await openMirror(server.url);
  const bare = await openMirror(server.url, { isScriptless: true });
  const [withScripts, without]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const turn = [await paintedMs(whole.url), await paintedMs(bare.url)] as const;
    // The first round is a warm-up and is not counted.
    if (round === 0) continue;
    withScripts.push(turn[0]);
    without.push(turn[1]);
  }
  rows.push(
    timesRow('/landing, largest contentful paint', withScripts, {
      name: 'without any script',
      values: without,
    }),
  );
  await whole.close();
  await bare.close();
}

/** From the navigation to the largest contentful paint. */
async function paintedMs(origin: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', slow4g);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.goto(`${origin}/landing`, { waitUntil: 'load' });
  // Waits for later paints: the largest contentful paint is the last one reported.
  await page.waitForTimeout(1_500);
  const ms = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          resolve(list.getEntries().at(-1)?.startTime ?? 0);
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
  await context.close();
  return ms;
}

interface Report {
  scores: Record<'performance' | 'accessibility' | 'best-practices' | 'seo', number>;
  /** The ids of weighted audits with a score below 0.9. */
  lost: string[];
}

async function lighthouse(): Promise<void> {
  const pages = ['/landing', '/signin'];
  const reports = new Map<string, Report[]>(pages.map((page) => [page, []]));
  for (let run = 0; run < lighthouseRuns; run += 1) {
    for (const page of pages) reports.get(page)?.push(await examine(server.url + page));
  }
  for (const [page, runs] of reports) {
    const of = (category: keyof Report['scores']) => runs.map(({ scores }) => scores[category]);
    for (const category of ['performance', 'accessibility', 'best-practices', 'seo'] as const) {
      rows.push({
        what: `${page}, Lighthouse ${category}`,
        figure: `${median(of(category))} of 100`,
        against: `lowest ${Math.min(...of(category))}, highest ${Math.max(...of(category))}`,
        ratio: '',
      });
    }
    const lost = new Set(runs.flatMap((run) => run.lost));
    if (lost.size > 0) console.log(`${page}: not green in some run: ${[...lost].join(', ')}`);
  }
}

/** Runs Lighthouse in a process of its own, so that its work does not slow the page down. */
async function examine(url: string): Promise<Report> {
  const script = path.join(peersFolder, 'lighthouse.mjs');
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [script, url, findChromium()],
    {
      timeout: 300_000,
    },
  );
  // Only these lines, because Chromium's launcher writes to stderr too.
  const repeats = stderr.split('\n').filter((line) => line.includes(', again'));
  for (const line of repeats) console.log(line);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Report;
}

export const bench: Bench = { open, steps: [landing, lighthouse], section, close };
