import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewDeviceToken } from '#contract/device-tokens.ts';
import type { DeviceCommand, LogResponse } from '#contract/logs.ts';
import { type RequestFunction, requestAs } from '../../support/server/request.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server/server.ts';
import { apartMs, hourMs, minuteMs, openPot, type Pot } from '../../support/server/soil.ts';
import { DeltaClient } from '../plants/support/delta-client.ts';

const none = { air_humidity: null, temperature: null, luminance: null };

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

function inMs(ms: number): string {
  return new Date(server.clock().getTime() + ms).toISOString();
}

interface Result {
  status: number;
  body: LogResponse & { code?: string };
}

async function sendArray(
  request: RequestFunction,
  readings: unknown[],
  key?: string,
): Promise<Result[]> {
  const response = await request('POST', '/api/logs', {
    payload: readings,
    ...(key !== undefined && { key }),
  });
  expect(response.statusCode, response.body).toBe(200);
  return response.json().results;
}

const logsOf = async ({ request, id }: Pick<Pot, 'request' | 'id'>) =>
  (await request('GET', `/api/logs/plant/${id}`)).json();
const statuses = (results: Result[]) => results.map(({ status }) => status);
const commandsOf = (results: Result[]): DeviceCommand[] =>
  results.flatMap(({ body }) => body.commands ?? []);

/** Dry readings of a pot, `apartMs` apart, the newest one `endMs` from now. */
function dry(pot: Pick<Pot, 'id'>, count: number, endMs = 0) {
  return Array.from({ length: count }, (_, n) => ({
    plant_id: pot.id,
    soil_humidity: 20,
    timestamp: inMs(endMs - (count - 1 - n) * apartMs),
  }));
}

describe('what is stored', () => {
  test('each reading of an array is stored and has its own result; the results are in the order of the readings', async () => {
    const pot = await openPot(server);
    const times = [-3, -1, -2].map((minutes) => inMs(minutes * minuteMs));
    const results = await sendArray(
      pot.request,
      times.map((timestamp, n) => ({ device_id: 'pot-1', soil_humidity: 40 + n, timestamp })),
    );
    const stored = times.map((timestamp, n) => ({ timestamp, soil_humidity: 40 + n, ...none }));
    expect(results).toEqual(
      stored.map((reading) => ({
        status: 201,
        body: { plant_id: pot.id, ...reading, commands: [] },
      })),
    );
    expect(await logsOf(pot)).toEqual([stored[1], stored[2], stored[0]]);
  });

  test('a rejected reading has the same result as when sent alone, and the others are stored', async () => {
    const pot = await openPot(server);
    await addPlant(server, pot.account, { device_id: 'shared' });
    await addPlant(server, pot.account, { device_id: 'shared' });
    const refused = [
      { plant_id: pot.id, soil_humidity: 101 },
      { plant_id: pot.id },
      { soil_humidity: 3 },
      { device_id: 'nobody', soil_humidity: 3 },
      { plant_id: 'not an id', soil_humidity: 3 },
      { device_id: 'shared', soil_humidity: 3 },
      { device_id: 'a\0b', soil_humidity: 3 },
      { plant_id: pot.id, soil_humidity: 3, timestamp: inMs(5 * minuteMs + 1) },
    ];
    const alone = [];
    for (const payload of refused) {
      const response = await pot.request('POST', '/api/logs', { payload });
      alone.push({ status: response.statusCode, body: response.json() });
    }
    const good = { plant_id: pot.id, soil_humidity: 50 };
    const results = await sendArray(pot.request, [...refused, good]);
    expect(results.slice(0, -1)).toEqual(alone);
    expect(statuses(alone as Result[])).toEqual([422, 422, 422, 404, 404, 422, 422, 422]);
    expect(results.at(-1)?.status).toBe(201);
    expect(await logsOf(pot)).toHaveLength(1);
  });

  test.each([null, 7, 'x', true, []])(
    '%j as a reading is rejected in its own result',
    async (item) => {
      const pot = await openPot(server);
      const results = await sendArray(pot.request, [item, { plant_id: pot.id, soil_humidity: 50 }]);
      expect(statuses(results)).toEqual([422, 201]);
      expect(results[0]?.body.code).toBe('invalid');
    },
  );

  test('an array that is sent twice is stored once, with the same results', async () => {
    const pot = await openPot(server);
    const readings = dry(pot, 5, -hourMs);
    const first = await sendArray(pot.request, readings);
    expect(await sendArray(pot.request, readings)).toEqual(first);
    expect(await logsOf(pot)).toHaveLength(5);
  });

  test('the last of several readings with the same timestamp is stored', async () => {
    const pot = await openPot(server);
    const timestamp = inMs(-minuteMs);
    const reading = (soil_humidity: number) => ({ plant_id: pot.id, soil_humidity, timestamp });
    expect(statuses(await sendArray(pot.request, [40, 41, 42].map(reading)))).toEqual([
      201, 201, 201,
    ]);
    expect(await logsOf(pot)).toEqual([{ timestamp, soil_humidity: 42, ...none }]);
  });

  test('a repeated Idempotency-Key gets the same results and stores nothing', async () => {
    const pot = await openPot(server);
    const readings = dry(pot, 3);
    const first = await sendArray(pot.request, readings, 'outage-1');
    await server.db.pool.query('DELETE FROM sensor_logs');
    expect(await sendArray(pot.request, readings, 'outage-1')).toEqual(first);
    expect(await logsOf(pot)).toEqual([]);
  });
});

