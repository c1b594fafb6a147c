import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createRetention,
  deleteOldReadings,
  type RetentionOptions,
} from '#server/readings/retention.ts';
import { rollUpReadings } from '#server/readings/series/roll-up-job.ts';
import { oneMachineTest } from '../../support/database/one-machine.ts';
import { requestAs } from '../../support/server/request.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server/server.ts';

const dayMs = 86_400_000;

let server: TestServer;
let failures: string[];
beforeEach(async () => {
  server = await openTestServer();
  failures = [];
});
afterEach(() => server.close());

function options(changes: Partial<RetentionOptions> = {}): RetentionOptions {
  const { db, clock } = server;
  return {
    ...{ db, clock, keepDays: 400, onFailure: (code: string) => void failures.push(code) },
    pause: async () => undefined,
    ...changes,
  };
}

/** A plant with one reading a day. The newest reading is `newestDays` days old. */
async function addSeries(count: number, newestDays: number, owner?: { token: string }) {
  const account = { ...(await server.addAccount()), ...owner };
  const { id } = await addPlant(server, account);
  await server.db.pool.query(
    `INSERT INTO sensor_logs (user_id, plant_id, ts, soil_humidity)
      SELECT user_id, id, $2::timestamptz - n * interval '1 day', n FROM plants, generate_series(0, $3 - 1) n WHERE id = $1`,
    [id, new Date(server.clock().getTime() - newestDays * dayMs), count],
  );
  // Only readings that are rolled up are deleted.
  await rollUpReadings(options());
  return { account, id };
}

