import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import { hourMs, minuteMs, openPot } from '../../support/server/soil.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test.each(['water', 'edit'] as const)(
  'the action %s withdraws a command that was issued while the clock was ahead',
  async (act) => {
    const pot = await openPot(server);
    await pot.reportDrySoil();
    const issuedAt = server.clock();
    server.clock.advance(-3 * minuteMs);
    await pot[act]();
    expect(await pot.reportSoil(20)).toEqual([]);
    // Two minutes long the right clock shows a time at which the command could be run.
    while (server.clock().getTime() < issuedAt.getTime() + 90_000) {
      server.clock.advance(30_000);
      expect(await pot.log({ soil_humidity: 20 })).toEqual([]);
    }
  },
);

test('a repeated request does not return a command that was issued while the clock was ahead', async () => {
  const pot = await openPot(server);
  await pot.reportSoil(20, 20);
  server.clock.advance(2 * minuteMs);
  const repeated = { headers: { 'idempotency-key': 'third' } };
  const timestamp = server.clock().toISOString();
  expect(await pot.log({ soil_humidity: 20, timestamp }, repeated)).toHaveLength(1);
  server.clock.advance(-minuteMs);
  expect(await pot.log({ soil_humidity: 20, timestamp }, repeated)).toEqual([]);
  await pot.water();
  expect(await pot.log({ soil_humidity: 20, timestamp }, repeated)).toEqual([]);
});

test('an edit that was made while the clock was ahead does not withdraw later commands', async () => {
  const pot = await openPot(server);
  server.clock.advance(6 * hourMs);
  await pot.edit({ nickname: 'Zed' });
  server.clock.advance(-6 * hourMs);
  const command = await pot.reportDrySoil();
  server.clock.advance(minuteMs);
  expect(await pot.log({ soil_humidity: 20 })).toEqual([command]);
});

test('an edit that was made while the clock was ahead withdraws the earlier commands', async () => {
  const pot = await openPot(server);
  const { id } = await pot.reportDrySoil();
  server.clock.advance(6 * hourMs);
  await pot.edit({ nickname: 'Zed' });
  server.clock.advance(-6 * hourMs);
  expect(await pot.reportSoil(20)).toEqual([]);
  const [next] = await pot.report({ id, status: 'failed', amount_ml: 0 });
  expect(next?.id).not.toBe(id);
  expect(await pot.commandsGiven()).toBe(2);
});

test('three commands without effect lock a plant that was edited while the clock was ahead', async () => {
  const pot = await openPot(server);
  server.clock.advance(6 * hourMs);
  await pot.edit({ nickname: 'Zed' });
  server.clock.advance(-6 * hourMs);
  for (let n = 0; n < 3; n += 1) {
    await pot.reportDrySoil();
    server.clock.advance(hourMs);
  }
  await pot.reportSoil(20, 20, 20);
  expect((await pot.record()).auto_watering_reason).toBe('locked');
});
