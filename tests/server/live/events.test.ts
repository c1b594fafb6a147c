import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { NewDeviceToken } from '#contract/device-tokens.ts';
import { plantPayload } from '../../support/factories.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  addPlant,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';
import { listen, notificationsOf, openedStream, openSecondApp } from './support/live-stream.ts';

let server: TestServer;
let second: Awaited<ReturnType<typeof openSecondApp>>;
let url: string;
beforeAll(async () => {
  server = await openTestServer();
  url = await listen(server.app);
  second = await openSecondApp(server);
});
afterAll(async () => {
  await second.close();
  await server.close();
});

test('a stream begins with an open event, uncompressed, uncached and unbuffered', async () => {
  const stream = await openedStream(url, await server.addAccount());
  expect(stream.status).toBe(200);
  expect(stream.text()).toBe('event: open\ndata: {}\n\n');
  const { headers } = stream;
  expect(headers.get('content-type')).toBe('text/event-stream');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-accel-buffering')).toBe('no');
  expect(headers.get('content-encoding')).toBeNull();
  expect(headers.get('strict-transport-security')).not.toBeNull();
});

test('every write of a plant or reading and every new device token is announced once to the streams of its account at both processes', async () => {
  const account = await server.addAccount();
  const streams = [await openedStream(url, account), await openedStream(second.url, account)];
  const expected = ['open'];
  // Waited for one by one, because two changes in quick succession may be one event.
  const announced = async <Sent extends { statusCode: number }>(write: Promise<Sent>) => {
    const response = await write;
    expect(response.statusCode).toBeLessThan(300);
    expected.push('change');
    for (const { events } of streams) await expect.poll(events).toEqual(expected);
    return response;
  };
  const request = requestAs(server, account);
  const payload = plantPayload({ device_id: 'pot-1' });
  const created = await announced(request('POST', '/api/plants', { payload }));
  const plant = `/api/plants/${created.json().id}`;
  await announced(request('PUT', plant, { payload }));
  await announced(request('POST', `${plant}/water`, { key: 'water' }));
  const log = { device_id: 'pot-1', soil_humidity: 40 };
  await announced(request('POST', '/api/logs', { payload: log, key: 'log' }));
  await announced(request('POST', '/api/logs', { payload: log }));
  const made = request('POST', '/api/device-tokens', { payload: { device_id: 'pot-1' } });
  const device = requestAs(server, (await announced(made)).json<NewDeviceToken>());
  await announced(device('POST', '/api/logs', { payload: log }));
  await announced(request('DELETE', plant));
  expect(streams[0]?.text()).toBe(
    `event: open\ndata: {}\n\n${'event: change\ndata: {}\n\n'.repeat(8)}`,
  );
});

test('reads and rejected writes are not announced', async () => {
  const account = await server.addAccount();
  const stranger = await server.addAccount();
  const payloads = await notificationsOf(server.db);
  // The second process adds the plant. The first one has then announced nothing yet and would send a wrong announcement
  // at once, not at the end of the 250 ms in which announcements are coalesced.
  const { id } = await addPlant(second, account);
  const request = requestAs(server, account);
  await request('GET', '/api/plants');
  await request('GET', '/auth/me');
  const statuses = [
    await request('PUT', `/api/plants/${id}`, { payload: plantPayload(), ifMatch: '"v0"' }),
    await request('POST', '/api/plants', { payload: {} }),
    await request('POST', '/api/logs', { payload: { device_id: 'unknown', soil_humidity: 1 } }),
    await requestAs(server, null)('DELETE', `/api/plants/${id}`),
  ].map(({ statusCode }) => statusCode);
  expect(statuses).toEqual([412, 422, 404, 401]);
  await addPlant(server, stranger);
  const of = ({ userId }: Account) => payloads.filter((payload) => payload.endsWith(userId));
  await expect.poll(() => of(stranger)).toHaveLength(1);
  expect(of(account)).toHaveLength(1);
});

test('a write that fails with a 5xx is announced, because it may have been committed', async () => {
  const account = await server.addAccount();
  const payloads = await notificationsOf(server.db);
  const { pool } = server.db;
  const { connect } = pool;
  // `pool.query` calls connect() with a callback; only transactions fail.
  pool.connect = ((...given: unknown[]) =>
    given.length > 0
      ? Reflect.apply(connect, pool, given)
      : Promise.reject(new Error('no transaction'))) as typeof connect;
  onTestFinished(() => {
    pool.connect = connect;
  });
  const payload = plantPayload();
  const { statusCode } = await requestAs(server, account)('POST', '/api/plants', { payload });
  expect(statusCode).toBe(500);
  await expect.poll(() => payloads).toContain(`change ${account.userId}`);
});

