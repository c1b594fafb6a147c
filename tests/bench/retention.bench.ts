import pg from 'pg';
import { databaseOver } from '#server/database/database.ts';
import { deleteOldReadings } from '#server/readings/retention.ts';
import { bearer } from '../support/server/server.ts';
import type { Bench } from './support/bench.ts';
import type { Part, Row } from './support/results/results.ts';
import { median } from './support/results/rounds.ts';
import { inMs, percentile } from './support/results/times.ts';
import { load } from './support/server/load.ts';
import { openScene, type Scene } from './support/server/scene.ts';
import { dayReading, postLog } from './support/server/shots.ts';

const shotsPerTurn = 4_000;
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
    conditions: `PostgreSQL ${scene.postgresVersion}. Readings of 500 devices over 16 connections, in turns of
${shotsPerTurn.toLocaleString('en')}: one while the job deletes the old readings of 50 plants, one while it is stopped.`,
    rows,
  };
}

async function close(): Promise<void> {
  await client.end();
  await scene.close();
}

async function ingestMs(): Promise<number[]> {
  const { devices } = scene.garden.owner;
  const ms: number[] = [];
  await load(
    scene.server.url,
    shotsPerTurn,
    (i) => postLog(bearer({ token: devices[i % devices.length]?.token ?? '' }), dayReading),
    (took) => ms.push(took),
  );
  return ms;
}

async function oldReadings(): Promise<number> {
  const { rows: found } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM sensor_logs WHERE user_id = $1 AND ts < now() - interval '25 hours'`,
    [scene.garden.reader.userId],
  );
  return found[0]?.count ?? 0;
}

async function deleteWhileReporting(): Promise<void> {
  const db = databaseOver(new pg.Pool({ connectionString: scene.garden.url, max: 1 }));
  const failures: string[] = [];
  const onFailure = (code: string) => void failures.push(code);
  const before = await oldReadings();
  const quiet: number[] = [];
  const busy: number[] = [];
  let deletingMs = 0;
  await ingestMs();
  while ((await oldReadings()) > 0) {
    quiet.push(...(await ingestMs()));
    const stopping = new AbortController();
    const begun = performance.now();
    const options = { db, clock: () => new Date(), keepDays: 1, onFailure };
    const deleting = deleteOldReadings(options, stopping.signal);
    busy.push(...(await ingestMs()));
    stopping.abort();
    await deleting;
    deletingMs += performance.now() - begun;
    if (failures.length > 0) throw new Error(`the job failed: ${failures}`);
  }
  await db.close();
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
