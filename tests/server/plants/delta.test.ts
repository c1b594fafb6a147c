import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteExpired } from '#server/jobs/housekeeping.ts';
import { lockPlant, untilWaiting } from '../../support/database/database-waits.ts';
import { oneMachineTest } from '../../support/database/one-machine.ts';
import { plantPayload } from '../../support/factories.ts';
import { seeded } from '../../support/seeded.ts';
import { testClock } from '../../support/server/clock.ts';
import { type RequestFunction, requestAs } from '../../support/server/request.ts';
import {
  type Account,
  addPlant,
  login,
  openTestApp,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';
import { DeltaClient, wholeList } from './support/delta-client.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const url = '/api/plants/with-latest-readings';

let server: TestServer;
let account: Account;
let request: RequestFunction;
let device: DeltaClient;
let id: string;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await server.addAccount();
  request = requestAs(server, account);
  device = new DeltaClient(account);
  id = (await addPlant(server, account, { nickname: 'First', device_id: 'pot' })).id;
  await addPlant(server, account, { nickname: 'Other' });
  await device.pull(server.app);
});

const log = (values: object = {}) =>
  request('POST', '/api/logs', { payload: { plant_id: id, soil_humidity: 50, ...values } });
const at = (ms: number) => new Date(server.clock().getTime() + ms).toISOString();
const pull = () => device.pull(server.app);
const namesOf = (delta: { changed: { nickname?: string | null | undefined }[] } | null) =>
  delta?.changed.map(({ nickname }) => nickname);

test('an unchanged list gets a 304 with the same ETag, also without A-IM', async () => {
  expect((await pull()).status).toBe(304);
  expect((await request('GET', url, { ifNoneMatch: device.etag })).statusCode).toBe(304);
  expect((await request('GET', url, { ifNoneMatch: `W/${device.etag}` })).statusCode).toBe(304);
});

test.each<[string, () => Promise<unknown>]>([
  ['an edit', () => request('PUT', `/api/plants/${id}`, { payload: plantPayload() })],
  ['a watering', () => request('POST', `/api/plants/${id}/water`)],
  ['a reading', () => log()],
  [
    'a reading with a key',
    () => request('POST', '/api/logs', { key: 'k', payload: { plant_id: id, luminance: 3 } }),
  ],
  ['a reading by device', () => log({ plant_id: undefined, device_id: 'pot' })],
  ['a command result', () => log({ command_results: [{ id: 'c', status: 'done' }] })],
  [
    'a watering in a batch',
    () =>
      request('POST', '/api/batch', {
        payload: { operations: [{ key: 'b', method: 'POST', path: `/api/plants/${id}/water` }] },
      }),
  ],
])('the delta after %s contains that plant only', async (_, write) => {
  await write();
  const { status, delta } = await pull();
  expect([status, delta?.changed.map((plant) => plant.id), delta?.removed]).toEqual([
    226,
    [id],
    [],
  ]);
  expect(device.list).toEqual(await wholeList(server.app, account));
  expect((await pull()).status).toBe(304);
});

test('a delta lists a new plant as changed and a deleted plant as removed', async () => {
  const added = await addPlant(server, account, { nickname: 'New' });
  await request('DELETE', `/api/plants/${id}`);
  const { delta } = await pull();
  expect([namesOf(delta), delta?.removed]).toEqual([['New'], [id]]);
  await request('DELETE', `/api/plants/${added.id}`);
  expect((await pull()).delta).toEqual({ changed: [], removed: [added.id], readings: {} });
});

test('a delta contains the readings stored since its base, newest first, at most 24', async () => {
  await log({ timestamp: at(-10 * minute), temperature: 20 });
  await pull();
  for (const n of [5, 2, 4]) await log({ timestamp: at(-n * minute), temperature: n });
  const { delta } = await pull();
  expect(delta?.readings?.[id]?.map(({ temperature }) => temperature)).toEqual([2, 4, 5]);
  for (let n = 0; n < 30; n++) await log({ timestamp: at(-n * 1_000), temperature: n / 10 });
  const many = (await pull()).delta?.readings?.[id];
  expect(many).toHaveLength(24);
  expect(many?.[0]).toMatchObject({ timestamp: at(0), temperature: 0 });
});

