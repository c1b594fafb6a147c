import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverLog } from '#server/start/open-server.ts';
import { projectRoot } from '../../../../src/build/build-if-needed.mjs';
import { reportFigures } from '../../../support/figures.ts';
import { countOf, runSeed, seeded } from '../../../support/seeded.ts';
import { testClock } from '../../../support/server/clock.ts';
import { requestAs } from '../../../support/server/request.ts';
import {
  type Account,
  addPlant,
  bearer,
  login,
  openTestServer,
  type TestServer,
  testSecret,
} from '../../../support/server/server.ts';
import { routesOf } from './support/app-routes.ts';
import { findFault } from './support/find-fault.ts';
import { formType, photoQuery, plainForm } from './support/forms.ts';
import { type HostileRequest, hostileRequest } from './support/hostile-request.ts';
import { type RawResponse, sendRaw } from './support/raw-http.ts';

const seed = runSeed();
const count = countOf('SPRIG_HOSTILE_REQUESTS', 500);
/** Index of the first request to send, to repeat one request of a seed. Set by SPRIG_HOSTILE_FIRST. */
const first = countOf('SPRIG_HOSTILE_FIRST', 0);
const logged: string[] = [];
const clientDir = path.join(projectRoot, 'dist/client');

let server: TestServer;
let port: number;
let victim: Account;
let stranger: Account;
let plantIds: string[];
beforeAll(async () => {
  const stream = { write: (line: string) => void logged.push(line) };
  const logger = { ...Object(serverLog), stream };
  server = await openTestServer(testClock(), { logger, clientDir });
  port = Number(new URL(await server.app.listen({ port: 0, host: '127.0.0.1' })).port);
  victim = await server.addAccount('victim@example.org');
  stranger = await server.addAccount('mallory@example.org');
  const fern = await addPlant(server, victim, { nickname: 'Treasure', device_id: 'esp-treasure' });
  await server.app.inject({
    method: 'POST',
    url: `/api/plants/${fern.id}/water?amount=150`,
    headers: bearer(victim),
  });
  await server.app.inject({
    method: 'POST',
    url: '/api/logs',
    headers: bearer(victim),
    payload: { plant_id: fern.id, soil_humidity: 50 },
  });
  const entry = { id: fern.id, type: 'note', at: server.clock().toISOString(), note: 'Treasure' };
  const requestAsVictim = requestAs(server, victim);
  await requestAsVictim('POST', `/api/plants/${fern.id}/journal`, { payload: entry });
  // The photo has the id of the plant, because generated paths contain only ids of plants.
  const form = { payload: plainForm(), headers: { 'content-type': formType } };
  const photo = await requestAsVictim('PUT', `/api/photos/${fern.id}${photoQuery(fern.id)}`, form);
  expect(photo.statusCode).toBe(200);
  await requestAsVictim('PATCH', '/api/reminders', {
    payload: { ntfy_url: 'https://ntfy.sh/Treasure' },
  });
  plantIds = [fern.id, ...(await strangersPlants())];
});
afterAll(() => server.close());

async function strangersPlants(): Promise<string[]> {
  const own = await Promise.all([addPlant(server, stranger), addPlant(server, stranger)]);
  return own.map(({ id }) => id);
}

/** The victim's data in the database. */
async function victimsBelongings(): Promise<unknown> {
  const tables = ['plants', 'sensor_logs', 'waterings', 'journal_entries', 'photos'].concat([
    'sessions',
    'idempotency_keys',
    'reminder_settings',
    'push_subscriptions',
  ]);
  const rows = tables.map((table) =>
    server.db.pool.query(`SELECT * FROM ${table} WHERE user_id = $1`, [victim.userId]),
  );
  const account = server.db.pool.query('SELECT * FROM users WHERE id = $1', [victim.userId]);
  return (await Promise.all([account, ...rows])).map((result) => result.rows);
}

test('routesOf lists the routes of the app, including those with parameters', () => {
  const routes = routesOf(server.app);
  expect(routes).toContainEqual({ method: 'POST', path: '/auth/login' });
  expect(routes).toContainEqual({ method: 'DELETE', path: '/api/plants/:id' });
  expect(routes).toContainEqual({ method: 'POST', path: '/api/plants/:id/water' });
  expect(routes).toContainEqual({ method: 'GET', path: '/api/logs/plant/:id/summary' });
});

