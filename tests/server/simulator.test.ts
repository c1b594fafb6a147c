import { setMaxListeners } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DeviceToken } from '#contract/device-tokens.ts';
import type { DeviceCommand, LogPayload } from '#contract/logs.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import type { SimulateOptions } from '#simulator/options.ts';
import { type Outside, simulate } from '#simulator/simulate.ts';
import { fetchApp } from '../support/device/fetch-app.ts';
import { runningClock } from '../support/server/clock.ts';
import { requestAs } from '../support/server/request.ts';
import {
  type Account,
  addPlant,
  openTestServer,
  type TestServer,
} from '../support/server/server.ts';

interface Sent {
  call: string;
  bearer: string;
  /** The readings of a report, oldest first: one, or several after an outage. */
  logs: LogPayload[];
  /** ms, by the device's clock */
  at: number;
}

let server: TestServer;
let owner: Account;
let sent: Sent[];
let printed: string[];
beforeEach(async () => {
  server = await openTestServer();
  owner = await server.addAccount();
  sent = [];
  printed = [];
});
afterEach(() => server.close());

const now = () => server.clock().getTime();
const reportsSent = () => sent.filter(({ call }) => call === 'POST /api/logs');
const logsSent = () =>
  reportsSent().flatMap(({ logs, ...report }) => logs.map((log) => ({ log, ...report })));

/**
 * Runs the simulator until its devices have paused `pauses` times in all; pauses under 1 s are not counted. If `logs` is
 * given: until every device has sent that many logs. Resolves to the exit code.
 */
async function run(
  asked: Partial<SimulateOptions> = {},
  { pauses = 3, logs, ...changes }: Partial<Outside> & { pauses?: number; logs?: number } = {},
): Promise<number> {
  const end = new AbortController();
  let left = pauses;
  const isEnough = () => (logs ? haveSent(asked.plants ?? 1, logs) : left <= 0);
  const options: SimulateOptions = {
    ...{ url: '', email: owner.email, password: owner.password },
    ...{ plants: 1, speed: 600, forMs: null, load: null },
    ...{ dropout: 0, stuck: 0, emptyTank: 0, seed: 1 },
    ...asked,
  };
  return await simulate(options, {
    fetch: overTheWire(),
    now,
    random: () => 0.5,
    pause: async (ms) => {
      server.clock.advance(ms);
      if (ms < 1_000) return;
      left -= 1;
      if (isEnough()) end.abort();
    },
    signal: end.signal,
    print: (line) => printed.push(line),
    ...changes,
  });
}

function haveSent(devices: number, logs: number): boolean {
  const counts = new Map<string, number>();
  for (const { bearer, log } of logsSent()) {
    const device = `${bearer} ${log.plant_id}`;
    counts.set(device, (counts.get(device) ?? 0) + 1);
  }
  return counts.size === devices && [...counts.values()].every((count) => count >= logs);
}

/** A fetch that sends requests to the real server and records them. */
function overTheWire(): typeof fetch {
  return async (url, init = {}) => {
    const send = fetchApp(server.app);
    sent.push({
      call: `${init.method} ${url}`,
      bearer: new Headers(init.headers).get('authorization') ?? '',
      logs: [typeof init.body === 'string' ? JSON.parse(init.body) : {}].flat(),
      at: now(),
    });
    return await send(String(url), init);
  };
}

async function request<T>(path: string): Promise<T> {
  return (await requestAs(server, owner)('GET', path)).json();
}

function logsOf(plant: { id: string | number }): Promise<ReadingLog[]> {
  return request(`/api/logs/plant/${plant.id}`);
}

test('the simulator uses the plants that have a device, and adds new plants up to the requested number', async () => {
  await addPlant(server, owner, { device_id: 'pot-1' });
  const bare = await addPlant(server, owner);
  expect(await run({ plants: 3 }, { logs: 2 })).toBe(0);
  const plants = await request<PlantRecord[]>('/api/plants');
  expect(new Set(plants.map(({ device_id }) => device_id))).toEqual(
    new Set(['pot-1', null, 'sim-1', 'sim-2']),
  );
  for (const plant of plants) {
    const logs = await logsOf(plant);
    expect(logs.length > 0).toBe(plant.id !== bare.id);
  }
});

