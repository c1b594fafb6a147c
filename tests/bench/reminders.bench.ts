import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { type Database, databaseOver, openPool } from '#server/database/database.ts';
import { checkDueAccounts } from '#server/reminders/check/check-job.ts';
import { reminderDefaults } from '#server/reminders/options.ts';
import { createSender } from '#server/reminders/sender.ts';
import { openPushService, type PushService } from '../support/reminders/push-service.ts';
import type { Bench } from './support/bench.ts';
import type { Part, Row } from './support/results/results.ts';
import { inMs, percentile } from './support/results/times.ts';
import { createGarden, type Garden } from './support/server/garden.ts';
import { addRemindedAccounts, removeRemindedAccounts } from './support/server/reminded-accounts.ts';

const counts = [1_000, 10_000] as const;
const deadEndpoints = 100;
const plantsEach = 10;
const rows: Row[] = [];

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

let garden: Garden;
let client: pg.Client;
let service: PushService;
let postgresVersion = '';

async function open(): Promise<void> {
  // No server is started, because its own job would check some of the accounts.
  garden = await createGarden(10);
  service = await openPushService();
  client = new pg.Client({ connectionString: garden.url });
  await client.connect();
  const { rows: found } = await client.query<{ server_version: string }>('SHOW server_version');
  postgresVersion = found[0]?.server_version ?? '';
}

function section(): Part {
  return {
    title: 'Reminders',
    conditions: `PostgreSQL ${postgresVersion}. One run of the job over accounts whose digest is due, each with ${plantsEach} due
plants and one subscribed browser, and the sending to a push service in the same process. Highest heap:
from a separate run, the most that was in use after one of the garbage collections every 500 ms, minus what was in use
before the run. A dead endpoint never responds.`,
    rows,
  };
}

async function close(): Promise<void> {
  await client.end();
  await service.close();
  await garden.drop();
}

interface Run {
  ms: number;
  cpuMs: number;
  highestHeap: number;
}

async function measured(work: () => Promise<void>, { watchesHeap = false } = {}): Promise<Run> {
  collectGarbage();
  const heap = process.memoryUsage().heapUsed;
  let highestHeap = 0;
  const sample = () => {
    collectGarbage();
    highestHeap = Math.max(highestHeap, process.memoryUsage().heapUsed - heap);
  };
  const timer = watchesHeap ? setInterval(sample, 500) : undefined;
  const cpu = process.cpuUsage();
  const begun = performance.now();
  await work();
  const ms = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(timer);
  return { ms, cpuMs: (user + system) / 1_000, highestHeap };
}

function fail(code: string): void {
  throw new Error(`the job failed: ${code}`);
}

async function check(db: Database): Promise<void> {
  const publicUrl = () => 'https://sprig.example.org';
  await checkDueAccounts({ db, clock: () => new Date(), publicUrl, onFailure: fail });
}

function senderTo(db: Database) {
  return createSender({
    db,
    clock: () => new Date(),
    publicUrl: () => 'https://sprig.example.org',
    reminders: { ...reminderDefaults, pushOrigins: [service.origin] },
    onFailure: fail,
  });
}

/** Runs `work` with accounts whose digest is due. */
async function withAccounts<T>(count: number, work: (db: Database) => Promise<T>): Promise<T> {
  await addRemindedAccounts(client, {
    count,
    plantsEach,
    plantsOf: garden.reader.userId,
    origin: service.origin,
  });
  const db = databaseOver(openPool({ connectionString: garden.url, max: 10 }));
  try {
    return await work(db);
  } finally {
    await db.close();
    await removeRemindedAccounts(client);
    service.received.length = 0;
  }
}

async function queued(): Promise<number> {
  const { rows: found } = await client.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM reminder_deliveries',
  );
  return found[0]?.count ?? 0;
}

async function runOf(count: number, watchesHeap: boolean): Promise<{ check: Run; send: Run }> {
  return await withAccounts(count, async (db) => {
    const checked = await measured(() => check(db), { watchesHeap });
    if ((await queued()) !== count) throw new Error(`${await queued()} of ${count} digests`);
    const sender = senderTo(db);
    let arrived = 0;
    const stopCounting = service.onPush(() => {
      arrived += 1;
      // Frees the messages: the service runs in this process, but its memory must not be measured.
      service.received.length = 0;
    });
    const sent = await measured(
      async () => {
        await sender.run();
        await sender.whenIdle();
      },
      { watchesHeap },
    );
    stopCounting();
    if (arrived !== count) throw new Error(`${arrived} of ${count} arrived`);
    return { check: checked, send: sent };
  });
}

async function compareCounts(): Promise<void> {
  const [few, many] = counts;
  await runOf(few, false);
  const small = await runOf(few, false);
  const large = await runOf(many, false);
  const again = await runOf(few, false);
  const heapOfFew = await runOf(few, true);
  const heapOfMany = await runOf(many, true);
  for (const [step, what] of [
    ['check', 'checked'],
    ['send', 'sent'],
  ] as const) {
    const row = (name: string, figureOf: (run: Run) => number) => {
      const least = Math.min(figureOf(small[step]), figureOf(again[step])) / few;
      const each = figureOf(large[step]) / many;
      rows.push({
        what: `${many.toLocaleString('en')} digests ${what}: ${name} of each`,
        figure: inMs(each),
        against: `${few.toLocaleString('en')}: ${inMs(least)}`,
        ratio: `×${(each / least).toFixed(2)}`,
      });
    };
    row('time', ({ ms }) => ms);
    row('CPU time', ({ cpuMs }) => cpuMs);
    rows.push({
      what: `${many.toLocaleString('en')} digests ${what}: highest heap`,
      figure: inMiB(heapOfMany[step].highestHeap),
      against: `${few.toLocaleString('en')}: ${inMiB(heapOfFew[step].highestHeap)}`,
      ratio: '',
    });
  }
}

function inMiB(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

/** When the messages of accounts with a responding endpoint arrived (ms after the start). */
async function arrivals(dead: number): Promise<number[]> {
  const count = 1_000;
  return await withAccounts(count, async (db) => {
    await check(db);
    const { rows: found } = await client.query<{ path: string }>(
      `SELECT '/' || user_id AS path FROM reminder_deliveries ORDER BY next_at LIMIT $1`,
      [dead],
    );
    const silent = new Set(found.map(({ path }) => path));
    for (const path of silent) service.respond(path, 'hang');
    const times: number[] = [];
    const begun = performance.now();
    const stopListening = service.onPush(({ path }) => {
      if (!silent.has(path)) times.push(performance.now() - begun);
    });
    const sender = senderTo(db);
    await sender.run();
    await service.arrived(count);
    stopListening();
    sender.abort();
    await sender.whenIdle();
    return times;
  });
}

async function compareDeadEndpoints(): Promise<void> {
  const healthy = await arrivals(0);
  const beside = await arrivals(deadEndpoints);
  for (const [name, share] of [
    ['half of the others have arrived', 0.5],
    ['all others have arrived', 1],
  ] as const) {
    const [figure, against] = [percentile(beside, share), percentile(healthy, share)];
    rows.push({
      what: `1,000 sent, the first ${deadEndpoints} to dead endpoints: ${name}`,
      figure: `after ${inMs(figure)}`,
      against: `no dead ones: ${inMs(against)}`,
      ratio: `×${(figure / against).toFixed(2)}`,
    });
  }
}

export const bench: Bench = { open, steps: [compareCounts, compareDeadEndpoints], section, close };
