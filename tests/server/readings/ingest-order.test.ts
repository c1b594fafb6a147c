import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DeviceCommand } from '#contract/logs.ts';
import { lockPlant, untilWaiting } from '../../support/database/database-waits.ts';
import { oneMachineTest } from '../../support/database/one-machine.ts';
import { testClock } from '../../support/server/clock.ts';
import { requestAs } from '../../support/server/request.ts';
import { addPlant, openTestServer, type TestServer } from '../../support/server/server.ts';
import { apartMs, onlyCommand, openPot, type Pot } from '../../support/server/soil.ts';

const minuteMs = 60_000;

let server: TestServer;
beforeEach(async () => {
  const clock = testClock();
  // Each call advances the time.
  const running = Object.assign(
    () => {
      clock.advance(1);
      return clock();
    },
    { advance: clock.advance },
  );
  server = await openTestServer(running);
});
afterEach(() => server.close());

test('a reading without a timestamp is stored once, with the timestamp of the response, although the clock advances meanwhile', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const { id } = await addPlant(server, account);
  const response = await request('POST', '/api/logs', {
    payload: { plant_id: id, soil_humidity: 20 },
  });
  const logs = (await request('GET', `/api/logs/plant/${id}`)).json();
  expect(logs).toHaveLength(1);
  expect(logs[0].timestamp).toBe(response.json().timestamp);
});

test('an older reading that is stored after a newer one of its plant does not change the health', async () => {
  const account = await server.addAccount();
  const request = requestAs(server, account);
  const { id } = await addPlant(server, account);
  const now = server.clock().getTime();
  const log = (soil_humidity: number, ageMs: number, key: string) =>
    request('POST', '/api/logs', {
      key,
      payload: { plant_id: id, soil_humidity, timestamp: new Date(now - ageMs).toISOString() },
    });
  const holder = await server.db.pool.connect();
  await holder.query('BEGIN');
  await lockPlant(holder, id);
  const newest = log(50, 0, 'newest');
  await untilWaiting(server, 1);
  const older = log(5, minuteMs, 'older');
  await untilWaiting(server, 2);
  await holder.query('COMMIT');
  holder.release();
  await Promise.all([newest, older]);
  expect((await request('GET', `/api/plants/${id}`)).json().health_status).toBe('Good');
});

test.each<[string, (pot: Pot) => Promise<DeviceCommand[]>]>([
  ['a reading', (pot) => pot.log({ soil_humidity: 20 })],
  ['an array of readings', sendArray],
])('the command for %s that waited for an edit is not withdrawn by that edit', async (_, send) => {
  const pot = await openPot(server);
  await pot.reportSoil(20, 20);
  server.clock.advance(apartMs);
  const editor = await server.db.pool.connect();
  await editor.query('BEGIN');
  await lockPlant(editor, pot.id);
  const reading = send(pot);
  await untilWaiting(server);
  await editor.query('UPDATE plants SET auto_watering_since = $3 WHERE user_id = $1 AND id = $2', [
    pot.account.userId,
    pot.id,
    server.clock(),
  ]);
  await editor.query('COMMIT');
  editor.release();
  onlyCommand(await reading);
});

/** Sends an array with one dry reading. */
async function sendArray({ request, id }: Pot): Promise<DeviceCommand[]> {
  const payload = [{ plant_id: id, soil_humidity: 20 }];
  const response = await request('POST', '/api/logs', { payload });
  return response.json().results[0].body.commands;
}

/** Waits until another backend waits for a lock of the client's open transaction. */
async function untilBlocking(client: pg.ClientBase): Promise<void> {
  const text =
    'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))';
  while ((await client.query(text)).rowCount === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

for (const isArray of [false, true])
  oneMachineTest(
    `${isArray ? 'an array of readings' : 'a reading'} of a device that moves to another plant while its first plant is locked is stored for the other one`,
    async () => {
      const account = await server.addAccount();
      const request = requestAs(server, account);
      const { id: first } = await addPlant(server, account, { device_id: 'pot-1' });
      const { id: second } = await addPlant(server, account);
      // After it, the next reading changes nothing but the readings.
      await request('POST', '/api/logs', { payload: { plant_id: second, soil_humidity: 41 } });
      const { pool } = server.db;
      const setDevice = 'UPDATE plants SET device_id = $3 WHERE user_id = $1 AND id = $2';
      const [mover, editor] = [await pool.connect(), await pool.connect()];
      await mover.query('BEGIN');
      await mover.query(setDevice, [account.userId, first, null]);
      const reading = { device_id: 'pot-1', soil_humidity: 40 };
      const sent = request('POST', '/api/logs', {
        key: 'moved',
        payload: isArray ? [reading] : reading,
      });
      await untilWaiting(server);
      await pool.query(setDevice, [account.userId, second, 'pot-1']);
      await editor.query('BEGIN');
      await lockPlant(editor, second);
      await mover.query('COMMIT');
      await Promise.race([sent, untilBlocking(editor)]);
      await editor.query('COMMIT');
      for (const client of [mover, editor]) client.release();
      const { statusCode, body } = await sent;
      const result = isArray
        ? JSON.parse(body).results[0]
        : { status: statusCode, body: JSON.parse(body) };
      expect(result).toMatchObject({ status: 201, body: { plant_id: second } });
      const logs = async (id: string) => (await request('GET', `/api/logs/plant/${id}`)).json();
      expect(await logs(first)).toEqual([]);
      expect(await logs(second)).toMatchObject([{ soil_humidity: 40 }, { soil_humidity: 41 }]);
    },
  );

test('a lost command is repeated after a reading without soil humidity, not after a moist one', async () => {
  const pot = await openPot(server);
  const command = await pot.reportDrySoil();
  expect(await pot.log({ temperature: 21 })).toEqual([command]);
  expect(await pot.log({ temperature: 22 })).toEqual([command]);
  expect(await pot.log({ soil_humidity: 60 })).toEqual([]);
});
