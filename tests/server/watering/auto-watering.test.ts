import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewDeviceToken } from '#contract/device-tokens.ts';
import { requestAs } from '../../support/server/request.ts';
import { openTestServer, type TestServer } from '../../support/server/server.ts';
import {
  apartMs,
  commandsIn,
  dayMs,
  expectNote,
  hourMs,
  minuteMs,
  onlyCommand,
  openPot,
  type Pot,
} from '../../support/server/soil.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** The time that is `ms` from now, in ISO 8601. */
function inMs(ms: number): string {
  return new Date(server.clock().getTime() + ms).toISOString();
}

test('three dry readings issue one command of 150 ml that expires in two minutes', async () => {
  const pot = await openPot(server);
  expect(await pot.reportSoil(20)).toEqual([]);
  expect(await pot.reportSoil(20)).toEqual([]);
  expect(await pot.reportSoil(20)).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'water',
      amount_ml: 150,
      expires_at: inMs(2 * minuteMs),
    },
  ]);
  expect(await pot.waterings()).toEqual([]);
});

test.each([
  [{ auto_watering_enabled: false }, null],
  [{ device_id: null }, 'Not watered: no device is connected'],
  [{ soil_humidity_threshold_min: null }, 'Not watered: no minimum of soil humidity is set'],
])('a dry plant with %j gets no command', async (changes, note) => {
  const pot = await openPot(server, changes);
  expect(await pot.reportSoil(5, 5, 5, 5)).toEqual([]);
  expect(await pot.commandsGiven()).toBe(0);
  await expectNote(pot, note);
});

test.each([
  ['two readings', [20, 20], 'three readings are needed'],
  ['soil at its minimum', [30, 30, 30], 'soil humidity is not below the minimum'],
  ['two moist readings of three', [40, 40, 5], 'soil humidity is not below the minimum'],
])('%s issue no command', async (_, soil, words) => {
  const pot = await openPot(server);
  expect(await pot.reportSoil(...soil)).toEqual([]);
  expect(await pot.commandsGiven()).toBe(0);
  await expectNote(pot, `Not watered: ${words}`);
});

test('an outlier among three readings neither causes nor prevents a command', async () => {
  expect(await (await openPot(server)).reportSoil(20, 90, 20)).toHaveLength(1);
  expect(await (await openPot(server)).reportSoil(40, 5, 40)).toEqual([]);
});

test('readings without soil humidity issue no command and do not count among the three', async () => {
  const pot = await openPot(server);
  for (let i = 0; i < 4; i++) {
    server.clock.advance(minuteMs);
    expect(await pot.log({ temperature: 21 })).toEqual([]);
  }
  await pot.reportSoil(20, 20);
  server.clock.advance(minuteMs);
  expect(await pot.log({ temperature: 21 })).toEqual([]);
  await expectNote(pot, 'Not watered: the last reading has no soil humidity');
  expect(await pot.reportSoil(20)).toHaveLength(1);
});

test('readings older than half an hour issue no command', async () => {
  const pot = await openPot(server);
  const late = (minutesAgo: number) =>
    pot.log({ soil_humidity: 20, timestamp: inMs(-minutesAgo * minuteMs) });
  for (const minutesAgo of [120, 90, 60, 31]) expect(await late(minutesAgo)).toEqual([]);
  await expectNote(pot, 'Not watered: last reading is 31 min old');
  expect(await late(30)).toHaveLength(1);
});

test('one value that a sensor repeats every second for 40 s issues no command', async () => {
  const pot = await openPot(server);
  const everySecond = async (soil_humidity: number, count: number) => {
    let commands = 0;
    for (let i = 0; i < count; i++) {
      server.clock.advance(1000);
      commands += (await pot.log({ soil_humidity })).length;
    }
    return commands;
  };
  expect(await everySecond(5, 40)).toBe(0);
  await expectNote(pot, 'Not watered: three readings are needed');
  await pot.reportSoil(60, 60, 60);
  expect(await everySecond(5, 40)).toBe(0);
  await expectNote(pot, 'Not watered: soil humidity is not below the minimum');
  expect(await pot.commandsGiven()).toBe(0);
});

