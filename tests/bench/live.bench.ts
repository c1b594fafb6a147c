import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { makeTestDatabase } from '../support/database/database.ts';
import { testSecret } from '../support/server/server.ts';
import type { Bench } from './support/bench.ts';
import { inMiB } from './support/results/figures-text.ts';
import type { Part, Row } from './support/results/results.ts';
import { addSessions, openStream, type Received } from './support/server/live-streams.ts';
import { type ProbedProcess, startProbed } from './support/server/probed-process.ts';

const accounts = 500;
const streamsEach = 10;
const streams = accounts * streamsEach;
/** Long enough for two heartbeats of each stream. */
const idleMs = 60_000;
const eventRounds = 5;
const rows: Row[] = [];

let database: Awaited<ReturnType<typeof makeTestDatabase>>;
let pool: pg.Pool;
let server: ProbedProcess;
const received: Received = { events: 0, bytes: 0 };

async function open(): Promise<void> {
  database = await makeTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  server = await startProbed('dist/server/main.js', {
    DATABASE_URL: database.url,
    JWT_SECRET: testSecret,
    PORT: '0',
    DEMO: '0',
  });
}

function section(): Part {
  return {
    title: 'Live streams',
    conditions: `The built server with ${streams.toLocaleString('en')} streams of ${accounts} accounts over plain HTTP,
clients in a process of their own. Memory after garbage collection, CPU of the server's process alone. An event
to all: one announcement per account, from NOTIFY until the last client has it; least of ${eventRounds} rounds.`,
    rows,
  };
}

async function close(): Promise<void> {
  agent.destroy();
  await server.stop();
  await pool.end();
  await database.drop();
}

const agent = new http.Agent({ keepAlive: true, maxSockets: streams });

async function measure(): Promise<void> {
  const userIds = await addAccounts();
  const tokens = await addSessions(pool, userIds);
  const before = await server.memory();
  const opening = await costOf(async () => {
    for (const token of tokens) {
      const stream = () => openStream(server.url, { token, agent, received });
      await Promise.all(Array.from({ length: streamsEach }, stream));
    }
    await untilReceived(streams);
  });
  const after = await server.memory();
  const perStream = (bytes: number) => `${(bytes / streams / 1024).toFixed(1)} KiB per stream`;
  rows.push(
    {
      what: 'Resident memory',
      figure: inMiB(after.rss),
      against: `without streams: ${inMiB(before.rss)}`,
      ratio: perStream(after.rss - before.rss),
    },
    {
      what: 'Heap in use',
      figure: inMiB(after.heapUsed),
      against: `without streams: ${inMiB(before.heapUsed)}`,
      ratio: perStream(after.heapUsed - before.heapUsed),
    },
    rowOf('Opening all', opening),
  );
  Object.assign(received, { events: 0, bytes: 0 });
  const idle = await costOf(() => sleep(idleMs));
  rows.push({
    what: `${idleMs / 1_000} s without events`,
    figure: `${Math.round(idle.cpuMs)} ms CPU`,
    against: `${(received.bytes / streams).toFixed(1)} bytes of body per stream`,
    ratio: `${((idle.cpuMs / idle.wallMs) * 100).toFixed(2)} % of a core`,
  });
  await measureEvents(userIds);
}

async function measureEvents(userIds: string[]): Promise<void> {
  const rounds = [];
  for (let round = 0; round < eventRounds; round += 1) {
    Object.assign(received, { events: 0, bytes: 0 });
    rounds.push(
      await costOf(async () => {
        const text =
          "SELECT pg_notify('sprig_live', 'change ' || id) FROM unnest($1::text[]) AS id";
        await pool.query(text, [userIds]);
        await untilReceived(streams);
      }),
    );
    // Longer than the time for which events of an account are throttled.
    await sleep(1_000);
  }
  const [least] = rounds.toSorted((a, b) => a.cpuMs - b.cpuMs);
  if (least) rows.push(rowOf('An event to all', least));
}

interface Cost {
  cpuMs: number;
  wallMs: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const cpuBefore = await server.cpuMs();
  const started = performance.now();
  await work();
  const wallMs = performance.now() - started;
  return { cpuMs: (await server.cpuMs()) - cpuBefore, wallMs };
}

function rowOf(what: string, { cpuMs, wallMs }: Cost): Row {
  return {
    what,
    figure: `${Math.round(cpuMs)} ms CPU`,
    against: `${Math.round(wallMs)} ms until the last client has it`,
    ratio: `${Math.round((cpuMs * 1_000) / streams)} µs per stream`,
  };
}

async function untilReceived(events: number): Promise<void> {
  while (received.events < events) await sleep(5);
}

async function addAccounts(): Promise<string[]> {
  const userIds = Array.from({ length: accounts }, () => uuidv7());
  await pool.query(
    `INSERT INTO users (id, email, email_key, username, username_key, password_hash, is_verified, created_at)
     SELECT id::uuid, id, id, id, id, '', true, now() FROM unnest($1::text[]) AS id`,
    [userIds],
  );
  return userIds;
}

export const bench: Bench = { open, steps: [measure], section, close };