describe('limits', () => {
  test('an array has 1 to 500 readings and at most 128 KiB', async () => {
    const pot = await openPot(server);
    const many = Array.from({ length: 501 }, (_, n) => ({
      device_id: 'pot-1',
      soil_humidity: 50,
      timestamp: inMs((n - 600) * minuteMs),
    }));
    expect(statuses(await sendArray(pot.request, many.slice(1)))).toEqual(Array(500).fill(201));
    const refusal = async (payload: object | string) => {
      const response = await pot.request('POST', '/api/logs', { payload });
      return [response.statusCode, response.json().message];
    };
    expect(await refusal(many)).toEqual([422, 'body: Must contain at most 500 readings']);
    expect(await refusal([])).toEqual([422, 'body: Must contain a reading']);
    expect(await refusal(`[${' '.repeat(128 * 1024)}]`)).toEqual([413, 'The request is too large']);
    const { rows } = await server.db.pool.query(
      'SELECT count(*)::int FROM sensor_logs WHERE plant_id = $1',
      [pot.id],
    );
    expect(rows).toEqual([{ count: 500 }]);
  });
});

describe('watering', () => {
  test('an array repeated with its idempotency key gets its results again, without a withdrawn command', async () => {
    const pot = await openPot(server);
    const readings = [...dry(pot, 3), { plant_id: 'unknown', soil_humidity: 20 }];
    const first = await sendArray(pot.request, readings, 'once');
    expect(statuses(first)).toEqual([201, 201, 201, 404]);
    expect(commandsOf(first)).toHaveLength(1);
    expect(await sendArray(pot.request, readings, 'once')).toEqual(first);
    server.clock.advance(minuteMs);
    await pot.water();
    const again = await sendArray(pot.request, readings, 'once');
    expect(statuses(again)).toEqual(statuses(first));
    expect(commandsOf(again)).toEqual([]);
  });

  test('three dry readings that are out of order issue one command, in the last result', async () => {
    const pot = await openPot(server);
    const [first, second, third] = dry(pot, 3);
    const results = await sendArray(pot.request, [third, first, second]);
    expect(results.map(({ body }) => body.commands.length)).toEqual([0, 0, 1]);
    expect(await pot.commandsGiven()).toBe(1);
    expect(commandsOf(await sendArray(pot.request, [third, first, second]))).toEqual(
      commandsOf(results),
    );
    expect(await pot.commandsGiven()).toBe(1);
  });

  test('dry readings of a sensor that reports every second issue one command', async () => {
    const pot = await openPot(server);
    const readings = Array.from({ length: 300 }, (_, n) => ({
      plant_id: pot.id,
      soil_humidity: 20,
      timestamp: inMs(-n * 1_000),
    }));
    expect(commandsOf(await sendArray(pot.request, readings))).toHaveLength(1);
  });

  test('the readings of an outage that ended long ago issue no command', async () => {
    const pot = await openPot(server);
    const results = await sendArray(pot.request, dry(pot, 100, -31 * minuteMs));
    expect(commandsOf(results)).toEqual([]);
    expect(await pot.note()).toContain('Not watered');
    expect(await logsOf(pot)).toHaveLength(100);
  });

  test('if the newest readings are wet, no command is issued, however dry the others were', async () => {
    const pot = await openPot(server);
    const wet = [-apartMs, 0].map((ms) => ({
      plant_id: pot.id,
      soil_humidity: 60,
      timestamp: inMs(ms),
    }));
    const readings = [...wet, ...dry(pot, 50, -2 * apartMs)];
    expect(commandsOf(await sendArray(pot.request, readings))).toEqual([]);
    expect((await pot.record()).health_status).toBe('Good');
  });

  test('for an array with readings of two plants, the decision to water each plant uses its own newest reading', async () => {
    const thirsty = await openPot(server);
    const wet = await openPot(server, { device_id: 'pot-2' }, thirsty.account);
    const wetReading = { device_id: 'pot-2', soil_humidity: 60, timestamp: inMs(-minuteMs) };
    const results = await sendArray(thirsty.request, [...dry(thirsty, 3), wetReading]);
    expect(results.map(({ body }) => body.commands.length)).toEqual([0, 0, 1, 0]);
    expect([await thirsty.commandsGiven(), await wet.commandsGiven()]).toEqual([1, 0]);
  });

  test('command results in an array count once, however often it is sent', async () => {
    const pot = await openPot(server);
    const { id } = await pot.reportDrySoil();
    const results = [{ id, status: 'done', amount_ml: 150 }];
    const readings = dry(pot, 3).map((reading, n) =>
      n === 1 ? { ...reading, command_results: results } : reading,
    );
    for (let i = 0; i < 3; i += 1) await sendArray(pot.request, readings);
    expect(await pot.waterings()).toMatchObject([{ source: 'auto', amount_ml: 150 }]);
  });

  test('arrays that arrive at the same time issue one command per plant and do not deadlock', async () => {
    const pots: Pot[] = [await openPot(server)];
    for (const device_id of ['pot-2', 'pot-3']) {
      pots.push(await openPot(server, { device_id }, pots[0]?.account));
    }
    const readings = pots.flatMap((pot) => dry(pot, 3));
    const [{ request }] = pots as [Pot];
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        sendArray(request, n % 2 === 0 ? readings : readings.toReversed()),
      ),
    );
    expect(await Promise.all(pots.map((pot) => pot.commandsGiven()))).toEqual([1, 1, 1]);
  });
});

