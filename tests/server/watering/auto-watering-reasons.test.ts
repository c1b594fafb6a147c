import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import { expectNote, hourMs, minuteMs, openPot } from '../../support/server/soil.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** The time that is `ms` from now, in ISO 8601. */
function inMs(ms: number): string {
  return new Date(server.clock().getTime() + ms).toISOString();
}

test('each reading updates the reason for not watering, and a command that is issued clears it', async () => {
  const pot = await openPot(server);
  await expectNote(pot, 'Not watered: there is no reading yet');
  await pot.reportSoil(50);
  await expectNote(pot, 'Not watered: three readings are needed');
  await pot.reportSoil(50, 50);
  await expectNote(pot, 'Not watered: soil humidity is not below the minimum');
  await pot.reportSoil(20);
  await expectNote(pot, 'Not watered: soil humidity is not below the minimum');
  await pot.reportSoil(20);
  await expectNote(pot, null);
});

test.each([
  [30, 'soil humidity is not below the minimum'],
  [31, 'last reading is 31 min old'],
  [45, 'last reading is 45 min old'],
  [59, 'last reading is 59 min old'],
  [60, 'last reading is 1 h old'],
  [7 * 60, 'last reading is 7 h old'],
  [48 * 60 - 1, 'last reading is 47 h old'],
  [48 * 60, 'last reading is 2 days old'],
  [3 * 24 * 60 + 5, 'last reading is 3 days old'],
])(
  'when a device has been silent for %i min, the reason for not watering is: %s',
  async (minutes, words) => {
    const pot = await openPot(server);
    await pot.reportSoil(50, 50, 50);
    server.clock.advance(minutes * minuteMs);
    await expectNote(pot, `Not watered: ${words}`);
  },
);

test('a silent device is the reason for not watering, also after a command and after a watering by hand', async () => {
  const pot = await openPot(server);
  await pot.reportDrySoil();
  server.clock.advance(7 * hourMs);
  await expectNote(pot, 'Not watered: last reading is 7 h old');
  const response = await pot.water();
  expect(response.json().auto_watering_note).toBe('Not watered: last reading is 7 h old');
});

test('watering by hand and editing clear the reason', async () => {
  for (const act of ['water', 'edit'] as const) {
    const pot = await openPot(server);
    await pot.reportSoil(50, 50, 50);
    const response = await pot[act]();
    expect(response.json().auto_watering_note).toBeNull();
    await expectNote(pot, null);
  }
});

test('switching automatic watering off clears the reason, and switching it on shows none', async () => {
  const pot = await openPot(server);
  await pot.reportSoil(50, 50, 50);
  await pot.edit({ auto_watering_enabled: false });
  await pot.reportSoil(20, 20);
  await expectNote(pot, null);
  await pot.edit();
  await expectNote(pot, null);
  expect(await pot.reportSoil(20)).toHaveLength(1);
});

test('auto_watering_since is the time of the first decision with the current reason, or, if the device is silent, of its last reading', async () => {
  const pot = await openPot(server);
  const reasonOf = async () => {
    const { auto_watering_reason, auto_watering_since } = await pot.record();
    return [auto_watering_reason, auto_watering_since];
  };
  expect(await reasonOf()).toEqual(['no_reading', null]);
  await pot.reportSoil(50);
  const first = inMs(0);
  await pot.reportSoil(50);
  expect(await reasonOf()).toEqual(['few_readings', first]);
  await pot.reportSoil(50);
  const third = inMs(0);
  await pot.reportSoil(50, 80);
  expect(await reasonOf()).toEqual(['moist', third]);
  const last = inMs(0);
  server.clock.advance(31 * minuteMs);
  expect(await reasonOf()).toEqual(['stale', last]);
  await pot.reportSoil(50);
  expect(await reasonOf()).toEqual(['moist', third]);
});
