import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewDeviceToken } from '#contract/device-tokens.ts';
import type { LogResult } from '#contract/logs.ts';
import { requestAs } from '../../support/server/request.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import { dayMs, minuteMs, openPot, type Pot } from '../../support/server/soil.ts';
import { DeltaClient, wholeList } from '../plants/support/delta-client.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** Two plants of one account with the same device. */
async function openPair(): Promise<{ dry: Pot; moist: Pot }> {
  const dry = await openPot(server);
  return { dry, moist: await openPot(server, {}, dry.account) };
}

async function sendArray({ request }: Pot, readings: object[]): Promise<LogResult[]> {
  const response = await request('POST', '/api/logs', { payload: readings });
  expect(response.statusCode, response.body).toBe(200);
  return response.json<{ results: LogResult[] }>().results;
}

test('a result that comes with a reading of another plant of the device is a watering of the plant of its command', async () => {
  const { dry, moist } = await openPair();
  const { id } = await dry.reportDrySoil();
  const phone = new DeltaClient(dry.account);
  await phone.pull(server.app);
  server.clock.advance(minuteMs / 2);
  const result = { id, status: 'done', amount_ml: 120 };
  expect(await moist.log({ soil_humidity: 60, command_results: [result] })).toEqual([]);
  expect(await dry.waterings()).toEqual([
    { watered_at: server.clock(), source: 'auto', amount_ml: 120, soil_before: 20 },
  ]);
  expect(await moist.waterings()).toEqual([]);
  expect([await dry.etag(), await moist.etag()]).toEqual(['"v2"', '"v1"']);
  const { delta } = await phone.pull(server.app);
  expect(delta?.changed.map((plant) => plant.id)).toContain(dry.id);
  expect(phone.list).toEqual(await wholeList(server.app, dry.account));
  await moist.log({ soil_humidity: 60, command_results: [result] });
  expect(await dry.waterings()).toHaveLength(1);
});

test('a device with its own token reports a result with a reading of another of its plants', async () => {
  const { dry, moist } = await openPair();
  const { id } = await dry.reportDrySoil();
  const payload = { device_id: 'pot-1' };
  const made = await dry.request('POST', '/api/device-tokens', { payload });
  const device = requestAs(server, made.json<NewDeviceToken>());
  const command_results = [{ id, status: 'done' }];
  const reading = { plant_id: moist.id, soil_humidity: 60, command_results };
  expect((await device('POST', '/api/logs', { payload: reading })).statusCode).toBe(201);
  expect(await dry.waterings()).toHaveLength(1);
});

test('in an array the last reading, of another plant, may carry the result, and a second command is not issued', async () => {
  const { dry, moist } = await openPair();
  const { id } = await dry.reportDrySoil();
  const command_results = [{ id, status: 'done' }];
  const results = await sendArray(dry, [
    { plant_id: dry.id, soil_humidity: 20 },
    { plant_id: moist.id, soil_humidity: 60, command_results },
  ]);
  expect(results).toMatchObject([
    { status: 201, body: { commands: [] } },
    { status: 201, body: { commands: [] } },
  ]);
  expect(await dry.waterings()).toHaveLength(1);
  expect(await dry.note()).toBe('Not watered: the last water is still soaking in');
});

test('three waterings whose results come with readings of another plant do not lock automatic watering', async () => {
  const { dry, moist } = await openPair();
  for (let n = 0; n < 3; n++) {
    const { id } = await dry.reportDrySoil();
    await moist.log({ soil_humidity: 60, command_results: [{ id, status: 'done' }] });
    await dry.reportSoil(40);
    server.clock.advance(dayMs);
  }
  expect((await dry.reportDrySoil()).amount_ml).toBe(150);
});

test('results of both plants with parallel readings of both plants are all stored', async () => {
  const { dry, moist: other } = await openPair();
  const pots = [dry, other];
  for (let n = 0; n < 2; n++) for (const pot of pots) await pot.reportSoil(20);
  const ids = [(await dry.reportDrySoil()).id, (await other.reportDrySoil()).id];
  const command_results = ids.map((id) => ({ id, status: 'done' as const }));
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      pots[n % 2]?.log({
        soil_humidity: 20,
        command_results: n % 4 < 2 ? command_results : command_results.toReversed(),
      }),
    ),
  );
  for (const pot of pots) expect(await pot.waterings()).toHaveLength(1);
});

test('a result is ignored if neither plant has a device, or if its plant got another device since', async () => {
  const { dry, moist } = await openPair();
  const { id } = await dry.reportDrySoil();
  const command_results = [{ id, status: 'done' }];
  await dry.edit({ device_id: 'pot-2' });
  await moist.log({ soil_humidity: 60, command_results });
  for (const pot of [dry, moist]) await pot.edit({ device_id: null });
  await moist.log({ soil_humidity: 60, command_results });
  expect([await dry.waterings(), await moist.waterings()]).toEqual([[], []]);
});
