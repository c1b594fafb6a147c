import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  addPlant,
  bearer,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';
import { minuteMs, openPot, type Pot } from '../../support/server/soil.ts';
import { DeltaClient, wholeList } from './support/delta-client.ts';

const listUrl = '/api/plants';

let server: TestServer;
let account: Account;
let pot: Pot;
let device: DeltaClient;
let records: DeltaClient;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  pot = await openPot(server);
  account = pot.account;
  await addPlant(server, account, { nickname: 'Other' });
  await pot.reportSoil(50, 50, 50);
  device = new DeltaClient(account);
  records = new DeltaClient(account, listUrl);
  await device.pull(server.app);
  await records.pull(server.app);
});

/** Pulls both lists, which must then be equal to those of the server. */
async function pullBoth() {
  const both = { device: await device.pull(server.app), records: await records.pull(server.app) };
  for (const client of [device, records]) {
    expect(client.list).toEqual(await wholeList(server.app, account, client.url));
  }
  return both;
}

test('a reading that does not change the plant record is sent without the record, and /api/plants stays unchanged', async () => {
  await pot.reportSoil(51, 52);
  await pot.send({ soil_humidity: 53 }, { key: 'k' });
  const round = await pullBoth();
  expect(round.device.delta).toMatchObject({ changed: [], removed: [] });
  expect(Object.keys(round.device.delta?.readings ?? {})).toEqual([pot.id]);
  expect(round.records.status).toBe(304);
});

test('more readings than fit into a delta leave /api/plants unchanged', async () => {
  for (let n = 0; n < 30; n++) {
    server.clock.advance(10 * minuteMs);
    await pot.log({ soil_humidity: 50 });
  }
  expect((await pullBoth()).records.status).toBe(304);
});

test('a reading after a gap changes the record', async () => {
  server.clock.advance(31 * minuteMs);
  const inGap = await pullBoth();
  expect(inGap.records.delta?.changed).toMatchObject([{ auto_watering_reason: 'stale' }]);
  await pot.log({ soil_humidity: 50 });
  const round = await pullBoth();
  for (const { delta } of [round.device, round.records]) {
    expect(delta?.changed).toMatchObject([{ id: pot.id, auto_watering_reason: 'moist' }]);
  }
});

test('a plant that was stale is no longer stale after the clock was set back and readings arrived', async () => {
  server.clock.advance(40 * minuteMs);
  const stale = await pullBoth();
  expect(stale.records.delta?.changed).toMatchObject([{ auto_watering_reason: 'stale' }]);
  server.clock.advance(-35 * minuteMs);
  await pot.log({ soil_humidity: 50 });
  server.clock.advance(7 * minuteMs);
  await pot.log({ soil_humidity: 50 });
  const round = await pullBoth();
  for (const { delta } of [round.device, round.records]) {
    expect(delta?.changed).toMatchObject([{ id: pot.id, auto_watering_reason: 'moist' }]);
  }
});

test('a reading that changes the health changes the plant record', async () => {
  await pot.reportSoil(29);
  expect((await pullBoth()).records.delta?.changed).toMatchObject([{ id: pot.id }]);
});

test('a completed pump command, a watering by hand and an edit that unlocks automatic watering change the record', async () => {
  const { id } = await pot.reportDrySoil();
  await pullBoth();
  await pot.report({ id, status: 'done' });
  const version = async () => (await pullBoth()).records.delta?.changed.map(({ etag }) => etag);
  expect(await version()).toEqual(['"v2"']);
  await pot.report({ id, status: 'done' });
  expect((await pullBoth()).records.status).toBe(304);
  await pot.water();
  expect(await version()).toEqual(['"v3"']);
  await server.db.pool.query('UPDATE plants SET auto_watering_locked = true WHERE id = $1', [
    pot.id,
  ]);
  await pot.edit();
  expect(await version()).toEqual(['"v4"']);
});

test('a delta of /api/plants contains no readings', async () => {
  const added = await addPlant(server, account, { nickname: 'New' });
  await requestAs(server, account)('DELETE', `/api/plants/${pot.id}`);
  const { delta } = (await pullBoth()).records;
  expect(delta).toEqual({ changed: [added], removed: [pot.id] });
});

test('a changed /api/plants is sent whole without A-IM, and as a delta with it', async () => {
  await pot.water();
  const headers = { ...bearer(account), 'if-none-match': records.etag };
  const response = await server.app.inject({ url: listUrl, headers });
  expect([response.statusCode, response.json().length, response.headers.im]).toEqual([
    200,
    2,
    undefined,
  ]);
  expect((await records.pull(server.app)).status).toBe(226);
});

test('after one reading of each of 1,000 plants a delta contains only readings', async () => {
  await server.db.pool.query(
    `INSERT INTO plants SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'device_id', NULL))).*
     FROM plants p, generate_series(1, 1000) WHERE p.id = $1`,
    [pot.id],
  );
  await server.db.pool.query(
    `INSERT INTO plant_changes SELECT p.user_id, p.id, c.change, c.record_change, c.last_reading_at
     FROM plants p JOIN plant_changes c ON c.plant_id = $1 WHERE p.user_id = c.user_id ON CONFLICT DO NOTHING`,
    [pot.id],
  );
  device.etag = '';
  await device.pull(server.app);
  server.clock.advance(minuteMs);
  const minute = { temperature: 20.5, soil_humidity: 50, air_humidity: 40, luminance: 1_000 };
  await server.db.pool.query(
    `WITH counter AS (UPDATE change_counters SET last = last + 1 WHERE user_id = $1 RETURNING last),
      stored AS (INSERT INTO sensor_logs SELECT $1, id, $2, 50, 40, 20.5, 1000, last FROM plants, counter WHERE user_id = $1)
     UPDATE plant_changes SET change = last, last_reading_at = $2 FROM counter WHERE user_id = $1`,
    [account.userId, server.clock()],
  );
  const { status, delta } = await device.pull(server.app);
  expect([status, delta?.changed]).toEqual([226, []]);
  expect(delta?.readings?.[pot.id]).toMatchObject([minute]);
  expect(Object.keys(delta?.readings ?? {})).toHaveLength(1_002);
});