test('a reading that is back-dated or replaced is in the next delta', async () => {
  await log({ timestamp: at(0) });
  await pull();
  await log({ timestamp: at(-3 * day), soil_humidity: 1 });
  const old = (await pull()).delta;
  expect(old?.readings?.[id]).toMatchObject([{ timestamp: at(-3 * day), soil_humidity: 1 }]);
  await log({ timestamp: at(0), soil_humidity: 51 });
  const again = (await pull()).delta;
  expect(again?.readings?.[id]).toMatchObject([{ timestamp: at(0), soil_humidity: 51 }]);
  expect(device.list).toEqual(await wholeList(server.app, account));
});

test.each(['', '"3_08xH8Tg0Ez3_08xH8Tg0Ez123"', '"c999.1.abc"', '"c1.1.other"', '"c1.1"', 'c1'])(
  'a request with the ETag %j gets the whole list',
  async (etag) => {
    device.etag = etag;
    expect((await pull()).status).toBe(200);
  },
);

// The other account has fewer changes, as many, or more.
test.each([0, 1, 2, 3])(
  'a request with the ETag of another account gets the whole list, of %i plants',
  async (count) => {
    const other = await server.addAccount();
    for (let n = 0; n < count; n += 1) await addPlant(server, other);
    const theirs = new DeltaClient(other);
    theirs.etag = device.etag;
    expect((await theirs.pull(server.app)).status).toBe(200);
    expect(theirs.list).toEqual(await wholeList(server.app, other));
  },
);

test('without A-IM a changed list is sent whole', async () => {
  await request('POST', `/api/plants/${id}/water`);
  const response = await request('GET', url, { ifNoneMatch: device.etag });
  expect([response.statusCode, response.json().length, response.headers.im]).toEqual([
    200,
    2,
    undefined,
  ]);
});

test('a plant whose sensor sends nothing more counts as changed, also if the clock was set forward or back', async () => {
  const own = await openTestServer(testClock());
  const person = await own.addAccount();
  const client = new DeltaClient(person);
  const automatic = {
    auto_watering_enabled: true,
    device_id: 'a',
    soil_humidity_threshold_min: 30,
  };
  const plant = await addPlant(own, person, automatic);
  await requestAs(own, person)('POST', '/api/logs', {
    payload: { device_id: 'a', soil_humidity: 50 },
  });
  await client.pull(own.app);
  const steps = [
    31 * minute,
    -2 * minute,
    3 * minute,
    day,
    -day,
    day,
    -40 * minute,
    3 * day,
    -5 * day,
  ];
  for (const step of steps) {
    own.clock.advance(step);
    const { status } = await client.pull(own.app);
    expect(status).not.toBe(200);
    expect(client.list).toEqual(await wholeList(own.app, person));
  }
  expect(client.plants.get(plant.id)?.nickname).toBe(plant.nickname);
  await own.close();
});

test('the deltas contain a change whose transaction is open during two pulls, and a change that commits meanwhile', async () => {
  const open = await server.db.pool.connect();
  await open.query('BEGIN');
  await lockPlant(open, id);
  const late = request('POST', `/api/plants/${id}/water`);
  await untilWaiting(server);
  await addPlant(server, account, { nickname: 'Beside' });
  expect(namesOf((await pull()).delta)).toEqual(['Beside']);
  expect((await pull()).status).toBe(304);
  await open.query('ROLLBACK');
  open.release();
  await late;
  expect(namesOf((await pull()).delta)).toEqual(['First']);
});

oneMachineTest(
  'while a transaction locks the change counter of an account, later changes of the account wait for the commit',
  async () => {
    const open = await server.db.pool.connect();
    await open.query('BEGIN');
    await open.query('UPDATE change_counters SET last = last + 1 WHERE user_id = $1', [
      account.userId,
    ]);
    const later = addPlant(server, account, { nickname: 'Later' });
    await untilWaiting(server);
    expect((await pull()).status).toBe(304);
    await open.query(
      'UPDATE plant_changes SET (change, record_change) = (SELECT last, last FROM change_counters WHERE user_id = $1) WHERE plant_id = $2',
      [account.userId, id],
    );
    await open.query('COMMIT');
    open.release();
    await later;
    expect(namesOf((await pull()).delta)?.sort()).toEqual(['First', 'Later']);
  },
);

