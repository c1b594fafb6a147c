import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { type Browser, chromium } from 'playwright';
import { findChromium } from '#build/find-chromium.ts';
import { databaseOver } from '#server/database/database.ts';
import { rollUpReadings } from '#server/readings/series/roll-up-job.ts';
import { projectRoot } from '../../src/build/build-if-needed.mjs';
import { bearer } from '../support/server/server.ts';
import type { Bench } from './support/bench.ts';
import { openBareSite } from './support/browser/bare-site.ts';
import { bundle, inKilobytes } from './support/browser/bundle.ts';
import { slowPhone } from './support/browser/warm-start.ts';
import type { Listening } from './support/listening.ts';
import { rowOf } from './support/results/figures-text.ts';
import type { Part, Row } from './support/results/results.ts';
import { compare } from './support/results/rounds.ts';
import { timesRow } from './support/results/times.ts';
import { openScene, type Scene } from './support/server/scene.ts';
import { dayReading, postLog } from './support/server/shots.ts';

const rounds = 7;
const minutesOfYear = 365 * 24 * 60;
const dayMs = 86_400_000;
const rows: Row[] = [];

let scene: Scene;
let browser: Browser;
let site: Listening;

async function open(): Promise<void> {
  scene = await openScene(200);
  const css = fs.readFileSync(path.join(projectRoot, 'src/client/ui/tokens.css'), 'utf8');
  const body = '<div class="chart" style="width:390px;height:120px"></div>'.repeat(4);
  const page = { bundle: await bundle('pages/trends.ts'), body, css };
  site = await openBareSite({ latest: page, year: page });
  browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
}

function section(): Part {
  return {
    title: 'Long charts',
    conditions: `PostgreSQL ${scene.postgresVersion}; a plant with a year of readings, one a minute (${minutesOfYear.toLocaleString('en')}),
all but the last hours rolled up, and a watering a day. Requests: median rate, then CPU µs per operation of the server + of
its database's connections (least of ${rounds} rounds), over 16 connections. Drawing: four charts, 390×120, the page's processor
slowed to a quarter, until the frame that shows all four.`,
    rows,
  };
}

async function close(): Promise<void> {
  await browser.close();
  await site.close();
  await scene.close();
}

const plantId = () => scene.garden.reader.plantIds[0] ?? '';

async function rollUpYear(): Promise<void> {
  const db = databaseOver(new pg.Pool({ connectionString: scene.garden.url, max: 1 }));
  const values = [scene.garden.reader.userId, plantId(), minutesOfYear];
  await db.pool.query(
    'DELETE FROM sensor_logs WHERE user_id = $1 AND plant_id = $2',
    values.slice(0, 2),
  );
  await db.pool.query(
    'DELETE FROM rollup_progress WHERE user_id = $1 AND plant_id = $2',
    values.slice(0, 2),
  );
  await db.pool.query(
    `INSERT INTO sensor_logs (user_id, plant_id, ts, soil_humidity, air_humidity, temperature, luminance)
      SELECT $1, $2, now() - n * interval '1 minute', 20 + 60 * random(), 30 + 60 * random(), 10 + 20 * random(),
        20000 * random()
      FROM generate_series(0, $3::int) n`,
    values,
  );
  await db.pool.query(
    `INSERT INTO waterings (user_id, plant_id, id, watered_at, source, amount_ml)
      SELECT $1, $2, gen_random_uuid(), now() - n * interval '1 day', 'auto', 100.5 FROM generate_series(1, 365) n`,
    values.slice(0, 2),
  );
  await db.pool.query('VACUUM ANALYZE sensor_logs');
  const begun = performance.now();
  let steps = 0;
  await rollUpReadings({
    ...{ db, clock: () => new Date() },
    onFailure: (code) => {
      throw new Error(code);
    },
    pause: async () => {
      steps += 1;
    },
  });
  const ms = performance.now() - begun;
  const { rows: stored } = await db.pool.query<{ hours: number; bytes: string }>(
    `SELECT count(*)::int AS hours, pg_table_size('reading_hours') AS bytes FROM reading_hours
      WHERE user_id = $1 AND plant_id = $2`,
    values.slice(0, 2),
  );
  rows.push({
    what: 'a year of readings rolled up at once',
    figure: `${(ms / 1_000).toFixed(1)} s in ${steps} steps`,
    against: `${stored[0]?.hours.toLocaleString('en')} hours`,
    ratio: `${Math.round(ms / steps)} ms a step`,
  });
  await db.pool.query('VACUUM ANALYZE');
  await db.close();
}

function seriesOf(days: number): string {
  const to = Date.now();
  const query = { from: new Date(to - days * dayMs).toISOString(), to: new Date(to).toISOString() };
  return `/api/logs/plant/${plantId()}/series?${new URLSearchParams(query)}`;
}

async function requests(): Promise<void> {
  const headers = bearer({ token: scene.tokens.reader });
  const series = (days: number) =>
    scene.requests(300, () => ({ method: 'GET', path: seriesOf(days), headers, status: 200 }));
  const { day, week, month, year } = await compare(
    { day: series(1), week: series(7), month: series(30), year: series(365) },
    rounds,
  );
  rows.push(
    rowOf('series of 7 d', week, '24 h', day),
    rowOf('series of 30 d', month, '24 h', day),
    rowOf('series of 1 y', year, '24 h', day),
  );
  const sizes = await Promise.all(
    [365, 1].map(async (days) => {
      const response = await fetch(scene.server.url + seriesOf(days), {
        headers: { ...headers, 'accept-encoding': 'identity' },
      });
      return (await response.arrayBuffer()).byteLength;
    }),
  );
  const [yearBytes = 0, dayBytes = 0] = sizes;
  rows.push({
    what: 'response of 1 y, not compressed',
    figure: inKilobytes(yearBytes),
    against: `24 h: ${inKilobytes(dayBytes)}`,
    ratio: `×${(yearBytes / dayBytes).toFixed(2)}`,
  });
}

async function lateReadings(): Promise<void> {
  const headers = bearer({ token: scene.tokens.owner });
  const { plantIds } = scene.garden.owner;
  const report = (agoMs: number) =>
    scene.requests(1_000, (i) => {
      const timestamp = new Date(Date.now() - agoMs).toISOString();
      return postLog(headers, {
        plant_id: plantIds[i % plantIds.length],
        timestamp,
        ...dayReading,
      });
    });
  const { now, late } = await compare({ now: report(0), late: report(10 * 60 * 60_000) }, rounds);
  rows.push(rowOf('a reading that is 10 h late', late, 'a current reading', now));
}

async function drawing(): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
  });
  const page = await context.newPage();
  await slowPhone(context, page);
  const ms: Record<'latest' | 'year', number[]> = { latest: [], year: [] };
  const names = ['latest', 'year'] as const;
  for (let round = 0; round <= 2 * rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      await page.goto(`${site.url}/${name}`);
      const painted = await (await page.waitForFunction(() => window.painted)).jsonValue();
      // The first round is a warm-up and is not counted.
      if (round > 0) ms[name].push(painted?.drawMs ?? Number.NaN);
    }
  }
  rows.push(
    timesRow('four charts of a year drawn', ms.year, { name: '24 readings', values: ms.latest }),
  );
  await context.close();
}

export const bench: Bench = {
  open,
  steps: [rollUpYear, requests, lateReadings, drawing],
  section,
  close,
};