test('the simulator signs in once and out again; every reading comes with the token of its own device', async () => {
  await run({ plants: 2 }, { logs: 2 });
  const calls = sent.map(({ call }) => call);
  const firstLog = calls.indexOf('POST /api/logs');
  expect(calls.filter((call) => call === 'POST /auth/login')).toHaveLength(1);
  expect(calls[firstLog - 1]).toBe('POST /auth/logout');
  expect(new Set(calls.slice(firstLog))).toEqual(new Set(['POST /api/logs']));
  const bearers = new Set(logsSent().map(({ bearer }) => bearer));
  expect(bearers.size).toBe(2);
  for (const bearer of bearers) expect(bearer).toMatch(/^Bearer sprig_/);
  expect(logsSent().every(({ log }) => !log.plant_id && !log.device_id)).toBe(true);
  const { rowCount } = await server.db.pool.query('SELECT 1 FROM sessions');
  expect(rowCount).toBe(1);
});

test('another run uses the same plants and renews their tokens', async () => {
  await run({ plants: 2 });
  const [before] = logsSent();
  await run({ plants: 2 });
  expect(await request<PlantRecord[]>('/api/plants')).toHaveLength(2);
  expect(await request<DeviceToken[]>('/api/device-tokens')).toHaveLength(2);
  const old = { token: before?.bearer.replace('Bearer ', '') ?? '' };
  const { statusCode } = await requestAs(server, old)('POST', '/api/logs', { payload: {} });
  expect(statusCode).toBe(401);
});

test('two plants that share a device both get readings', async () => {
  const fern = await addPlant(server, owner, { device_id: 'pot-1' });
  const palm = await addPlant(server, owner, { device_id: 'pot-1' });
  await run({ plants: 2 }, { logs: 2 });
  expect((await logsOf(fern)).length).toBeGreaterThan(0);
  expect((await logsOf(palm)).length).toBeGreaterThan(0);
});

test('readings carry the real time while soil and daylight are simulated faster', async () => {
  const plant = await addPlant(server, owner, { device_id: 'pot-1' });
  const began = now();
  await run({ speed: 6_000 }, { pauses: 20 });
  const logs = (await logsOf(plant)).reverse();
  expect(logs.map(({ timestamp }) => Date.parse(timestamp))).toEqual(
    Array.from({ length: 20 }, (_, n) => began + n * 1_000),
  );
  expect(logs[0]?.soil_humidity ?? 0).toBeGreaterThan((logs.at(-1)?.soil_humidity ?? 99) + 3);
  expect(new Set(logs.map(({ luminance }) => luminance)).has(0)).toBe(true);
  expect(Math.max(...logs.map(({ luminance }) => luminance ?? 0))).toBeGreaterThan(1_000);
});

test('a skipped report is sent later with its own time', async () => {
  const plant = await addPlant(server, owner, { device_id: 'pot-1' });
  const began = now();
  await run({ dropout: 0.5 }, { pauses: 20 });
  const late = logsSent().filter(({ log, at }) => Date.parse(log.timestamp ?? '') < at);
  expect(late.length).toBeGreaterThan(3);
  const logs = (await logsOf(plant)).reverse();
  expect(logs.length).toBeGreaterThan(15);
  expect(logs.map(({ timestamp }) => Date.parse(timestamp))).toEqual(
    logs.map((_, n) => began + n * 1_000),
  );
  expect(printed.at(-1)).toContain(`${logs.length} readings reported, ${late.length} of them late`);
});

test('after an outage the server gets the readings of the outage, during which the device retries with backoff', async () => {
  const plant = await addPlant(server, owner, { device_id: 'pot-1' });
  const send = overTheWire();
  const began = now();
  const tries: number[] = [];
  const away = async (...[url, init]: Parameters<typeof fetch>) => {
    const isLog = String(url) === '/api/logs';
    if (!isLog || now() < began + 2_000 || now() > began + 30_000) return await send(url, init);
    tries.push(now());
    throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
  };
  await run({}, { pauses: 60, fetch: away });
  expect(await logsOf(plant)).toHaveLength(60);
  // The readings of the outage come in one request.
  expect(Math.max(...reportsSent().map(({ logs }) => logs.length))).toBeGreaterThan(20);
  expect(reportsSent().length).toBeLessThan(40);
  expect(tries.length).toBeLessThan(8);
  const gaps = tries.slice(1).map((at, n) => at - (tries[n] ?? 0));
  expect(gaps).toEqual(gaps.toSorted((a, b) => a - b));
  expect(printed.filter((line) => line.includes('ECONNREFUSED'))).toEqual([
    'pot-1 (Fern): connect ECONNREFUSED; trying again',
  ]);
});