test('a stream gets no events of other accounts', async () => {
  const account = await server.addAccount();
  const stranger = await server.addAccount();
  const [mine, theirs] = [await openedStream(url, account), await openedStream(url, stranger)];
  await addPlant(server, stranger);
  await expect.poll(theirs.events).toEqual(['open', 'change']);
  await addPlant(server, account);
  await expect.poll(mine.events).toContain('change');
  await addPlant(server, stranger);
  await expect.poll(theirs.events).toEqual(['open', 'change', 'change']);
  expect(mine.events()).toEqual(['open', 'change']);
});

test('a burst of readings causes at most four events a second, the last one after the last reading', async () => {
  const account = await server.addAccount();
  const stream = await openedStream(url, account);
  await addPlant(server, account, { device_id: 'pot-1' });
  const request = requestAs(server, account);
  const payloads = await notificationsOf(server.db);
  const started = performance.now();
  const secondsSince = () => (performance.now() - started) / 1_000;
  let readings = 0;
  const hasEnough = () => readings > 4 * secondsSince() + 1;
  // A slow machine gets more time to send more readings than events are possible.
  while (secondsSince() < 1.5 || (!hasEnough() && secondsSince() < 30)) {
    const log = { device_id: 'pot-1', soil_humidity: 40 + (readings % 10) };
    expect((await request('POST', '/api/logs', { payload: log })).statusCode).toBe(201);
    readings += 1;
  }
  expect(hasEnough()).toBe(true);
  const before = stream.events().length;
  await expect.poll(() => stream.events().length).toBeGreaterThan(before);
  // The first at once, then one at the end of each quarter of a second.
  const most = 4 * secondsSince() + 1;
  expect(stream.events().filter((event) => event === 'change').length).toBeLessThanOrEqual(
    most + 1,
  );
  expect(payloads.length).toBeLessThanOrEqual(most);
});

test('a reading that is stored in a transaction is announced on a connection without an open transaction', async () => {
  const account = await server.addAccount();
  const { id } = await addPlant(second, account);
  const stream = await openedStream(url, account);
  const { inTransaction, outside } = recordStatements(server.db.pool);
  const log = { plant_id: id, soil_humidity: 40 };
  await requestAs(server, account)('POST', '/api/logs', { payload: log, key: 'a key' });
  await expect.poll(stream.events).toContain('change');
  await expect.poll(() => outside).toContainEqual(expect.stringContaining('pg_notify'));
  expect(inTransaction).toContainEqual(expect.stringContaining('store_readings'));
  expect(inTransaction).not.toContainEqual(expect.stringMatching(/notify/i));
});

test('a notification that fails does not fail the write', async () => {
  const account = await server.addAccount();
  const { pool } = server.db;
  const { query } = pool;
  let failed = 0;
  pool.query = ((...given: unknown[]) => {
    if (!/pg_notify/.test(textOf(given))) return Reflect.apply(query, pool, given);
    failed += 1;
    return Promise.reject(new Error('no notifications'));
  }) as typeof pool.query;
  const response = await requestAs(server, account)('POST', '/api/plants', {
    payload: plantPayload(),
  });
  expect(response.statusCode).toBe(201);
  // The notification may be sent a moment after the response.
  await expect.poll(() => failed).toBe(1);
  pool.query = query;
  // The next change is announced again.
  const stranger = await server.addAccount();
  const stream = await openedStream(url, stranger);
  await addPlant(server, stranger);
  await expect.poll(stream.events).toEqual(['open', 'change']);
});

/**
 * Records the texts of all statements until the end of the test, grouped by whether their connection has an open
 * transaction.
 */
function recordStatements(pool: pg.Pool): { inTransaction: string[]; outside: string[] } {
  const recorded = { inTransaction: [] as string[], outside: [] as string[] };
  const record = (client: pg.PoolClient) => {
    const { query } = client;
    let isOpen = false;
    client.query = ((...given: unknown[]) => {
      const text = textOf(given);
      isOpen = (isOpen || text === 'BEGIN') && text !== 'COMMIT' && text !== 'ROLLBACK';
      recorded[isOpen ? 'inTransaction' : 'outside'].push(text);
      return Reflect.apply(query, client, given);
    }) as typeof client.query;
    const restore = (_: unknown, released: pg.PoolClient) => {
      if (released !== client) return;
      client.query = query;
      pool.off('release', restore);
    };
    pool.on('release', restore);
  };
  pool.on('acquire', record);
  onTestFinished(() => void pool.off('acquire', record));
  return recorded;
}

function textOf([statement]: unknown[]): string {
  if (typeof statement === 'string') return statement;
  return typeof statement === 'object' && statement && 'text' in statement
    ? String(statement.text)
    : '';
}
