import { eq, gt } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReadingLog } from '#domain/reading/reading.ts';
import { sessions, users } from '#server/accounts/schema.ts';
import {
  type AccountDevicesOptions,
  type AccountDevicesState,
  createAccountDevicesState,
  postRound,
  runAccountDevices,
} from '#simulator/account-devices.ts';
import type { Surroundings } from '#simulator/world/climate.ts';
import { fetchApp } from '../../support/device/fetch-app.ts';
import { runningClock } from '../../support/server/clock.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  addPlant,
  openTestServer,
  type TestServer,
} from '../../support/server/server.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

const surroundings: Surroundings = {
  seed: 8,
  outdoor: false,
  brightnessLux: 9_000,
  baseTemperature: 25,
  baseAirHumidity: 60,
  dryingPerDay: 6,
  fieldCapacity: 62,
};

let server: TestServer;
let owner: Account;
let asked: string[];
let problems: string[];
let memory: AccountDevicesState;
beforeEach(async () => {
  server = await openTestServer();
  owner = await server.addAccount();
  asked = [];
  problems = [];
  memory = createAccountDevicesState();
});
afterEach(() => server.close());

function optionsWith(changes: Partial<AccountDevicesOptions> = {}): AccountDevicesOptions {
  const send = fetchApp(server.app);
  return {
    fetch: async (url, init = {}) => {
      asked.push(`${init.method} ${url}`);
      return await send(String(url), init);
    },
    baseUrl: '',
    usernameOrEmail: owner.email,
    password: owner.password,
    everyMs: 1,
    now: () => server.clock().getTime(),
    surroundingsOf: () => surroundings,
    signal: new AbortController().signal,
    onError: (message) => problems.push(message),
    ...changes,
  };
}

async function logsOf(plant: { id: string }): Promise<ReadingLog[]> {
  const response = await requestAs(server, owner)('GET', `/api/logs/plant/${plant.id}`);
  return response.json();
}

async function soilOf(plant: { id: string }): Promise<number> {
  return (await logsOf(plant))[0]?.soil_humidity ?? Number.NaN;
}

const signIns = () => asked.filter((call) => call === 'POST /auth/login').length;

test('a round reports once for each plant with a device and for no other', async () => {
  const fed = await addPlant(server, owner, { device_id: 'pot-1' });
  const alsoFed = await addPlant(server, owner, { device_id: 'pot-2' });
  const bare = await addPlant(server, owner);
  const stranger = await server.addAccount();
  const strange = await addPlant(server, stranger, { device_id: 'pot-1' });
  await postRound(optionsWith(), memory);
  expect(problems).toEqual([]);
  const timestamp = server.clock().toISOString();
  expect(await logsOf(fed)).toMatchObject([{ timestamp, soil_humidity: expect.any(Number) }]);
  expect(await logsOf(alsoFed)).toMatchObject([{ timestamp }]);
  expect(await logsOf(bare)).toEqual([]);
  const strangeLogs = await requestAs(server, stranger)('GET', `/api/logs/plant/${strange.id}`);
  expect(strangeLogs.json()).toEqual([]);
});

test('soil dries from round to round, and a watering raises the next reading', async () => {
  const plant = await addPlant(server, owner, { device_id: 'pot-1' });
  await postRound(optionsWith(), memory);
  const first = await soilOf(plant);
  server.clock.advance(dayMs);
  await postRound(optionsWith(), memory);
  const dried = await soilOf(plant);
  expect(dried).toBeLessThan(first - 1);

  server.clock.advance(minuteMs);
  await requestAs(server, owner)('POST', `/api/plants/${plant.id}/water`);
  server.clock.advance(minuteMs);
  await postRound(optionsWith(), memory);
  expect(await soilOf(plant)).toBeGreaterThan(surroundings.fieldCapacity - 2);
  expect(problems).toEqual([]);
});

test('the program runs a command once, reports it, and does not count its own pump as a watering by hand', async () => {
  await server.close();
  server = await openTestServer(runningClock());
  owner = await server.addAccount();
  const plant = await addPlant(server, owner, { device_id: 'pot-1' });
  const request = requestAs(server, owner);
  await request('POST', '/api/logs', { payload: { device_id: 'pot-1', soil_humidity: 20 } });
  const expires_at = new Date(Date.now() + 2 * minuteMs).toISOString();
  const commands = [{ id: 'first', type: 'water', amount_ml: 150, expires_at }];
  const reported: unknown[] = [];
  const { fetch: send, ...options } = optionsWith();
  const commanding: typeof fetch = async (url, init) => {
    const response = await send(url, init);
    if (String(url) !== '/api/logs') return response;
    reported.push(JSON.parse(String(init?.body)).command_results);
    // The command is not stored, so record the watering as the server does when a device reports a command as done.
    if (reported.length === 2) await request('POST', `/api/plants/${plant.id}/water?amount=150`);
    return new Response(JSON.stringify({ ...(await response.json()), commands }), response);
  };
  const soils: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    await postRound({ ...options, fetch: commanding }, memory);
    soils.push(await soilOf(plant));
    server.clock.advance(2_000);
  }
  expect(problems).toEqual([]);
  const done = [{ id: 'first', status: 'done', amount_ml: 150 }];
  expect(reported).toEqual([undefined, done, undefined, undefined]);
  const [dry = 0, ...wet] = soils;
  expect(dry).toBeLessThan(21);
  // 150 ml are 15 % in this pot; a watering by hand would have filled it to 62 %.
  for (const soil of wet) expect(Math.abs(soil - 35)).toBeLessThan(1);
});

