import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { bearer } from '../support/server.ts';
import type { Bench } from './support/bench.ts';
import { load } from './support/load.ts';
import type { Part, Row } from './support/results.ts';
import { median } from './support/rounds.ts';
import { openScene, type Scene, serve } from './support/scene.ts';
import { postLog } from './support/shots.ts';
import { inMs, percentile } from './support/times.ts';

const day = { soil_humidity: 45, air_humidity: 50, temperature: 21, luminance: 5_000 };
const shotsPerTurn = 400;
const turns = 20;
const rows: Row[] = [];

let scene: Scene;
let client: pg.Client;

async function open(): Promise<void> {
  scene = await openScene(20_000);
  client = new pg.Client({ connectionString: scene.garden.url });
  await client.connect();
}

function section(): Part {
  return {
    title: 'Retention',
    conditions: `PostgreSQL ${scene.postgresVersion}. Readings of 500 devices over 16 connections while 1,000,000 old
readings of 50 plants are deleted, and while nothing is deleted, in turns of ${shotsPerTurn}: two processes on one database, of
which one is stopped for the other's turn.`,
    rows,
  };
}

async function close(): Promise<void> {
  await client.end();
  await scene.close();
}

async function ingestMs(url: string): Promise<number[]> {
  const { devices } = scene.garden.owner;
  const ms: number[] = [];
  await load(
    url,
    shotsPerTurn,
    (i) => postLog(bearer({ token: devices[i % devices.length]?.token ?? '' }), day),
    (took) => ms.push(took),
  );
  return ms;
}

async function oldReadings(): Promise<number> {
  const { rows: found } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM sensor_logs WHERE user_id = $1 AND ts < now() - interval '1 day'`,
    [scene.garden.reader.userId],
  );
  return found[0]?.count ?? 0;
}

async function deleteWhileReporting(): Promise<void> {
  const before = await oldReadings();
  const quiet: number[] = [];
  const busy: number[] = [];
  let deletingMs = 0;
  await ingestMs(scene.server.url);
  for (let turn = 0; turn < turns; turn += 1) {
    quiet.push(...(await ingestMs(scene.server.url)));
    const begun = performance.now();
    // Its job starts with it, where the job of the turn before has stopped.
    const deleting = await serve(scene.garden, { env: { READINGS_DAYS: '1' } });
    busy.push(...(await ingestMs(deleting.url)));
    if (turn === turns - 1) while ((await oldReadings()) > 0) await sleep(500);
    await deleting.stop();
    deletingMs += performance.now() - begun;
  }
  const deleted = before - (await oldReadings());
  for (const share of [0.5, 0.99, 1]) {
    const name = share === 1 ? 'the slowest' : `p${share * 100}`;
    rows.push({
      what: `a reading while old ones are deleted, ${name}`,
      figure: inMs(percentile(busy, share)),
      against: `nothing is deleted: ${inMs(percentile(quiet, share))}`,
      ratio: `×${(percentile(busy, share) / percentile(quiet, share)).toFixed(2)}`,
    });
  }
  rows.push({
    what: 'old readings deleted',
    figure: deleted.toLocaleString('en'),
    against: `of ${before.toLocaleString('en')}, in ${Math.round(deletingMs / 1_000)} s`,
    ratio: `median reading ${inMs(median(busy))}`,
  });
}

export const bench: Bench = { open, steps: [deleteWhileReporting], section, close };
