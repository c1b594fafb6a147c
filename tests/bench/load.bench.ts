import http from 'node:http';
import pg from 'pg';
import { bearer } from '../support/server/server.ts';
import type { Bench } from './support/bench.ts';
import type { Part, Row } from './support/results/results.ts';
import { inMs, percentile } from './support/results/times.ts';
import { addCrowd } from './support/server/crowd.ts';
import { addSessions, openStream, type Received } from './support/server/live-streams.ts';
import type { ProbedProcess } from './support/server/probed-process.ts';
import { openScene, type Scene, serve } from './support/server/scene.ts';

const day = JSON.stringify({
  soil_humidity: 45,
  air_humidity: 50,
  temperature: 21,
  luminance: 5_000,
});
const crowdSize = 500;
const turnMs = 8_000;
const rounds = 2;
const rows: Row[] = [];

let scene: Scene;
let second: ProbedProcess;
let crowd: string[];

async function open(): Promise<void> {
  scene = await openScene(200);
  crowd = await addCrowd(scene.garden.url, scene.garden.owner.plantIds[0] ?? '', crowdSize);
  second = await serve(scene.garden);
}

function section(): Part {
  return {
    title: 'Load',
    conditions: `PostgreSQL ${scene.postgresVersion}. Devices of ${crowdSize} accounts report over as many connections as the row says;
each connection sends the next report as soon as it has a response. After a refusal it waits for 500 ms, less than the
server's Retry-After, so that the load stays high. Load generator, server and database share the machine. ${rounds} turns of
${turnMs / 1_000} s each; the better one counts. Refused: share of all responses.
Beside live streams, 64 devices report to one process; the streams belong to the accounts of the devices, and their clients
read the events without requesting anything.`,
    rows,
  };
}

async function close(): Promise<void> {
  await Promise.all([second.stop(), scene.close()]);
}

interface Turn {
  rate: number;
  p99: number;
  refused: number;
}

async function turn(urls: readonly string[], connections: number): Promise<Turn> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const ms: number[] = [];
  let refused = 0;
  let next = 0;
  const end = performance.now() + turnMs;
  const worker = async (n: number) => {
    const { hostname, port } = new URL(urls[n % urls.length] ?? '');
    while (performance.now() < end) {
      const sent = performance.now();
      const status = await post({ hostname, port, agent }, crowd[next++ % crowd.length] ?? '');
      if (status === 201) ms.push(performance.now() - sent);
      else if (status !== 503) throw new Error(`POST /api/logs: ${status}`);
      else {
        refused += 1;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, n) => worker(n)));
  agent.destroy();
  const answered = ms.length + refused;
  return {
    rate: (ms.length * 1_000) / turnMs,
    p99: percentile(ms, 0.99),
    refused: refused / answered,
  };
}

function post(to: http.RequestOptions, token: string): Promise<number> {
  const headers = {
    ...bearer({ token }),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(day),
  };
  return new Promise((resolve, reject) => {
    const options = { ...to, method: 'POST', path: '/api/logs', headers };
    const request = http.request(options, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    request.once('error', reject);
    request.end(day);
  });
}

async function reports(): Promise<void> {
  const urls = [scene.server.url, second.url];
  await turn(urls, 16);
  const best = new Map<string, Turn>();
  for (let round = 0; round < rounds; round += 1) {
    for (const connections of [16, 64, 256, 512]) {
      for (const processes of [1, 2]) {
        const name = `${connections} devices at once, ${processes} process${processes === 1 ? '' : 'es'}`;
        const measured = await turn(urls.slice(0, processes), connections);
        const former = best.get(name);
        if (!former || measured.rate > former.rate) best.set(name, measured);
      }
    }
  }
  const [first] = best.values();
  for (const [what, { rate, p99, refused }] of best) {
    rows.push({
      what,
      figure: `${Math.round(rate)} readings/s, p99 ${inMs(p99)}`,
      against: `refused ${(refused * 100).toFixed(0)} %`,
      ratio: `×${(rate / (first?.rate ?? Number.NaN)).toFixed(2)} of the first row`,
    });
  }
}

/** The same readings while live streams are open: new readings cause events in all streams of their account. */
async function reportsBesideStreams(): Promise<void> {
  const urls = [scene.server.url];
  const pool = new pg.Pool({ connectionString: scene.garden.url, max: 1 });
  const users = await pool.query<{ id: string }>("SELECT id FROM users WHERE email LIKE 'crowd-%'");
  const userIds = users.rows.map(({ id }) => id);
  const tokens = await addSessions(pool, userIds);
  await pool.end();
  const agent = new http.Agent({ keepAlive: true, maxSockets: crowdSize * 10 });
  const received: Received = { events: 0, bytes: 0 };
  let streams = 0;
  let alone: Turn | null = null;
  for (const perAccount of [0, 1, 5, 10]) {
    for (const token of tokens) {
      const missing = perAccount - streams / crowdSize;
      const open = () => openStream(urls[0] ?? '', { token, agent, received });
      await Promise.all(Array.from({ length: missing }, open));
    }
    streams = perAccount * crowdSize;
    const measured = await bestOf(async () => {
      received.events = 0;
      return { ...(await turn(urls, 64)), events: (received.events * 1_000) / turnMs };
    });
    alone ??= measured;
    rows.push({
      what: `beside ${streams.toLocaleString('en')} live streams`,
      figure: `${Math.round(measured.rate)} readings/s, p99 ${inMs(measured.p99)}`,
      against: `${Math.round(measured.events)} events/s`,
      ratio: `×${(measured.rate / alone.rate).toFixed(2)} of none`,
    });
  }
  agent.destroy();
}

async function bestOf<T extends Turn>(run: () => Promise<T>): Promise<T> {
  let best = await run();
  for (let round = 1; round < rounds; round += 1) {
    const next = await run();
    if (next.rate > best.rate) best = next;
  }
  return best;
}

export const bench: Bench = { open, steps: [reports, reportsBesideStreams], section, close };