test('rounds share one sign-in and sign in again when the session has ended', async () => {
  const plant = await addPlant(server, owner, { device_id: 'pot-1' });
  await postRound(optionsWith(), memory);
  server.clock.advance(minuteMs);
  await postRound(optionsWith(), memory);
  expect(signIns()).toBe(1);

  server.clock.advance(31 * dayMs);
  await postRound(optionsWith(), memory);
  expect(signIns()).toBe(2);
  expect(problems).toEqual([]);
  owner = { ...owner, token: memory.token ?? '' };
  expect(await logsOf(plant)).toHaveLength(3);
});

test('the session of the program ends after 12 hours, so that restarts do not pile up sessions for 30 days', async () => {
  await postRound(optionsWith(), memory);
  const openSessions = async () => {
    const { clock, db } = server;
    return (await db.orm.select().from(sessions).where(gt(sessions.expiresAt, clock()))).length;
  };
  expect(await openSessions()).toBe(2);
  server.clock.advance(dayMs / 2);
  expect(await openSessions()).toBe(1);
});

test('the program tries a wrong password once and stops', async () => {
  await addPlant(server, owner, { device_id: 'pot-1' });
  await runAccountDevices(optionsWith({ password: 'no longer right' }));
  expect(asked).toEqual(['POST /auth/login']);
  expect(problems).toEqual([
    'Could not read the plants: the server responded with 401: Invalid username/email or password',
  ]);
});

/** Changes the password of the account, and ends its sessions, after the first report. */
function withChangedPassword(): AccountDevicesOptions {
  const { fetch: send, ...options } = optionsWith();
  const { orm } = server.db;
  return {
    ...options,
    fetch: async (url, init) => {
      const response = await send(url, init);
      if (String(url) === '/api/logs') {
        await orm.update(users).set({ passwordHash: 'another' }).where(eq(users.id, owner.userId));
        await orm.delete(sessions).where(eq(sessions.userId, owner.userId));
      }
      return response;
    },
  };
}

test('the program stops when its password is changed while it runs', async () => {
  await addPlant(server, owner, { device_id: 'pot-1' });
  await runAccountDevices(withChangedPassword());
  expect(asked).toEqual([
    'POST /auth/login',
    'GET /api/plants/with-latest-readings',
    'POST /api/logs',
    'GET /api/plants/with-latest-readings',
    'POST /auth/login',
  ]);
  expect(problems).toHaveLength(1);
});

test('a password that is rejected during a round is not tried again for further plants', async () => {
  for (const device_id of ['pot-1', 'pot-2', 'pot-3']) await addPlant(server, owner, { device_id });
  await runAccountDevices(withChangedPassword());
  expect(asked).toEqual([
    'POST /auth/login',
    'GET /api/plants/with-latest-readings',
    'POST /api/logs',
    'POST /api/logs',
    'POST /auth/login',
  ]);
  expect(problems).toHaveLength(1);
});

test('a rejected password stays rejected, also if the server then limits the attempts', async () => {
  const rejected = optionsWith({ password: 'wrong' });
  await postRound(rejected, memory);
  const limited = async () => new Response('{"message":"Too many attempts"}', { status: 429 });
  await postRound({ ...rejected, fetch: limited }, memory);
  expect(memory.isPasswordRejected).toBe(true);
});

test('a server that is down is reported and tried again in the next round', async () => {
  const plant = await addPlant(server, owner, { device_id: 'pot-1' });
  const away = async () => {
    throw new TypeError('fetch failed');
  };
  await postRound(optionsWith({ fetch: away }), memory);
  expect(problems).toEqual(['Could not read the plants: fetch failed']);
  expect(memory.isPasswordRejected).toBe(false);
  await postRound(optionsWith(), memory);
  expect(await logsOf(plant)).toHaveLength(1);
});

test('a stopped program sends no further reading and reports no error', async () => {
  await addPlant(server, owner, { device_id: 'pot-1' });
  await addPlant(server, owner, { device_id: 'pot-2' });
  const end = new AbortController();
  const { fetch: send, ...options } = optionsWith({ signal: end.signal });
  await runAccountDevices({
    ...options,
    fetch: async (url, init) => {
      if (String(url) === '/api/logs') end.abort();
      return await send(url, init);
    },
  });
  expect(asked.filter((call) => call === 'POST /api/logs')).toHaveLength(1);
  expect(problems).toEqual([]);
});