async function agesOf({ id }: { id: string }): Promise<number[]> {
  const { rows } = await server.db.pool.query(
    'SELECT ts FROM sensor_logs WHERE plant_id = $1 ORDER BY ts DESC',
    [id],
  );
  return rows.map(({ ts }) => (server.clock().getTime() - ts.getTime()) / dayMs);
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

test('deletes readings that are older than 400 days, and keeps one of exactly 400 days', async () => {
  const plant = await addSeries(500, 0);
  await deleteOldReadings(options());
  // The one of exactly 400 days is still kept.
  expect(await agesOf(plant)).toEqual(range(0, 401));
  server.clock.advance(1);
  await deleteOldReadings(options());
  expect(await agesOf(plant)).toHaveLength(400);
  expect(failures).toEqual([]);
});

test('keeps the newest 24 readings of each plant, however old they are', async () => {
  const silent = await addSeries(100, 1_000);
  const few = await addSeries(10, 1_000);
  const mixed = await addSeries(100, 390);
  await deleteOldReadings(options());
  expect(await agesOf(silent)).toEqual(range(1_000, 24));
  expect(await agesOf(few)).toEqual(range(1_000, 10));
  expect(await agesOf(mixed)).toEqual(range(390, 24));
  const { account, id } = silent;
  const latest = await requestAs(server, account)('GET', `/api/plants/${id}/latest-readings`);
  expect(latest.json().soil_humidity).toBe(0);
});

test('if the readings of one account cannot be deleted, those of the others still are', async () => {
  const plants = [await addSeries(500, 0), await addSeries(500, 0)];
  const [first] = plants.toSorted((a, b) => a.account.userId.localeCompare(b.account.userId));
  const { pool } = server.db;
  const query = (...args: Parameters<typeof pool.query>) => {
    const [{ values }] = args as unknown as [{ values: unknown[] }];
    if (!values?.includes(first?.account.userId)) return pool.query(...args);
    return Promise.reject(Object.assign(new Error(), { code: 'broken' }));
  };
  const db = { ...server.db, pool: Object.assign(Object.create(pool), { query }) };
  await deleteOldReadings(options({ db }));
  expect(failures).toEqual(['broken']);
  const counts = await Promise.all(plants.map(async (plant) => (await agesOf(plant)).length));
  expect(counts.sort()).toEqual([401, 500]);
});

test('deletes in small batches and pauses after each', async () => {
  const plants = [await addSeries(124, 1_000), await addSeries(74, 1_000)];
  const batches: number[] = [];
  let left = 198;
  const pause = async () => {
    const { rows } = await server.db.pool.query('SELECT count(*)::int FROM sensor_logs');
    batches.push(left - rows[0].count);
    left = rows[0].count;
  };
  await deleteOldReadings(options({ batchSize: 20, pause }));
  expect(Math.max(...batches)).toBe(20);
  expect(batches.reduce((sum, count) => sum + count, 0)).toBe(150);
  for (const plant of plants) expect(await agesOf(plant)).toHaveLength(24);
});

test('with READINGS_DAYS=0 every reading is kept', async () => {
  const plant = await addSeries(100, 1_000);
  await deleteOldReadings(options({ keepDays: 0 }));
  expect(await agesOf(plant)).toHaveLength(100);
});

test('several processes can delete at once, and a run that is stopped leaves the rest to the next run', async () => {
  const plants = [await addSeries(300, 1_000), await addSeries(300, 1_000)];
  const stopping = new AbortController();
  let batches = 0;
  const pause = async () => {
    batches += 1;
    if (batches === 3) stopping.abort();
  };
  await deleteOldReadings(options({ batchSize: 50, pause }), stopping.signal);
  expect(await agesOf(plants[0] ?? { id: '' })).toHaveLength(150);
  await Promise.all([1, 2, 3].map(() => deleteOldReadings(options({ batchSize: 7 }))));
  await deleteOldReadings(options());
  for (const plant of plants) expect(await agesOf(plant)).toHaveLength(24);
  expect(failures).toEqual([]);
});

oneMachineTest(
  'a reading that another transaction has locked is skipped and deleted by the next run',
  async () => {
    const plant = await addSeries(30, 1_000);
    const holder = await server.db.pool.connect();
    await holder.query('BEGIN');
    await holder.query(
      'SELECT 1 FROM sensor_logs WHERE plant_id = $1 AND soil_humidity = 29 FOR UPDATE',
      [plant.id],
    );
    await deleteOldReadings(options());
    expect(await agesOf(plant)).toHaveLength(25);
    await holder.query('COMMIT');
    holder.release();
    await deleteOldReadings(options());
    expect(await agesOf(plant)).toHaveLength(24);
  },
);

test('keeps the readings of a plant whose roll-up has just begun', async () => {
  const plant = await addSeries(30, 1_000);
  await server.db.pool.query('DELETE FROM rollup_progress WHERE plant_id = $1', [plant.id]);
  const { pool } = server.db;
  const query = pool.query.bind(pool);
  const beginning = (async (config: { name: string; text: string; values: unknown[] }) => {
    if (config.name === 'delete-old-readings') {
      await query(
        `INSERT INTO rollup_progress (user_id, plant_id, rolled_until)
          SELECT user_id, id, '2020-01-01' FROM plants WHERE id = $1 ON CONFLICT DO NOTHING`,
        [plant.id],
      );
    }
    return await query(config);
  }) as unknown as typeof pool.query;
  const db = { ...server.db, pool: Object.assign(Object.create(pool), { query: beginning }) };
  await deleteOldReadings(options({ db }));
  expect(await agesOf(plant)).toHaveLength(30);
});

test('keeps the readings of an hour until it is rolled up again', async () => {
  const plant = await addSeries(30, 1_000);
  await server.db.pool.query(
    `INSERT INTO rollup_due (user_id, plant_id, hour)
      SELECT user_id, plant_id, date_bin('1 hour', min(ts), '1970-01-01 00:00+00') FROM sensor_logs
      WHERE plant_id = $1 GROUP BY user_id, plant_id`,
    [plant.id],
  );
  await deleteOldReadings(options());
  expect(await agesOf(plant)).toEqual([...range(1_000, 24), 1_029]);
  await rollUpReadings(options());
  await deleteOldReadings(options());
  expect(await agesOf(plant)).toHaveLength(24);
});

oneMachineTest('finds old readings by index, without a scan of the whole table', async () => {
  const { id } = await addSeries(24, 1_000);
  await server.db.pool.query(
    `INSERT INTO sensor_logs (user_id, plant_id, ts, soil_humidity)
      SELECT user_id, id, $2::timestamptz - n * interval '1 minute', 1 FROM plants, generate_series(1, 20000) n WHERE id = $1`,
    [id, server.clock()],
  );
  await server.db.pool.query('ANALYZE sensor_logs');
  const { pool } = server.db;
  const plans: string[] = [];
  const query = pool.query.bind(pool);
  const explaining = (async (config: { name: string; text: string; values: unknown[] }) => {
    if (config.name !== 'delete-old-readings') return await query(config);
    const plan = await query({ text: `EXPLAIN (ANALYZE) ${config.text}`, values: config.values });
    plans.push(JSON.stringify(plan.rows));
    return { rowCount: 0 };
  }) as unknown as typeof pool.query;
  const db = { ...server.db, pool: Object.assign(Object.create(pool), { query: explaining }) };
  await deleteOldReadings(options({ db }));
  expect(plans).toHaveLength(1);
  expect(plans[0]).not.toContain('Seq Scan on sensor_logs');
});

test('after a lost connection the rest is deleted minutes later, not a day later', async () => {
  const plants = [await addSeries(30, 1_000), await addSeries(30, 1_000)];
  const { pool } = server.db;
  let lost = 0;
  const query = (...args: Parameters<typeof pool.query>) => {
    const [{ name }] = args as unknown as [{ name?: string }];
    if (name !== 'delete-old-readings' || lost++ > 0) return pool.query(...args);
    return Promise.reject(Object.assign(new Error(), { code: 'ECONNRESET' }));
  };
  const db = { ...server.db, pool: Object.assign(Object.create(pool), { query }) };
  const retention = createRetention(options({ db, retryMs: 5 }));
  retention.start();
  for (const plant of plants) await expect.poll(() => agesOf(plant)).toHaveLength(24);
  await retention.stop();
  expect(failures).toEqual([]);
});

test('runs at the start and then periodically', async () => {
  const first = await addSeries(30, 1_000);
  const retention = createRetention(options({ intervalMs: 5 }));
  retention.start();
  await expect.poll(() => agesOf(first)).toHaveLength(24);
  const second = await addSeries(30, 1_000);
  await expect.poll(() => agesOf(second)).toHaveLength(24);
  await retention.stop();
});