test('a device whose token is revoked prints a message and stops', async () => {
  await addPlant(server, owner, { device_id: 'pot-1' });
  const code = await run(
    {},
    {
      pause: async (ms) => {
        server.clock.advance(ms);
        await server.db.pool.query('DELETE FROM device_tokens');
      },
    },
  );
  expect(code).toBe(0);
  expect(printed).toContain('pot-1 (Fern): its token was revoked; it stops');
});

test('a reading that the server rejects is dropped, and the next one is sent', async () => {
  const plant = await addPlant(server, owner, { device_id: 'pot-1' });
  const send = overTheWire();
  let calls = 0;
  const refusing = async (...[url, init = {}]: Parameters<typeof fetch>) => {
    if (String(url) !== '/api/logs' || ++calls > 1) return await send(url, init);
    const body = JSON.stringify({ ...JSON.parse(String(init.body)), soil_humidity: 'wet' });
    return await send(url, { ...init, body });
  };
  await run({}, { pauses: 5, fetch: refusing });
  expect(printed[1]).toMatch(/^pot-1 \(Fern\): .* responded with 422: .*the reading is dropped$/);
  expect(await logsOf(plant)).toHaveLength(4);
});

test('a stuck sensor keeps reporting the same soil humidity', async () => {
  await run({ plants: 2, stuck: 1, speed: 6_000 }, { logs: 10 });
  const plants = await request<PlantRecord[]>('/api/plants');
  const soils = new Map<string, number>();
  for (const plant of plants) {
    const logs = await logsOf(plant);
    expect(logs.length).toBeGreaterThan(5);
    soils.set(String(plant.device_id), new Set(logs.map((log) => log.soil_humidity)).size);
  }
  expect(soils.get('sim-1')).toBe(1);
  expect(soils.get('sim-2')).toBeGreaterThan(3);
});

/** Replaces the commands in the real server's responses to logs. The n-th of these (`loseResponse`) is lost. */
function commanding(commands: (nthLog: number) => DeviceCommand[], loseResponse?: number) {
  const send = overTheWire();
  let logs = 0;
  const wire: typeof fetch = async (url, init = {}) => {
    const response = await send(url, init);
    if (String(url) !== '/api/logs') return response;
    logs += 1;
    if (logs === loseResponse) throw new TypeError('fetch failed');
    const body = await response.json();
    // In the response to an array, the last result has the commands.
    const last = body.results?.at(-1).body ?? body;
    last.commands = commands(logs);
    return new Response(JSON.stringify(body), {
      status: response.status,
      headers: response.headers,
    });
  };
  return wire;
}

const water = (id: string, expiresAt: number): DeviceCommand => ({
  id,
  type: 'water',
  amount_ml: 150,
  expires_at: new Date(expiresAt).toISOString(),
});

/** Runs one device with a clock that starts at the real time, because the Date header of responses is in real time. */
async function runInRealTime(wire: typeof fetch, asked: Partial<SimulateOptions> = {}) {
  await server.close();
  server = await openTestServer(runningClock());
  owner = await server.addAccount();
  await addPlant(server, owner, { device_id: 'pot-1' });
  const dryPot = { device_id: 'pot-1', soil_humidity: 20 };
  await requestAs(server, owner)('POST', '/api/logs', { payload: dryPot });
  await run(asked, { fetch: wire, pauses: 8 });
}

const resultsSent = () => logsSent().map(({ log }) => log.command_results);

test('a repeated command runs once, raises soil humidity, and is reported until the server has responded', async () => {
  const wire = commanding(
    (nth) => (nth === 2 || nth === 4 ? [water('first', Date.now() + 120_000)] : []),
    3,
  );
  await runInRealTime(wire);
  const done = [{ id: 'first', status: 'done', amount_ml: 150 }];
  // The response to the third log is lost, so the next report repeats that log, and its newest log repeats the
  // results. The server has already stored both.
  expect(resultsSent().slice(0, 6)).toEqual([
    undefined,
    undefined,
    done,
    undefined,
    done,
    undefined,
  ]);
  const [, before, after] = logsSent().map(({ log }) => log.soil_humidity ?? Number.NaN);
  expect((after ?? 0) - (before ?? 0)).toBeGreaterThan(10);
  expect(printed.filter((line) => line.includes('its pump gave 150 ml'))).toHaveLength(1);
  expect(printed.at(-1)).toContain('1 runs of a pump, 150 ml');
});

