import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BatchResponse } from '#contract/batch.ts';
import { reachableDataDir, removeDataDir } from '../../support/database/data-dir.ts';
import { makeTestDatabase } from '../../support/database/database.ts';
import { lockPlant } from '../../support/database/database-waits.ts';
import { plantPayload } from '../../support/factories.ts';
import { testSecret } from '../../support/server/server.ts';
import { type ServerProcess, startServer } from '../../support/server/server-process.ts';
import { signIn, signUp } from '../../support/server/sign-up.ts';
import { water } from '../http/batch/support/batch.ts';

const person = { username: 'Rosa', email: 'rosa@example.org', password: 'rose-garden' };
const dataDir = reachableDataDir();
let place: Awaited<ReturnType<typeof makeTestDatabase>>;
let server: ServerProcess;
let token: string;
const start = () =>
  startServer({ env: { DATA_DIR: dataDir, DATABASE_URL: place.url, JWT_SECRET: testSecret } });
beforeAll(async () => {
  place = await makeTestDatabase();
  server = await start();
  await signUp(server, person);
  token = await signIn(server.url, person);
});
afterAll(async () => {
  await server.kill();
  await removeDataDir(dataDir);
  await place.drop();
});

async function post<Body>(path: string, body: object): Promise<Body> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Body;
}

test('after a kill -9 in the middle of a batch, repeating the batch completes it with one effect per operation', async () => {
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  const countWaterings = async () => (await client.query('SELECT 1 FROM waterings')).rowCount;
  const plants = await Promise.all(
    Array.from({ length: 6 }, () => post<{ id: string }>('/api/plants', plantPayload())),
  );
  const [first, locked, ...others] = plants.map(({ id }) => id);
  const operations = [
    water('a', first ?? ''),
    water('b', locked ?? ''),
    ...others.map((id, n) => water(`c${n}`, id)),
  ];
  await client.query('BEGIN');
  await lockPlant(client, locked);
  const lost = post('/api/batch', { operations }).catch(() => 'no response');
  await expect.poll(countWaterings).toBe(5);
  await server.kill();
  expect(await lost).toBe('no response');
  await client.query('ROLLBACK');

  server = await start();
  const { results } = await post<BatchResponse>('/api/batch', { operations });
  expect(results.map(({ status }) => status)).toEqual(Array(6).fill(200));
  const replayed = results.map(({ headers }) => headers['idempotent-replayed'] === 'true');
  expect(replayed).toEqual([true, false, true, true, true, true]);
  expect(await countWaterings()).toBe(6);
  await client.end();
});
