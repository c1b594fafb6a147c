import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import { minuteMs, openPot } from '../../support/server/soil.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('after the device is replaced, only readings of the new device count', async () => {
  const pot = await openPot(server);
  await pot.reportSoil(0, 0);
  server.clock.advance(minuteMs);
  expect((await pot.edit({ device_id: 'pot-2' })).statusCode).toBe(200);
  expect(await pot.reportSoil(65)).toEqual([]);
  expect(await pot.note()).toBe('Not watered: three readings are needed');
  expect(await pot.reportSoil(20)).toEqual([]);
  expect(await pot.reportSoil(20)).toHaveLength(1);
});

test('after an edit that keeps the device, earlier readings still count', async () => {
  const pot = await openPot(server);
  await pot.reportSoil(20, 20);
  await pot.edit({ nickname: 'Monty' });
  expect(await pot.reportSoil(20)).toHaveLength(1);
});

test('after a device was removed and assigned again, only new readings count', async () => {
  const pot = await openPot(server);
  await pot.reportSoil(20, 20);
  server.clock.advance(minuteMs);
  for (const device_id of [null, 'pot-1']) await pot.edit({ device_id });
  expect(await pot.reportSoil(20, 20)).toEqual([]);
  expect(await pot.reportSoil(20)).toHaveLength(1);
});

test('a late reading of the replaced device issues no command', async () => {
  const pot = await openPot(server);
  await pot.reportSoil(65);
  const timestamp = server.clock().toISOString();
  server.clock.advance(minuteMs);
  await pot.edit({ device_id: 'pot-2' });
  await pot.reportSoil(65);
  expect(await pot.log({ soil_humidity: 0, timestamp })).toEqual([]);
  expect(await pot.commandsGiven()).toBe(0);
});

test('when a plant gets its first device, the readings that it already has count for automatic watering', async () => {
  const pot = await openPot(server, { device_id: null });
  await pot.reportSoil(20, 20);
  await pot.edit({ device_id: 'pot-1' });
  expect(await pot.reportSoil(20)).toHaveLength(1);
});
