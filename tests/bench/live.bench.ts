import { createHmac } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { livePath } from '#contract/live.ts';
import { hourMs } from '#domain/time.ts';
import { makeTestDatabase } from '../support/database.ts';
import { bearer, testSecret } from '../support/server.ts';
import type { Bench } from './support/bench.ts';
import { inMiB } from './support/figures-text.ts';
import { type ProbedProcess, startProbed } from './support/probed-process.ts';
import type { Part, Row } from './support/results.ts';

const accounts = 500;
const streamsEach = 10;
const streams = accounts * streamsEach;
/** More than two heartbeats of each stream. */
const idleMs = 60_000;
const eventRounds = 5;
const rows: Row[] = [];

let database: Awaited<ReturnType<typeof makeTestDatabase>>;
let pool: pg.Pool;
let server: ProbedProcess;
let received = { events: 0, bytes: 0 };

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
  const owners = await addSessions();
  const before = await server.memory();
  const opening = await costOf(async () => {
    for (const { token } of owners) {
      await Promise.all(Array.from({ length: streamsEach }, () => openStream(token)));
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
  received = { events: 0, bytes: 0 };
  const idle = await costOf(() => sleep(idleMs));
  rows.push({
    what: `${idleMs / 1_000} s without events`,
    figure: `${Math.round(idle.cpuMs)} ms CPU`,
    against: `${(received.bytes / streams).toFixed(1)} bytes of body per stream`,
    ratio: `${((idle.cpuMs / idle.wallMs) * 100).toFixed(2)} % of a core`,
  });
  await measureEvents(owners.map(({ userId }) => userId));
}

async function measureEvents(userIds: string[]): Promise<void> {
  const rounds = [];
  for (let round = 0; round < eventRounds; round += 1) {
    received = { events: 0, bytes: 0 };
    rounds.push(
      await costOf(async () => {
        const text =
          "SELECT pg_notify('sprig_live', 'change ' || id) FROM unnest($1::text[]) AS id";
        await pool.query(text, [userIds]);
        await untilReceived(streams);
      }),
    );
    // Longer than the time in which events of an account are merged.
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

function openStream(token: string): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const to = { hostname, port, agent, path: livePath, headers: bearer({ token }) };
  return new Promise((resolve, reject) => {
    const request = http.get(to, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a stream: ${response.statusCode}`));
      response.on('data', (chunk: Buffer) => {
        received.bytes += chunk.length;
        received.events += chunk.toString().split('event:').length - 1;
      });
      // Stopping the server ends the response with an error.
      response.on('error', () => undefined);
      resolve();
    });
    request.on('error', reject);
  });
}

/** An account with a session each, without the cost of hashing passwords. */
async function addSessions(): Promise<{ userId: string; token: string }[]> {
  const owners = Array.from({ length: accounts }, () => ({
    userId: uuidv7(),
    sessionId: uuidv7(),
  }));
  const expiresAt = new Date(Date.now() + 12 * hourMs);
  const [userIds, sessionIds] = [owners.map((o) => o.userId), owners.map((o) => o.sessionId)];
  await pool.query(
    `INSERT INTO users (id, email, email_key, username, username_key, password_hash, is_verified, created_at)
     SELECT id::uuid, id, id, id, id, '', true, now() FROM unnest($1::text[]) AS id`,
    [userIds],
  );
  await pool.query(
    `INSERT INTO sessions (user_id, id, created_at, expires_at)
     SELECT user_id, id, now(), $3 FROM unnest($1::uuid[], $2::uuid[]) AS s (user_id, id)`,
    [userIds, sessionIds, expiresAt],
  );
  return owners.map(({ userId, sessionId }) => ({
    userId,
    token: tokenOf({ sub: userId, sid: sessionId, exp: Math.ceil(expiresAt.getTime() / 1_000) }),
  }));
}

function tokenOf(claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', testSecret).update(signed).digest('base64url')}`;
}

export const bench: Bench = { open, steps: [measure], section, close };