test('a deletion is recorded for 30 days; an older ETag gets the whole list', async () => {
  const own = await openTestServer(testClock());
  const person = await own.addAccount();
  const [early, late] = [new DeltaClient(person), new DeltaClient(person)];
  const plant = await addPlant(own, person);
  await early.pull(own.app);
  await requestAs(own, person)('DELETE', `/api/plants/${plant.id}`);
  await late.pull(own.app);
  const housekeep = () =>
    deleteExpired({ db: own.db, clock: own.clock, onFailure: (code) => expect.fail(code) });
  own.clock.advance(29 * day);
  await housekeep();
  const before = new DeltaClient(person);
  before.etag = early.etag;
  expect((await before.pull(own.app)).delta?.removed).toEqual([plant.id]);
  own.clock.advance(2 * day);
  await housekeep();
  person.token = await login(own.app, person.email, person.password);
  expect((await early.pull(own.app)).status).toBe(200);
  expect((await late.pull(own.app)).status).toBe(304);
  await own.close();
});

oneMachineTest(
  'after the database is restored from a backup, a request with an older ETag gets the whole list',
  async () => {
    await server.db.pool.query(`CREATE TABLE backup AS TABLE change_counters`);
    await server.db.pool.query(
      `TRUNCATE change_counters; INSERT INTO change_counters TABLE backup; DROP TABLE backup`,
    );
    await request('POST', `/api/plants/${id}/water`);
    expect((await pull()).status).toBe(200);
    expect((await pull()).status).toBe(304);
  },
);

test('after a restart of the server a request with the current ETag still gets a 304', async () => {
  const restarted = await openTestApp({ db: server.db, clock: server.clock });
  expect((await device.pull(restarted)).status).toBe(304);
  await restarted.close();
});

test('after one change in a list of 1,000 plants, the delta contains only the plant that changed', async () => {
  await server.db.pool.query(
    `INSERT INTO plants SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid()))).*
     FROM plants p, generate_series(1, 1000) WHERE p.id = $1`,
    [id],
  );
  await server.db.pool.query(
    `INSERT INTO plant_changes (user_id, plant_id, change, record_change)
     SELECT user_id, id, 1, 1 FROM plants WHERE user_id = $1 ON CONFLICT DO NOTHING`,
    [account.userId],
  );
  device.etag = '';
  await pull();
  expect(device.plants.size).toBe(1_002);
  await request('POST', `/api/plants/${id}/water`);
  expect((await pull()).delta?.changed).toHaveLength(1);
  expect(device.list).toEqual(await wholeList(server.app, account));
});

test('if a delta would be larger than the whole list, the whole list is sent', async () => {
  const plants = [id];
  while (plants.length < 30) plants.push((await addPlant(server, account)).id);
  await pull();
  const measured = {
    soil_humidity: 50.25,
    air_humidity: 55.25,
    temperature: 21.25,
    luminance: 900,
  };
  for (let n = 0; n < 24; n++) {
    const timestamp = at(-n * minute);
    const payload = plants.map((plant_id) => ({ plant_id, timestamp, ...measured }));
    expect((await request('POST', '/api/logs', { payload })).statusCode).toBe(200);
  }
  expect((await pull()).status).toBe(200);
  expect(device.list).toEqual(await wholeList(server.app, account));
  expect((await pull()).status).toBe(304);
});

test.each([1, 2, 3])('deltas add up to the list after a random history (seed %i)', async (seed) => {
  const random = seeded(seed);
  const clock = testClock();
  const own = await openTestServer(clock);
  const second = await openTestApp({ db: own.db, clock });
  const person = await own.addAccount();
  const clients = [new DeltaClient(person), new DeltaClient(person, '/api/plants')];
  const ids: string[] = [];
  const apps = [own.app, second];
  for (let n = 0; n < 60; n++) {
    const send = requestAs({ app: random.pick(apps) }, person);
    const target = ids.length > 0 ? random.pick(ids) : '';
    const payload = plantPayload({ nickname: `N${n}`, soil_humidity_threshold_min: 30 });
    const reading = {
      plant_id: target,
      soil_humidity: random.below(100),
      timestamp: new Date(clock().getTime() - random.below(2 * day)).toISOString(),
    };
    const acts = [
      async () => void ids.push((await addPlant(own, person, payload)).id),
      () => send('PUT', `/api/plants/${target}`, { payload }),
      () => send('POST', `/api/plants/${target}/water`),
      () => send('POST', '/api/logs', { payload: reading }),
      () => send('POST', '/api/logs', { payload: { ...reading, timestamp: undefined } }),
      () => send('DELETE', `/api/plants/${target}`),
      async () => clock.advance(random.below(2 * day) - day / 2),
    ];
    await random.pick(acts)();
    for (const client of clients) {
      if (random.chance(0.5)) continue;
      await client.pull(random.pick(apps));
      expect(client.list).toEqual(await wholeList(own.app, person, client.url));
    }
  }
  await second.close();
  await own.close();
});
