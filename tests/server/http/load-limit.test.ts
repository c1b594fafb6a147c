import { setMaxListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { simulate } from '#simulator/simulate.ts';
import { lockPlant, untilWaiting } from '../../support/database/database-waits.ts';
import { deferred } from '../../support/deferred.ts';
import { fetchApp } from '../../support/device/fetch-app.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  addPlant,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';
import { openedStream } from '../live/support/live-stream.ts';

const maxRequests = 3;

let server: TestServer;
let account: Account;
let plant: { id: string };
beforeEach(async () => {
  server = await openTestServer(undefined, { maxRequests });
  account = await server.addAccount();
  plant = await addPlant(server, account);
});
afterEach(() => server.close());

const water = () => requestAs(server, account)('POST', `/api/plants/${plant.id}/water`);

/** As many waterings in progress as are allowed; they end when `release` is called. */
async function fill() {
  const holder = await server.db.pool.connect();
  await holder.query('BEGIN');
  await lockPlant(holder, plant.id);
  const waterings = Array.from({ length: maxRequests }, water);
  await untilWaiting(server, maxRequests);
  return {
    waterings,
    release: async () => {
      await holder.query('COMMIT');
      holder.release();
      return (await Promise.all(waterings)).map(({ statusCode }) => statusCode);
    },
  };
}

test('a process at its limit refuses further requests with 503 and Retry-After', async () => {
  const { release } = await fill();
  const request = requestAs(server, account);
  const refused = await Promise.all([
    request('GET', '/api/plants'),
    water(),
    request('GET', '/auth/me'),
  ]);
  for (const { statusCode, headers, json } of refused) {
    expect([statusCode, json()]).toEqual([
      503,
      { code: 'unavailable', message: 'The server is busy' },
    ]);
    expect(headers['retry-after']).toMatch(/^[2-5]$/);
  }
  expect(await release()).toEqual([200, 200, 200]);
  expect((await request('GET', '/api/plants')).statusCode).toBe(200);
});

test('a refused write has no effect', async () => {
  const { release } = await fill();
  expect((await water()).statusCode).toBe(503);
  await release();
  const { rows } = await server.db.pool.query('SELECT count(*)::int FROM waterings');
  expect(rows).toEqual([{ count: maxRequests }]);
});

test('health checks that arrive together share one query, also one that fails, and the next one makes another', async () => {
  const query = vi.spyOn(server.db.pool, 'query');
  const check = async () => (await requestAs(server, null)('GET', '/healthz')).statusCode;
  const checks = () => Promise.all(Array.from({ length: 20 }, check));
  expect(await checks()).toEqual(Array(20).fill(200));
  expect(query).toHaveBeenCalledTimes(1);
  query.mockImplementationOnce(() => Promise.reject(new Error('connection refused')));
  expect(new Set(await checks())).not.toContain(200);
  expect(query).toHaveBeenCalledTimes(2);
  expect(await check()).toBe(200);
  expect(query).toHaveBeenCalledTimes(3);
});

test('a health check does not share a query that was started a second ago or earlier', async () => {
  const query = vi.spyOn(server.db.pool, 'query');
  const check = async () => (await requestAs(server, null)('GET', '/healthz')).statusCode;
  const hanging = deferred();
  query.mockImplementationOnce(() => hanging.promise);
  const first = check();
  await expect.poll(() => query.mock.calls.length).toBe(1);
  server.clock.advance(1_000);
  expect(await check()).toBe(200);
  hanging.resolve();
  expect(await first).toBe(200);
});

test('health checks and live streams are not refused', async () => {
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const { release } = await fill();
  expect((await requestAs(server, null)('GET', '/healthz')).statusCode).toBe(200);
  const streams = [];
  for (let n = 0; n < maxRequests; n += 1) streams.push(await openedStream(url, account));
  expect(await release()).toEqual([200, 200, 200]);
  // Open streams do not count.
  expect((await requestAs(server, account)('GET', '/api/plants')).statusCode).toBe(200);
  for (const stream of streams) stream.close();
});

test('devices that are refused lose no reading', async () => {
  const devices = 20;
  const gardener = await server.addAccount();
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const printed: string[] = [];
  const accepted = new Set<string>();
  const refused = new Set<string>();
  const send = fetchApp(server.app);
  let refusals = 0;
  const begun = performance.now();
  await simulate(
    {
      ...{ url: '', email: gardener.email, password: gardener.password },
      ...{
        plants: 1,
        speed: 1,
        forMs: null,
        load: devices,
        dropout: 0,
        stuck: 0,
        emptyTank: 0,
        seed: 1,
      },
    },
    {
      now: () => server.clock().getTime() + performance.now() - begun,
      random: () => 0.5,
      signal: end.signal,
      print: (line) => printed.push(line),
      // Always 100 ms, so that refused requests take less CPU than accepted ones.
      pause: () => new Promise((resolve) => setTimeout(resolve, 100)),
      fetch: async (url, init = {}) => {
        const response = await send(String(url), init);
        if (String(url) !== '/api/logs') return response;
        // Includes the token, because two devices may send identical readings.
        const report = `${new Headers(init.headers).get('authorization')} ${init.body}`;
        (response.status === 201 ? accepted : refused).add(report);
        if (response.status === 503) refusals += 1;
        if (accepted.size > 40 && refusals > 60) end.abort();
        return response;
      },
    },
  );
  // Each device repeats a reading until it is accepted, so only its last one may still be missing.
  const missing = [...refused].filter((report) => !accepted.has(report));
  expect(missing.length).toBeLessThanOrEqual(devices);
  expect(printed.at(-1)).toContain('(503)');
  const { rows } = await server.db.pool.query('SELECT count(*)::int FROM sensor_logs');
  expect(rows[0].count).toBe(accepted.size);
});
