import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeviceCommand } from '#contract/logs.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import { dayMs, hourMs, minuteMs, openPot, type Pot } from '../../support/server/soil.ts';
import { isLocked, openLockedPot, waterInVain } from './support/locked-pot.ts';

const lifeMs = 2 * minuteMs;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** The time that is `ms` from now, in ISO 8601. */
const inMs = (ms: number) => new Date(server.clock().getTime() + ms).toISOString();

/** The time `ms` after `moment`, or before it if `ms` is negative. */
const from = (moment: string, ms: number) => new Date(Date.parse(moment) + ms).toISOString();

/** When the device's command was issued. */
const issueOf = ({ expires_at }: DeviceCommand) => from(expires_at, -lifeMs);

let entries = 0;

/** The two requests that record a watering by hand; `at` is its time. */
const waterings = {
  'POST /water': (pot: Pot, at: string) => pot.water({ watered_at: at }),
  'POST /journal': (pot: Pot, at: string) => {
    entries += 1;
    const id = `00000000-0000-4000-8000-${String(entries).padStart(12, '0')}`;
    const payload = { id, type: 'watered', at, amount_ml: null, note: null };
    return pot.request('POST', `/api/plants/${pot.id}/journal`, { payload });
  },
};
type Route = keyof typeof waterings;
const routes = Object.keys(waterings) as Route[];

async function water(route: Route, pot: Pot, at: string): Promise<void> {
  const { statusCode, body } = await waterings[route](pot, at);
  expect([200, 201], body).toContain(statusCode);
}

test.each(routes)(
  'a watering from before the commands that failed does not unlock: %s',
  async (route) => {
    const wateredAt = inMs(0);
    server.clock.advance(3 * hourMs);
    const { pot } = await openLockedPot(server);
    server.clock.advance(4 * hourMs);
    await water(route, pot, wateredAt);
    expect(await isLocked(server, pot)).toBe(true);
    expect(await pot.waterings()).toMatchObject([
      { source: 'manual', watered_at: new Date(wateredAt) },
    ]);
    server.clock.advance(2 * dayMs);
    expect(await pot.reportSoil(20, 20, 20)).toEqual([]);
    expect(await isLocked(server, pot)).toBe(true);
  },
);

test.each(routes)('a watering dated between failed commands does not unlock: %s', async (route) => {
  const pot = await openPot(server);
  await waterInVain(server, pot);
  const wateredAt = inMs(0);
  server.clock.advance(hourMs);
  for (let n = 0; n < 2; n += 1) await waterInVain(server, pot);
  await pot.reportSoil(20, 20, 20);
  expect(await isLocked(server, pot)).toBe(true);
  await water(route, pot, wateredAt);
  expect(await isLocked(server, pot)).toBe(true);
});

test.each(routes)(
  'a watering that was given after the lock but arrives late unlocks: %s',
  async (route) => {
    const { pot } = await openLockedPot(server);
    const wateredAt = inMs(0);
    server.clock.advance(20 * hourMs);
    expect(await pot.reportSoil(20, 20, 20)).toEqual([]);
    await water(route, pot, wateredAt);
    expect(await isLocked(server, pot)).toBe(false);
    server.clock.advance(4 * hourMs);
    await pot.reportDrySoil();
  },
);

test.each(routes)('a watering of more than 24 h ago does not unlock: %s', async (route) => {
  const { pot } = await openLockedPot(server);
  const wateredAt = inMs(0);
  server.clock.advance(dayMs);
  await water(route, pot, wateredAt);
  expect(await isLocked(server, pot)).toBe(true);
});

test.each(routes)('a watering with the current time unlocks: %s', async (route) => {
  const { pot } = await openLockedPot(server);
  await water(route, pot, inMs(0));
  expect(await isLocked(server, pot)).toBe(false);
});

test('a watering without a time unlocks the plant', async () => {
  const { pot } = await openLockedPot(server);
  expect((await pot.water()).statusCode).toBe(200);
  expect(await isLocked(server, pot)).toBe(false);
});

test.each(routes.flatMap((route) => [[route, 0, false] as const, [route, -1, true] as const]))(
  '%s: a watering %i ms after the last command was issued leaves the plant locked: %s',
  async (route, ms, expected) => {
    const { pot, last } = await openLockedPot(server);
    await water(route, pot, from(issueOf(last), ms));
    expect(await isLocked(server, pot)).toBe(expected);
  },
);

test('a watering unlocks the plant even if the last command was issued and failed at the same moment', async () => {
  const pot = await openPot(server);
  let { id } = await pot.reportDrySoil();
  for (let n = 0; n < 3; n += 1) {
    const [next] = await pot.report({ id, status: 'failed', amount_ml: 0 });
    id = next?.id ?? id;
  }
  expect(await isLocked(server, pot)).toBe(true);
  await water('POST /water', pot, inMs(0));
  expect(await isLocked(server, pot)).toBe(false);
});

test.each(routes)('a late watering does not reset the count of failures: %s', async (route) => {
  const pot = await openPot(server);
  const wateredAt = inMs(0);
  server.clock.advance(hourMs);
  for (let n = 0; n < 2; n += 1) await waterInVain(server, pot);
  await water(route, pot, wateredAt);
  await waterInVain(server, pot);
  expect(await pot.reportSoil(20, 20, 20)).toEqual([]);
  expect(await isLocked(server, pot)).toBe(true);
});

test.each(routes)(
  'a watering dated a few minutes before an open command withdraws the command: %s',
  async (route) => {
    const pot = await openPot(server);
    const wateredAt = inMs(0);
    await pot.reportDrySoil();
    server.clock.advance(lifeMs - 1);
    await water(route, pot, wateredAt);
    expect(await pot.log({ soil_humidity: 20 })).toEqual([]);
    expect(await pot.reportSoil(20)).toEqual([]);
    expect(await pot.commandsGiven()).toBe(1);
  },
);

test('a watering unlocks its plant although a command of another plant was issued after it', async () => {
  const { pot } = await openLockedPot(server);
  const wateredAt = inMs(0);
  server.clock.advance(hourMs);
  const other = await openPot(server, { device_id: 'pot-2' }, pot.account);
  await waterInVain(server, other);
  await water('POST /water', pot, wateredAt);
  expect(await isLocked(server, pot)).toBe(false);
});

test('commands that were issued while the clock was ahead do not keep the plant locked', async () => {
  const { pot } = await openLockedPot(server);
  await server.db.pool.query(
    `UPDATE watering_commands SET issued_at = $2, expires_at = $2, status = 'failed'
      WHERE plant_id = $1`,
    [pot.id, inMs(30 * dayMs)],
  );
  await pot.water();
  expect(await isLocked(server, pot)).toBe(false);
});