describe('devices', () => {
  async function deviceOf(pot: Pot): Promise<RequestFunction> {
    const made = await pot.request('POST', '/api/device-tokens', {
      payload: { device_id: 'pot-1' },
    });
    return requestAs(server, made.json<NewDeviceToken>());
  }

  test('a device token stores readings of its own device and of no other', async () => {
    const pot = await openPot(server);
    const other = await openPot(server, { device_id: 'pot-2' }, pot.account);
    const stranger = await openPot(server);
    const device = await deviceOf(pot);
    const soil_humidity = 50;
    const results = await sendArray(device, [
      { soil_humidity, timestamp: inMs(-minuteMs) },
      { soil_humidity, device_id: 'pot-1' },
      { soil_humidity, plant_id: pot.id, timestamp: inMs(-2 * minuteMs) },
      { soil_humidity, device_id: 'pot-2' },
      { soil_humidity, plant_id: other.id },
      { soil_humidity, plant_id: stranger.id },
    ]);
    expect(statuses(results)).toEqual([201, 201, 201, 403, 403, 404]);
    expect(await logsOf(pot)).toHaveLength(3);
    expect([await logsOf(other), await logsOf(stranger)]).toEqual([[], []]);
  });

  test('an account stores nothing for the plants of another one', async () => {
    const [pot, stranger] = [await openPot(server), await openPot(server)];
    const results = await sendArray(pot.request, [...dry(pot, 2), ...dry(stranger, 2)]);
    expect(statuses(results)).toEqual([201, 201, 404, 404]);
    expect(await logsOf(stranger)).toEqual([]);
  });
});

test('an array is one change: one delta contains the readings of all its plants', async () => {
  const pot = await openPot(server, { auto_watering_enabled: false });
  const other = await openPot(server, { device_id: 'pot-2' }, pot.account);
  const counter = async () => {
    const text = 'SELECT last FROM change_counters WHERE user_id = $1';
    const { rows } = await server.db.pool.query(text, [pot.account.userId]);
    return Number(rows[0]?.last);
  };
  const client = new DeltaClient(pot.account);
  await client.pull(server.app);
  const before = await counter();
  await sendArray(pot.request, [...dry(pot, 30), ...dry(other, 2)]);
  expect(await counter()).toBe(before + 1);
  const { status, delta } = await client.pull(server.app);
  expect(status).toBe(226);
  expect(delta?.readings?.[pot.id]).toHaveLength(24);
  expect(delta?.readings?.[other.id]).toHaveLength(2);
  expect((await client.pull(server.app)).status).toBe(304);
});
