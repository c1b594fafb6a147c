import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { lockPlant } from '../../support/database/database-waits.ts';
import { requestAs } from '../../support/server/request.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
});
afterEach(() => server.close());

const places = [
  { place: 'a cluster', isDistributed: true, suffix: '' },
  { place: 'one machine', isDistributed: false, suffix: '-of-accounts' },
].filter(({ isDistributed }) => isDistributed || !process.env.CITUS_URL);

/** An account whose plants have a device and a reading each, since a plant's first reading also changes its health. */
async function openGarden(count: number) {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id } = await addPlant(server, account, { device_id: `pot-${n}` });
    await request('POST', '/api/logs', { payload: { plant_id: id, soil_humidity: 50 } });
    ids.push(id);
  }
  server.clock.advance(60_000);
  const log = (payload: object) => request('POST', '/api/logs', { payload });
  return { account, request, ids, log };
}

/** The names of the statements that run outside transactions, from now on. */
function statements(): { names: () => string[] } {
  const query = vi.spyOn(server.db.pool, 'query');
  return {
    names: () => query.mock.calls.map(([config]) => (config as { name?: string }).name ?? ''),
  };
}

describe.each(places)('on $place', ({ isDistributed, suffix }) => {
  beforeEach(() => {
    // The tables are the same in both; only the statements differ.
    server.db.isDistributed = isDistributed;
  });

  test('storing a reading that changes nothing else takes two SQL statements, besides those for the session and the announcement', async () => {
    const { ids, log } = await openGarden(1);
    const seen = statements();
    expect((await log({ plant_id: ids[0], soil_humidity: 51 })).statusCode).toBe(201);
    expect(seen.names().filter((name) => name !== 'session' && name !== 'announce')).toEqual([
      `logged-plants${suffix}-by-plant`,
      `store-readings${suffix}`,
    ]);
  });

  test('readings of one account that arrive together are stored together', async () => {
    const { request, ids, log } = await openGarden(30);
    const seen = statements();
    const responses = await Promise.all(
      ids.map((_, n) => log({ device_id: `pot-${n}`, soil_humidity: 50 + n / 10 })),
    );
    expect(responses.map((response) => [response.statusCode, response.json().plant_id])).toEqual(
      ids.map((id) => [201, id]),
    );
    const stores = seen.names().filter((name) => name === `store-readings${suffix}`);
    expect(stores.length).toBeLessThan(ids.length / 2);
    for (const [n, id] of ids.entries()) {
      const [newest] = (await request('GET', `/api/logs/plant/${id}`)).json();
      expect(newest).toMatchObject({ soil_humidity: 50 + n / 10 });
    }
  });

  test('each of several readings that arrive together gets its own response', async () => {
    const { account, request, ids, log } = await openGarden(3);
    await addPlant(server, account, { device_id: 'pot-2' });
    const responses = await Promise.all([
      log({ device_id: 'pot-0', soil_humidity: 50 }),
      log({ device_id: 'nobody', soil_humidity: 50 }),
      log({ device_id: 'pot-2', soil_humidity: 50 }),
      log({ plant_id: ids[1], soil_humidity: 2 }),
    ]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 404, 422, 201]);
    expect((await request('GET', `/api/plants/${ids[1]}`)).json().health_status).toBe('Critical');
  });

  test('a reading whose plant changes before it is stored is evaluated again', async () => {
    const { request, ids, log } = await openGarden(1);
    const plant_id = ids[0];
    const health = async () =>
      (await request('GET', `/api/plants/${plant_id}`)).json().health_status;
    const at = (ageMs: number) => new Date(server.clock().getTime() - ageMs).toISOString();
    await log({ plant_id, soil_humidity: 2, timestamp: at(2_000) });
    expect(await health()).toBe('Critical');
    const { pool } = server.db;
    const query = pool.query.bind(pool);
    let isFirst = true;
    vi.spyOn(pool, 'query').mockImplementation((async (config: { name?: string }) => {
      if (config.name === `store-readings${suffix}` && isFirst) {
        isFirst = false;
        // Older than the reading that is about to be stored, and newer than those before.
        const payload = { plant_id, soil_humidity: 50, timestamp: at(1_000) };
        await request('POST', '/api/logs', { payload, key: 'meanwhile' });
      }
      return await query(config as never);
    }) as unknown as typeof pool.query);
    expect((await log({ plant_id, soil_humidity: 2 })).statusCode).toBe(201);
    expect(isFirst).toBe(false);
    expect(await health()).toBe('Critical');
  });

  test('a plant that another transaction has locked does not delay the readings of other plants', async () => {
    const { ids, log } = await openGarden(2);
    const holder = await server.db.pool.connect();
    await holder.query('BEGIN');
    await lockPlant(holder, ids[0]);
    const delayed = log({ plant_id: ids[0], soil_humidity: 50 });
    expect((await log({ plant_id: ids[1], soil_humidity: 50 })).statusCode).toBe(201);
    await holder.query('COMMIT');
    holder.release();
    expect((await delayed).statusCode).toBe(201);
  });

  test('readings of a plant added by a server of version 0.1 are stored and get a change number', async () => {
    const { account, request, ids, log } = await openGarden(1);
    await server.db.pool.query('DELETE FROM plant_changes WHERE user_id = $1', [account.userId]);
    await server.db.pool.query('DELETE FROM change_counters WHERE user_id = $1', [account.userId]);
    expect((await log({ plant_id: ids[0], soil_humidity: 51 })).statusCode).toBe(201);
    const { rows } = await server.db.pool.query(
      `SELECT s.change, c.change AS newest FROM sensor_logs s JOIN plant_changes c USING (user_id, plant_id)
      WHERE s.plant_id = $1 ORDER BY s.ts DESC LIMIT 1`,
      [ids[0]],
    );
    expect(rows[0].change).toBe(rows[0].newest);
    expect(Number(rows[0].change)).toBeGreaterThan(0);
    expect((await request('GET', `/api/logs/plant/${ids[0]}`)).json()).toHaveLength(2);
  });
});