test('a sensor that reports every second gets a command after four dry minutes', async () => {
  const pot = await openPot(server);
  const start = server.clock().getTime();
  const secondsUntilWatered = async () => {
    for (let second = 1; second <= 300; second++) {
      server.clock.advance(1000);
      if ((await pot.log({ soil_humidity: 20 })).length > 0) return second;
    }
    return null;
  };
  expect(await secondsUntilWatered()).toBe(241);
  expect(server.clock().getTime() - start).toBe(241_000);
});

test('older dry readings that are sent late issue no command when the newest reading is moist', async () => {
  const pot = await openPot(server);
  await pot.reportSoil(50, 50, 50);
  for (const minutesAgo of [20, 21, 22]) {
    const timestamp = inMs(-minutesAgo * minuteMs);
    expect(await pot.log({ soil_humidity: 5, timestamp })).toEqual([]);
  }
  await expectNote(pot, 'Not watered: soil humidity is not below the minimum');
});

test('three readings over more than two hours issue no command', async () => {
  const pot = await openPot(server);
  await pot.reportSoil(20);
  server.clock.advance(hourMs);
  await pot.reportSoil(20);
  server.clock.advance(hourMs - minuteMs);
  expect(await pot.reportSoil(20)).toEqual([]);
  await expectNote(pot, 'Not watered: the last three readings are more than 2 h apart');
});

test('a command is repeated until it expires', async () => {
  const pot = await openPot(server);
  const command = await pot.reportDrySoil();
  server.clock.advance(minuteMs);
  expect(await pot.log({ soil_humidity: 20 })).toEqual([command]);
  await expectNote(pot, 'Not watered: a watering is under way');
  server.clock.advance(minuteMs - 1);
  expect(await pot.log({ soil_humidity: 20 })).toEqual([command]);
  server.clock.advance(1);
  expect(await pot.log({ soil_humidity: 20 })).toEqual([]);
  expect(await pot.commandsGiven()).toBe(1);
});

test.each(['done', 'failed'] as const)(
  'a command that is reported %s is not repeated',
  async (status) => {
    const pot = await openPot(server);
    const { id } = await pot.reportDrySoil();
    server.clock.advance(minuteMs / 2);
    expect(await pot.report({ id, status })).toEqual([]);
    server.clock.advance(minuteMs / 2);
    expect(await pot.log({ soil_humidity: 20 })).toEqual([]);
    expect(await pot.commandsGiven()).toBe(1);
  },
);

test('twenty parallel dry readings issue one command', async () => {
  const pot = await openPot(server);
  await pot.reportSoil(20, 20);
  server.clock.advance(apartMs);
  const commands = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      pot.log({ soil_humidity: 20, timestamp: inMs((i + 1) * 1000) }),
    ),
  );
  const ids = new Set(commands.flat().map(({ id }) => id));
  expect(commands.every(({ length }) => length === 1)).toBe(true);
  expect(ids.size).toBe(1);
  expect(await pot.commandsGiven()).toBe(1);
});

test('a command reported as done is stored as one watering and changes the watering dates and the version of the plant', async () => {
  const pot = await openPot(server);
  const [command] = await pot.reportSoil(24, 18, 22);
  const before = await pot.record();
  server.clock.advance(minuteMs);
  await pot.report({ id: command?.id ?? '', status: 'done', amount_ml: 120 });
  expect(await pot.waterings()).toEqual([
    { watered_at: server.clock(), source: 'auto', amount_ml: 120, soil_before: 22 },
  ]);
  expect(await pot.record()).toEqual({
    ...before,
    etag: '"v2"',
    journal_version: 1,
    last_watered: inMs(0),
    next_watering_date: inMs(3 * dayMs),
    health_status: 'Warning',
    auto_watering_reason: 'soaking',
    auto_watering_since: inMs(0),
    auto_watering_note: 'Not watered: the last water is still soaking in',
  });
  expect(await pot.etag()).toBe('"v2"');
});

