import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { PlantDelta } from '#contract/plant-delta.ts';
import { lockPlant } from '../../support/database/database-waits.ts';
import { oneMachineTest } from '../../support/database/one-machine.ts';
import { deferred } from '../../support/deferred.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  addPlant,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
});
afterEach(() => server.close());

interface Garden {
  account: Account;
  request: ReturnType<typeof requestAs>;
  plantId: string;
  log: (payload: object) => ReturnType<ReturnType<typeof requestAs>>;
  /** The newest reading's soil humidity. */
  soil: () => Promise<number>;
}

/** Accounts with a plant each; all plants have the same device id, and one reading. */
async function openGardens(count: number): Promise<Garden[]> {
  const gardens: Garden[] = [];
  for (let n = 0; n < count; n += 1) {
    const account = await server.addAccount();
    const request = requestAs(server, account);
    const { id: plantId } = await addPlant(server, account, { device_id: 'pot' });
    const log = (payload: object) => request('POST', '/api/logs', { payload });
    await log({ plant_id: plantId, soil_humidity: 50 });
    const soil = async () => {
      const [newest] = (await request('GET', `/api/logs/plant/${plantId}`)).json();
      return newest.soil_humidity;
    };
    gardens.push({ account, request, plantId, log, soil });
  }
  server.clock.advance(60_000);
  return gardens;
}

/**
 * Sends the first reading, and holds the statement that reads its plant until all others wait behind it. Resolves to
 * the responses, and to the number of statements that stored readings.
 */
async function arriveTogether(requests: (() => ReturnType<Garden['log']>)[]) {
  const { pool } = server.db;
  const original = pool.query.bind(pool) as (config: unknown) => Promise<unknown>;
  const delayed = deferred();
  const calls = { session: 0, plants: 0, store: 0 };
  const query = vi.spyOn(pool, 'query').mockImplementation((async (config: { name?: string }) => {
    const { name = '' } = config;
    if (name === 'store-readings-of-accounts') calls.store += 1;
    if (name.startsWith('logged-plants-of-accounts')) {
      calls.plants += 1;
      if (calls.plants === 1) await delayed.promise;
    }
    const result = await original(config);
    if (name === 'session') calls.session += 1;
    return result;
  }) as unknown as typeof pool.query);
  const [first, ...others] = requests;
  const sent = [first?.()];
  await expect.poll(() => calls.plants).toBe(1);
  sent.push(...others.map((send) => send()));
  await expect.poll(() => calls.session).toBe(requests.length);
  // The last handler continues in the same turn of the event loop as its session check; wait for the end of that turn.
  await new Promise((resolve) => setImmediate(resolve));
  delayed.resolve();
  const responses = await Promise.all(sent);
  query.mockRestore();
  return { responses, stores: calls.store };
}

/**
 * Locks the account's change counter, like a transaction that is about to commit. Resolves to a function that releases
 * it.
 */
async function holdCounter({ account }: Garden): Promise<() => Promise<void>> {
  const holder = await server.db.pool.connect();
  await holder.query('BEGIN');
  await holder.query('UPDATE change_counters SET last = last + 1 WHERE user_id = $1', [
    account.userId,
  ]);
  return async () => {
    await holder.query('COMMIT');
    holder.release();
  };
}

oneMachineTest(
  'readings of different accounts that arrive together are stored together, each in its account',
  async () => {
    const gardens = await openGardens(12);
    const { responses, stores } = await arriveTogether(
      gardens.map(
        ({ log }, n) =>
          () =>
            log({ device_id: 'pot', soil_humidity: 51 + n }),
      ),
    );
    expect(responses.map((response) => [response?.statusCode, response?.json().plant_id])).toEqual(
      gardens.map(({ plantId }) => [201, plantId]),
    );
    expect(stores).toBe(2);
    for (const [n, { soil, request, plantId }] of gardens.entries()) {
      expect(await soil()).toBe(51 + n);
      expect((await request('GET', `/api/logs/plant/${plantId}`)).json()).toHaveLength(2);
    }
  },
);

oneMachineTest(
  'after readings of several accounts arrive together, the delta of each account contains only its own',
  async () => {
    const gardens = await openGardens(5);
    const list = '/api/plants/with-latest-readings';
    const etags = await Promise.all(
      gardens.map(async ({ request }) => String((await request('GET', list)).headers.etag)),
    );
    await arriveTogether(
      gardens.map(
        ({ log }, n) =>
          () =>
            log({ device_id: 'pot', soil_humidity: 60 + n }),
      ),
    );
    for (const [n, { request, plantId }] of gardens.entries()) {
      const headers = { 'a-im': 'sprig-delta' };
      const delta = await request('GET', list, { ifNoneMatch: etags[n] ?? '', headers });
      expect(delta.statusCode).toBe(226);
      const { readings = {} } = delta.json<PlantDelta>();
      expect(Object.keys(readings)).toEqual([plantId]);
      expect(readings[plantId]).toMatchObject([{ soil_humidity: 60 + n }]);
    }
  },
);