test('a command that has expired by the server’s clock does not run', async () => {
  const wire = commanding((nth) => (nth === 2 ? [water('over', Date.now())] : []));
  await runInRealTime(wire);
  expect(resultsSent().slice(1, 4)).toEqual([
    undefined,
    [{ id: 'over', status: 'failed', amount_ml: 0 }],
    undefined,
  ]);
  expect(printed.at(-1)).toContain('0 runs of a pump');
});

test('a pump with an empty tank reports that it failed', async () => {
  const wire = commanding((nth) => (nth === 2 ? [water('dry', Date.now() + 120_000)] : []));
  await runInRealTime(wire, { emptyTank: 1 });
  expect(resultsSent()[2]).toEqual([{ id: 'dry', status: 'failed', amount_ml: 0 }]);
  expect(printed.at(-1)).toContain('0 runs of a pump');
});

test('load comes from the requested number of devices, each with its own plant', async () => {
  await addPlant(server, owner, { device_id: 'pot-1' });
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const send = overTheWire();
  const code = await run(
    { load: 60 },
    {
      signal: end.signal,
      fetch: async (url, init) => {
        const response = await send(url, init);
        if (logsSent().length > 400) end.abort();
        return response;
      },
      pause: (_, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    },
  );
  expect(code).toBe(0);
  expect(printed.at(-1)).toMatch(
    /^\d+ reports in total\. \d+ requests\/s, p50 [\d.]+ ms, p95 [\d.]+ ms, p99 [\d.]+ ms, errors: none$/,
  );
  const { rows } = await server.db.pool.query(
    `SELECT p.device_id FROM sensor_logs l JOIN plants p ON p.user_id = l.user_id AND p.id = l.plant_id GROUP BY p.id, p.device_id`,
  );
  expect(rows).toHaveLength(60);
  expect(rows.every(({ device_id }) => device_id.startsWith('load-'))).toBe(true);
  expect((await request<DeviceToken[]>('/api/device-tokens')).length).toBeLessThanOrEqual(50);
});

test('after five failed attempts to reach the server, the simulator exits with code 1', async () => {
  let tries = 0;
  const nobody = async () => {
    tries += 1;
    throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
  };
  expect(await run({}, { fetch: nobody, pauses: 99 })).toBe(1);
  expect(tries).toBe(5);
  expect(printed.at(-1)).toContain('connect ECONNREFUSED');
});

test('a wrong password ends the simulator after one request', async () => {
  expect(await run({ password: 'wrong' })).toBe(1);
  expect(sent).toHaveLength(1);
  expect(printed).toEqual([expect.stringContaining('Invalid username/email or password')]);
});

test('an invalid reading among those of an outage is dropped, and the others arrive', async () => {
  const plant = await addPlant(server, owner, { device_id: 'pot-1' });
  const send = overTheWire();
  let calls = 0;
  const flawed = async (...[url, init = {}]: Parameters<typeof fetch>) => {
    if (String(url) !== '/api/logs') return await send(url, init);
    calls += 1;
    if (calls <= 3) throw new TypeError('fetch failed');
    const payload = JSON.parse(String(init.body));
    if (!Array.isArray(payload)) return await send(url, init);
    payload[1].soil_humidity = 101;
    return await send(url, { ...init, body: JSON.stringify(payload) });
  };
  await run({}, { pauses: 12, fetch: flawed });
  const [outage] = reportsSent();
  expect(outage?.logs.length).toBeGreaterThan(3);
  expect(await logsOf(plant)).toHaveLength(logsSent().length - 1);
  expect(new Set(logsSent().map(({ log }) => log.timestamp)).size).toBe(logsSent().length);
});

test('the simulator loses no reading when the server is overloaded', async () => {
  const plant = await addPlant(server, owner, { device_id: 'pot-1' });
  const send = overTheWire();
  let calls = 0;
  const overloaded: typeof fetch = async (url, init) => {
    if (String(url) === '/api/logs' && ++calls % 3 !== 0) {
      return new Response('{"code":"unavailable","message":"Busy"}', { status: 503 });
    }
    return await send(url, init);
  };
  await run({}, { pauses: 40, fetch: overloaded });
  const times = (await logsOf(plant)).map(({ timestamp }) => Date.parse(timestamp)).reverse();
  expect(times.length).toBeGreaterThan(20);
  expect(times).toEqual(times.map((_, n) => (times[0] ?? 0) + n * 1_000));
});