test('a command reported as done without an amount counts with its full amount', async () => {
  const pot = await openPot(server);
  const { id } = await pot.reportDrySoil();
  await pot.report({ id, status: 'done' });
  expect(await pot.waterings()).toMatchObject([{ amount_ml: 150 }]);
});

test('only the first report of a command counts, with or without the same idempotency key', async () => {
  const pot = await openPot(server);
  const { id } = await pot.reportDrySoil();
  const command_results = [{ id, status: 'done', amount_ml: 150 }];
  const again = { soil_humidity: 20, command_results: [...command_results, ...command_results] };
  for (const key of ['a', 'a', 'b']) await pot.log(again, { key: `${key} of ${id}` });
  await pot.report({ id, status: 'done', amount_ml: 10 }, { id, status: 'failed' });
  server.clock.advance(3 * hourMs);
  await pot.log(again);
  expect(await pot.waterings()).toMatchObject([{ amount_ml: 150 }]);
  expect(await pot.etag()).toBe('"v2"');
});

test('twenty parallel reports of one command store one watering', async () => {
  const pot = await openPot(server);
  const { id } = await pot.reportDrySoil();
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      pot.log(
        { soil_humidity: 20, command_results: [{ id, status: 'done' }] },
        i % 2 ? { key: `${i} of ${id}` } : {},
      ),
    ),
  );
  expect(await pot.waterings()).toHaveLength(1);
  expect(await pot.etag()).toBe('"v2"');
});

test('a report of a command of another plant is ignored without an error', async () => {
  const pot = await openPot(server);
  const sister = await openPot(server, { device_id: 'pot-2' }, pot.account);
  const stranger = await openPot(server);
  const { id } = await pot.reportDrySoil();
  for (const other of [sister, stranger]) {
    await other.report({ id, status: 'done' }, { id: uuidv7(), status: 'done' });
    await other.report(
      { id: 'not an id', status: 'done' },
      { id: "' OR '1'='1", status: 'failed' },
    );
    expect(await other.waterings()).toEqual([]);
    expect(await other.etag()).toBe('"v1"');
  }
  expect(await pot.waterings()).toEqual([]);
  expect(await pot.log({ soil_humidity: 20 })).toMatchObject([{ id }]);
  await pot.report({ id: 'not an id', status: 'done' }, { id, status: 'done' });
  expect(await pot.waterings()).toHaveLength(1);
});

test.each([
  [{ id: 7, status: 'done' }],
  [{ id: 'a', status: 'started' }],
  [{ id: 'a', status: 'done', amount_ml: -1 }],
  [{ id: 'a', status: 'done', amount_ml: 10_001 }],
])('the report %j is rejected, and the reading that contains it is not stored', async (result) => {
  const pot = await openPot(server);
  const response = await pot.send({ soil_humidity: 20, command_results: [result] });
  expect(response.statusCode).toBe(422);
  expect((await pot.request('GET', `/api/logs/plant/${pot.id}`)).json()).toEqual([]);
});

test.each([{ status: 'failed' }, { status: 'failed', amount_ml: 30 }] as const)(
  'a command reported as %j is no watering, but the soil has time to soak',
  async (result) => {
    const pot = await openPot(server);
    const { id } = await pot.reportDrySoil();
    expect(await pot.report({ id, ...result })).toEqual([]);
    expect(await pot.waterings()).toEqual([]);
    expect(await pot.etag()).toBe('"v2"');
    await expectNote(pot, 'Not watered: the last water is still soaking in');
  },
);

test.each([
  { status: 'failed', amount_ml: 0 },
  { status: 'done', amount_ml: 0 },
] as const)('a command reported as %j is no watering and is issued again', async (result) => {
  const pot = await openPot(server);
  const { id } = await pot.reportDrySoil();
  const another = onlyCommand(await pot.report({ id, ...result }));
  expect(another.id).not.toBe(id);
  expect(another.amount_ml).toBe(150);
  expect(await pot.waterings()).toEqual([]);
  expect(await pot.etag()).toBe('"v2"');
});

