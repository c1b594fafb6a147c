import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAs } from '../../support/ask.ts';
import { plantPayload } from '../../support/factories.ts';
import { login, openTestServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
const statements: string[] = [];
beforeAll(async () => {
  server = await openTestServer();
  server.db.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    Object.assign(client, {
      query: (...args: unknown[]) => {
        const [given] = args as [string | { text: string }];
        statements.push(typeof given === 'string' ? given : given.text);
        return query(...args);
      },
    });
  });
});
afterAll(() => server.close());

const tables = [
  ...['plants', 'sensor_logs', 'waterings', 'watering_commands', 'sessions', 'account_tokens'],
  ...['device_tokens', 'idempotency_keys', 'change_counters', 'plant_changes', 'users'],
].join('|');

/** How often a statement reads or changes a table of accounts, without inserts, which always name the account. */
function tablesIn(text: string): number {
  const mentions =
    text.match(new RegExp(`\\b(from|join|update)\\s+"?(${tables})"?\\b`, 'gi')) ?? [];
  return mentions.filter((mention) => !/^update set/i.test(mention)).length;
}

/** How often it names the account as a parameter. */
function accountsIn(text: string): number {
  return (text.match(/("user_id"|\buser_id|"users"\."id") = \$\d/g) ?? []).length;
}

test('every statement of a request names the account for each table, so that a cluster needs one machine', async () => {
  const account = await server.addAccount();
  const ask = askAs(server, account);
  const payload = plantPayload({ device_id: 'pot-1', auto_watering_enabled: true });
  const { id } = (await ask('POST', '/api/plants', { payload, key: 'create' })).json();
  const made = await ask('POST', '/api/device-tokens', { payload: { device_id: 'pot-1' } });
  const device = askAs(server, made.json());
  const list = '/api/plants/with-latest-readings';
  const { etag } = (await ask('GET', list)).headers;
  for (const soil_humidity of [50, 51, 5, 4, 3, 2]) {
    server.clock.advance(4 * 60_000);
    await device('POST', '/api/logs', { payload: { soil_humidity, luminance: 5 } });
  }
  const log = { plant_id: id, soil_humidity: 40 };
  await ask('POST', '/api/logs', { payload: log, key: 'log' });
  await ask('POST', '/api/logs', { payload: [log, { device_id: 'pot-1', temperature: 20 }] });
  await ask('GET', list, { ifNoneMatch: String(etag), headers: { 'a-im': 'sprig-delta' } });
  await ask('PUT', `/api/plants/${id}`, { payload });
  for (let n = 0; n < 2; n += 1) await ask('POST', `/api/plants/${id}/water`, { key: 'water' });
  const pages = ['', `/${id}`, `/${id}/latest-readings`].map((path) => `/api/plants${path}`);
  const logs = ['', '/summary'].map((path) => `/api/logs/plant/${id}${path}`);
  for (const url of [...pages, ...logs, '/api/device-tokens', '/auth/me']) await ask('GET', url);
  await ask('DELETE', `/api/device-tokens/${made.json().id}`);
  await ask('DELETE', `/api/plants/${id}`);
  await login(server.app, account.email, account.password);
  await ask('POST', '/auth/logout');
  const anybody = askAs(server, null);
  await anybody('POST', '/auth/forgot-password', { payload: { username_or_email: account.email } });
  const [mail] = await server.mailsTo(account.email);
  const token = new URL(mail?.link ?? '').searchParams.get('token') ?? '';
  const reset = { payload: { token, password: 'another-garden' } };
  expect((await anybody('POST', '/auth/reset-password', reset)).statusCode).toBe(200);

  const different = [...new Set(statements)];
  expect(different.length).toBeGreaterThan(40);
  const unnamed = different.filter((text) => tablesIn(text) > accountsIn(text));
  expect(unnamed).toEqual([]);
});