oneMachineTest(
  'a reading that is rejected or changes the health does not affect the readings that arrive together with it',
  async () => {
    const [first, unknown, dry, foreign, fine] = await openGardens(5);
    if (!first || !unknown || !dry || !foreign || !fine) expect.fail();
    const { responses } = await arriveTogether([
      () => first.log({ device_id: 'pot', soil_humidity: 50 }),
      () => unknown.log({ device_id: 'nobody', soil_humidity: 50 }),
      () => dry.log({ device_id: 'pot', soil_humidity: 2 }),
      () => foreign.log({ plant_id: fine.plantId, soil_humidity: 99 }),
      () => fine.log({ device_id: 'pot', soil_humidity: 55 }),
    ]);
    expect(responses.map((response) => response?.statusCode)).toEqual([201, 404, 201, 404, 201]);
    const plant = await dry.request('GET', `/api/plants/${dry.plantId}`);
    expect(plant.json().health_status).toBe('Critical');
    expect(await fine.soil()).toBe(55);
  },
);

oneMachineTest(
  'an account whose change is being committed does not delay the readings of other accounts',
  async () => {
    const [busy, ...others] = await openGardens(6);
    if (!busy) expect.fail();
    const release = await holdCounter(busy);
    let isAnswered = false;
    const delayed = busy.log({ device_id: 'pot', soil_humidity: 51 }).then((response) => {
      isAnswered = true;
      return response;
    });
    for (let round = 0; round < 3; round += 1) {
      server.clock.advance(1_000);
      const responses = await Promise.all(
        others.map(({ log }) => log({ device_id: 'pot', soil_humidity: 52 + round })),
      );
      expect(responses.map(({ statusCode }) => statusCode)).toEqual(others.map(() => 201));
    }
    expect(isAnswered).toBe(false);
    await release();
    expect((await delayed).statusCode).toBe(201);
    expect(await busy.soil()).toBe(51);
  },
);

oneMachineTest(
  'many readings of an account whose change is being committed leave connections for other accounts',
  async () => {
    const [busy, other] = await openGardens(2);
    if (!busy || !other) expect.fail();
    const release = await holdCounter(busy);
    const delayed: ReturnType<Garden['log']>[] = [];
    const count = (server.db.pool.options.max ?? 10) + 2;
    for (let n = 1; n <= count; n += 1) {
      const timestamp = new Date(server.clock().getTime() - 30_000 + n * 1_000).toISOString();
      delayed.push(busy.log({ device_id: 'pot', timestamp, soil_humidity: 40 + n }));
      // Waiting for this response keeps the readings of the busy account from arriving together in one group.
      const response = await other.log({ device_id: 'pot', soil_humidity: 50 });
      expect(response.statusCode).toBe(201);
    }
    await release();
    const responses = await Promise.all(delayed);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(delayed.map(() => 201));
    expect(await busy.soil()).toBe(40 + count);
    const logs = await busy.request('GET', `/api/logs/plant/${busy.plantId}?limit=100`);
    expect(logs.json()).toHaveLength(count + 1);
  },
);

oneMachineTest('a locked plant does not delay the readings of other accounts', async () => {
  const [busy, other] = await openGardens(2);
  const holder = await server.db.pool.connect();
  await holder.query('BEGIN');
  await lockPlant(holder, busy?.plantId);
  const delayed = busy?.log({ device_id: 'pot', soil_humidity: 51 });
  expect((await other?.log({ device_id: 'pot', soil_humidity: 52 }))?.statusCode).toBe(201);
  await holder.query('COMMIT');
  holder.release();
  expect((await delayed)?.statusCode).toBe(201);
});

oneMachineTest(
  'if the statement of a group fails, its readings are stored one by one, and only the faulty one fails',
  async () => {
    const gardens = await openGardens(4);
    const cause = gardens[2]?.plantId ?? '';
    await server.db.pool.query(
      `CREATE FUNCTION fail_for_cause() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no space'; END $$`,
    );
    await server.db.pool.query(
      `CREATE TRIGGER fails BEFORE INSERT ON sensor_logs FOR EACH ROW WHEN (NEW.plant_id = '${cause}')
        EXECUTE FUNCTION fail_for_cause()`,
    );
    const { responses } = await arriveTogether(
      gardens.map(
        ({ log }, n) =>
          () =>
            log({ device_id: 'pot', soil_humidity: 60 + n }),
      ),
    );
    expect(responses.map((response) => response?.statusCode)).toEqual([201, 201, 500, 201]);
    expect(await Promise.all(gardens.map(({ soil }) => soil()))).toEqual([60, 61, 50, 63]);
  },
);