test('a watering that is reported late is dated at the expiry of its command', async () => {
  const pot = await openPot(server);
  const { id, expires_at } = await pot.reportDrySoil();
  server.clock.advance(5 * hourMs);
  await pot.report({ id, status: 'done' });
  expect(await pot.waterings()).toMatchObject([{ watered_at: new Date(expires_at) }]);
  expect((await pot.record()).last_watered).toBe(expires_at);
});

test('a command that is reported late does not set last_watered back before a watering by hand', async () => {
  const pot = await openPot(server);
  const { id } = await pot.reportDrySoil();
  server.clock.advance(5 * hourMs);
  await pot.water();
  const last_watered = inMs(0);
  server.clock.advance(minuteMs);
  await pot.report({ id, status: 'done' });
  expect(await pot.record()).toMatchObject({ last_watered });
  expect(await pot.waterings()).toHaveLength(2);
});

/** Sends a reading with an idempotency key that gets a command; resolves to the function that sends it again. */
async function openKeyedPot() {
  const pot = await openPot(server);
  await pot.reportSoil(20, 20);
  server.clock.advance(apartMs);
  const key = uuidv7();
  const first = await pot.send({ soil_humidity: 20 }, { key });
  const again = async () => {
    const response = await pot.send({ soil_humidity: 20 }, { key });
    expect(response.headers['idempotent-replayed']).toBe('true');
    return response;
  };
  return { pot, first, command: onlyCommand(commandsIn(first)), again };
}

test('a reading repeated with its idempotency key gets the same response while the device may still run the command', async () => {
  const { pot, first, command, again } = await openKeyedPot();
  server.clock.advance(minuteMs);
  expect((await again()).body).toBe(first.body);
  await pot.report({ id: command.id, status: 'done' });
  expect((await again()).json()).toEqual({ ...first.json(), commands: [] });
  expect(await pot.commandsGiven()).toBe(1);
});

test.each<[string, (pot: Pot) => Promise<unknown>]>([
  ['has expired', async () => server.clock.advance(apartMs)],
  ['is withdrawn by a watering by hand', (pot) => pot.water()],
  ['is withdrawn by an edit', (pot) => pot.edit({ auto_watering_enabled: false })],
])('a reading repeated with its idempotency key gets no command that %s', async (_, end) => {
  const { pot, first, again } = await openKeyedPot();
  server.clock.advance(minuteMs / 2);
  await end(pot);
  expect((await again()).json()).toEqual({ ...first.json(), commands: [] });
});

test('a device with its own token gets the command and reports it', async () => {
  const pot = await openPot(server, { device_id: 'terrace' });
  const payload = { device_id: 'terrace' };
  const made = await pot.request('POST', '/api/device-tokens', { payload });
  const device = requestAs(server, made.json<NewDeviceToken>());
  const log = async (more: object = {}, pauseMs = minuteMs / 2) => {
    server.clock.advance(pauseMs);
    return commandsIn(
      await device('POST', '/api/logs', { payload: { ...payload, soil_humidity: 20, ...more } }),
    );
  };
  expect([await log(), await log({}, apartMs)]).toEqual([[], []]);
  const command = onlyCommand(await log({}, apartMs));
  expect(await log()).toEqual([command]);
  expect(await log({ command_results: [{ id: command.id, status: 'done' }] })).toEqual([]);
  expect(await pot.waterings()).toMatchObject([{ source: 'auto', watered_at: server.clock() }]);
});

test('deleting a plant deletes its commands and waterings', async () => {
  const pot = await openPot(server);
  const { id } = await pot.reportDrySoil();
  await pot.report({ id, status: 'done' });
  expect((await pot.request('DELETE', `/api/plants/${pot.id}`)).statusCode).toBe(200);
  expect([await pot.commandsGiven(), await pot.waterings()]).toEqual([0, []]);
  const late = { soil_humidity: 20, command_results: [{ id, status: 'done' }] };
  expect((await pot.send(late)).statusCode).toBe(404);
});

test('readings, reasons and commands do not change the plant’s version', async () => {
  const pot = await openPot(server);
  for (const soil of [50, 20, 20, 20, 20]) {
    await pot.reportSoil(soil);
    expect(await pot.etag()).toBe('"v1"');
  }
  expect(await pot.commandsGiven()).toBe(1);
});
