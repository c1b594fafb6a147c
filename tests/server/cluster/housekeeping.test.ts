import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteExpired } from '#server/jobs/housekeeping.ts';
import { deleteOldReadings } from '#server/readings/retention.ts';
import { rollUpReadings } from '#server/readings/series/roll-up-job.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  addPlant,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

const dayMs = 86_400_000;

let server: TestServer;
let accounts: Account[];
let plantIds: string[];
beforeAll(async () => {
  server = await openTestServer();
  accounts = [];
  plantIds = [];
  for (let n = 0; n < 5; n += 1) {
    const account = await server.addAccount();
    accounts.push(account);
    plantIds.push((await addPlant(server, account)).id);
  }
});
afterAll(() => server.close());

async function countOf(table: string): Promise<number> {
  const { rows } = await server.db.pool.query(`SELECT count(*)::int AS n FROM ${table}`);
  return rows[0].n;
}

const failures: string[] = [];
const onFailure = (code: string) => void failures.push(code);

test('old readings of all accounts are deleted, the newest 24 of each plant are kept', async () => {
  await server.db.pool.query(
    `INSERT INTO sensor_logs (user_id, plant_id, ts, temperature)
    SELECT user_id, id, $1::timestamptz - n * interval '1 day', 20 FROM plants, generate_series(1, 40) n`,
    [server.clock()],
  );
  const { db, clock } = server;
  const pause = async () => undefined;
  // Readings are deleted only once they are rolled up.
  await rollUpReadings({ db, clock, onFailure, pause });
  expect(failures).toEqual([]);
  expect(await countOf('reading_days')).toBe(5 * 40);
  await deleteOldReadings({ db, clock, keepDays: 30, onFailure, batchSize: 4, pause });
  expect(failures).toEqual([]);
  expect(await countOf('sensor_logs')).toBe(5 * 30);
  await deleteOldReadings({ db, clock, keepDays: 1, onFailure, batchSize: 4, pause });
  expect(await countOf('sensor_logs')).toBe(5 * 24);
});

test('expired rows of all accounts are deleted, even when two runs of the job overlap', async () => {
  const list = '/api/plants/with-latest-readings';
  const [first] = accounts;
  const [plantId] = plantIds;
  if (!first || !plantId) throw new Error('there is no account');
  const before = await requestAs(server, first)('GET', list);
  for (const [n, account] of accounts.entries()) {
    await requestAs(server, account)('DELETE', `/api/plants/${plantIds[n]}`, {
      key: `delete-${n}`,
    });
  }
  expect([await countOf('sessions'), await countOf('idempotency_keys')]).toEqual([5, 5]);
  server.clock.advance(91 * dayMs);
  const { db, clock } = server;
  const options = { db, clock, onFailure, batchSize: 2 };
  await Promise.all([deleteExpired(options), deleteExpired(options)]);
  await deleteExpired(options);
  expect(failures).toEqual([]);
  const tables = ['sessions', 'idempotency_keys', 'plant_changes', 'account_tokens'];
  expect(await Promise.all(tables.map(countOf))).toEqual([0, 0, 0, 0]);
  const { rows } = await db.pool.query(
    'SELECT count(*)::int AS n FROM change_counters WHERE forgotten = last',
  );
  expect(rows).toEqual([{ n: 5 }]);
  // The changes since the device's ETag have been deleted, so it gets the whole list instead of a delta.
  const token = await signInAgain(first);
  const response = await requestAs(server, { token })('GET', list, {
    ifNoneMatch: String(before.headers.etag),
    headers: { 'a-im': 'sprig-delta' },
  });
  expect([response.statusCode, response.json()]).toEqual([200, []]);
});

async function signInAgain({ email, password }: Account): Promise<string> {
  const payload = { username_or_email: email, password };
  return (await requestAs(server, null)('POST', '/auth/login', { payload })).json().access_token;
}