test(`${count} hostile requests of seed ${seed} cause no error, reveal nothing and change no data of the victim`, {
  timeout: 30_000 + count * 60,
}, async ({ task }) => {
  const routes = routesOf(server.app);
  const writing = routes.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));
  const secrets = [victim.email, victim.password, victim.token, testSecret, 'Treasure', 'root:x:0'];
  const before = await victimsBelongings();
  const statuses = new Map<string, number>();
  let isSpent = false;
  for (let index = first; index < first + count; index += 1) {
    if (isSpent || index % 20 === 0) await renewStranger();
    // Every second request goes to a route with a body, because most faults are possible there.
    const route = nth(index % 2 === 0 ? routes : writing, index >> 1);
    const tokens = { own: stranger.token, victims: victim.token };
    const ownPlantId = plantIds[1 + (index % 2)] ?? '';
    const request = hostileRequest(route, { tokens, ownPlantId, plantIds }, seeded(seed, index));
    const response = await sendRaw(port, request).catch(explain(index, request));
    const fault = findFault(request, response, [...secrets, stranger.token, stranger.password]);
    if (fault !== null) throw new Error(story(index, request, fault, response));
    isSpent =
      (response?.status ?? 0) < 300 && /DELETE|logout/.test(`${request.method} ${route.path}`);
    const kind = response === null ? 'closed' : `${String(response.status)[0]}xx`;
    statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
  }
  expect(await victimsBelongings()).toEqual(before);
  expect((await server.app.inject({ url: '/healthz' })).statusCode).toBe(200);
  expect(statuses.get('2xx')).toBeGreaterThan(0);
  const kinds = [...statuses].sort().map(([kind, times]) => `${kind} ${times}`);
  reportFigures(
    task,
    `${count} requests of seed ${seed} to ${routes.length} routes: ${kinds.join(', ')}`,
  );
});

test('the log contains nothing that identifies a person', async () => {
  const { pool } = server.db;
  const { query } = pool;
  const message = `duplicate key (${victim.email}, Treasure, ${victim.password}, ${victim.token})`;
  // A value may have lines that look like those of a stack.
  const lines = `${message}\nparams: at home,\n  at ${victim.email} (Treasure)\n    at the window`;
  pool.query = (() => Promise.reject(new Error(lines))) as typeof pool.query;
  const response = await server.app.inject({
    url: `/api/plants/${plantIds[0]}?token=${stranger.token}`,
    headers: bearer(victim),
  });
  pool.query = query;
  expect(response.statusCode).toBe(500);
  expect(response.json()).toEqual({ code: 'internal', message: 'Something went wrong' });

  expect(logged.join('')).toContain('unexpected error');
  for (const { email, password, token } of [victim, stranger]) {
    for (const secret of [email, password, token, 'Treasure', 'mallory', testSecret]) {
      expect(logged.filter((line) => line.includes(secret))).toEqual([]);
    }
  }
});

function nth<T>(all: readonly T[], n: number): T {
  const item = all[n % all.length];
  if (item === undefined) throw new Error('the app has no routes');
  return item;
}

/** Signs the stranger in again and replaces deleted plants: a request may have ended the session or deleted a plant. */
async function renewStranger(): Promise<void> {
  const token = await login(server.app, stranger.email, stranger.password, true);
  stranger = { ...stranger, token };
  const own = await server.app.inject({ url: '/api/plants', headers: bearer(stranger) });
  const left = new Set(own.json<{ id: string }[]>().map(({ id }) => id));
  if (plantIds.slice(1).every((id) => left.has(id))) return;
  plantIds = [plantIds[0] ?? '', ...(await strangersPlants())];
}

function explain(index: number, request: HostileRequest) {
  return (error: Error): never => {
    throw new Error(story(index, request, error.message, null));
  };
}

function story(
  index: number,
  request: HostileRequest,
  fault: string,
  response: RawResponse | null,
) {
  return [
    `${fault} (SPRIG_SEED=${seed} SPRIG_HOSTILE_FIRST=${index} SPRIG_HOSTILE_REQUESTS=1)`,
    `to ${request.method} ${request.route.path}: ${JSON.stringify(request.bytes.toString('latin1').slice(0, 1_500))}`,
    `response: ${response && JSON.stringify({ ...response, headers: Object.fromEntries(response.headers) })}`,
  ].join('\n');
}
