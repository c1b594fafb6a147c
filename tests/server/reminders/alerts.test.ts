import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogResponse } from '#contract/logs.ts';
import { checkDueAccounts } from '#server/reminders/check/check-job.ts';
import { plantPayload } from '../../support/factories.ts';
import {
  changeReminders,
  check,
  deliveries,
  nextCheckOf,
  reminderClaims,
  subscribe,
} from '../../support/reminders/reminders.ts';
import { type TestClock, testClock } from '../../support/server/clock.ts';
import { requestAs } from '../../support/server/request.ts';
import {
  type Account,
  addPlant,
  openTestServer,
  publicUrl,
  type TestServer,
} from '../../support/server/server.ts';

const hour = 3_600_000;
const minute = 60_000;

let server: TestServer;
let clock: TestClock;
let account: Account;
let plantId: string;
/** 10 AM on Nov 20 in UTC+7. */
beforeEach(async () => {
  clock = testClock('2026-11-20T03:00:00.000Z');
  server = await openTestServer(clock);
  account = await server.addAccount();
  await changeReminders(server, account, {
    ntfy_enabled: true,
    ntfy_url: 'https://ntfy.sh/x',
    digest_enabled: false,
  });
  const plant = await addPlant(server, account, {
    nickname: 'Monty',
    device_id: 'pot-1',
    soil_humidity_threshold_min: 30,
    auto_watering_enabled: true,
  });
  plantId = plant.id;
});
afterEach(() => server.close());

function at(moment: string): void {
  clock.advance(Date.parse(moment) - clock().getTime());
}

async function report(payload: object): Promise<LogResponse> {
  const response = await requestAs(server, account)('POST', '/api/logs', {
    payload: { plant_id: plantId, ...payload },
  });
  expect(response.statusCode).toBe(201);
  return response.json();
}

/** Checks as a process that started at this time. */
async function checkStartedAt(startedAt: Date): Promise<void> {
  const { db } = server;
  await checkDueAccounts({
    db,
    clock,
    startedAt,
    publicUrl: () => publicUrl,
    onFailure: (code) => expect.fail(code),
  });
}

const titles = async () => (await deliveries(server)).map(({ title }) => title);
const keys = () => reminderClaims(server, account.userId);

test('a silent sensor is reported once, and again only if it sends a reading and then falls silent again', async () => {
  await report({ soil_humidity: 50 });
  await check(server);
  at('2026-11-21T03:00:00.000Z');
  await check(server);
  expect(await titles()).toEqual([]);
  for (const moment of ['2026-11-21T03:15:00Z', '2026-11-21T05:00:00Z', '2026-11-22T03:00:00Z']) {
    at(moment);
    await check(server);
    expect(await titles()).toEqual(['The sensor of Monty is silent']);
  }
  expect(await keys()).toEqual([`silent:${plantId}`]);
  await report({ soil_humidity: 50 });
  clock.advance(15 * minute);
  await check(server);
  expect(await keys()).toEqual([]);
  at('2026-11-23T05:00:00Z');
  await check(server);
  expect(await titles()).toHaveLength(2);
});

test('a new device that an older server stored, without device_changed_at, is reported only once it is silent itself', async () => {
  await report({ soil_humidity: 50 });
  at('2026-11-23T03:00:00Z');
  const payload = { ...plantPayload({ nickname: 'Monty' }), device_id: 'pot-2' };
  await requestAs(server, account)('PUT', `/api/plants/${plantId}`, { payload });
  await server.db.pool.query('UPDATE plants SET device_changed_at = NULL');
  await check(server);
  expect(await titles()).toEqual([]);
  clock.advance(15 * minute);
  await report({ soil_humidity: 50 });
  at('2026-11-25T03:00:00Z');
  await check(server);
  expect(await titles()).toEqual(['The sensor of Monty is silent']);
});

test.each([
  ['whose device was removed', 'pot-2'],
  ['that had no device', null],
])(
  'a device that is attached to a plant %s is reported as silent a day later, not because of older readings',
  async (_, first) => {
    const { id } = await addPlant(server, account, { nickname: 'Fern', device_id: first });
    const setDevice = (device_id: string | null) =>
      requestAs(server, account)('PUT', `/api/plants/${id}`, {
        payload: { ...plantPayload({ nickname: 'Fern' }), device_id },
      });
    await report({ plant_id: id, soil_humidity: 50 });
    await setDevice(null);
    at('2026-11-23T03:00:00Z');
    await setDevice('pot-3');
    clock.advance(15 * minute);
    await check(server);
    expect(await titles()).toEqual([]);
    clock.advance(24 * hour);
    await check(server);
    const bodies = (await deliveries(server)).map(({ body }) => body);
    expect(bodies).toEqual([expect.stringMatching(/^It was attached 24 h ago/)]);
  },
);

test('just after a start of the server no sensor counts as silent, since devices still send stored readings', async () => {
  await report({ soil_humidity: 50 });
  at('2026-11-22T03:00:00Z');
  const startedAt = clock();
  await checkStartedAt(startedAt);
  clock.advance(15 * minute);
  await checkStartedAt(startedAt);
  expect(await titles()).toEqual([]);
  clock.advance(15 * minute);
  await checkStartedAt(startedAt);
  expect(await titles()).toEqual(['The sensor of Monty is silent']);
});

test('a silent sensor is not reported again after a restart of the server', async () => {
  await report({ soil_humidity: 50 });
  at('2026-11-22T03:00:00Z');
  await check(server);
  clock.advance(15 * minute);
  const startedAt = clock();
  for (const pause of [0, 15, 15, 15]) {
    clock.advance(pause * minute);
    await checkStartedAt(startedAt);
  }
  expect(await titles()).toEqual(['The sensor of Monty is silent']);
});

test('a sensor that sends a reading just after a restart of the server and then falls silent is reported again', async () => {
  await report({ soil_humidity: 50 });
  at('2026-11-22T03:00:00Z');
  await check(server);
  clock.advance(15 * minute);
  const startedAt = clock();
  await report({ soil_humidity: 50 });
  await checkStartedAt(startedAt);
  expect(await keys()).toEqual([]);
  at('2026-11-24T04:00:00Z');
  await checkStartedAt(startedAt);
  expect(await titles()).toHaveLength(2);
});

test('critical health that ends and recurs within an hour is not reported again; if it recurs on the next day, it is', async () => {
  await report({ soil_humidity: 10 });
  await check(server);
  expect(await titles()).toEqual(['Monty is in a critical state']);
  for (const soil_humidity of [50, 10, 50, 10]) {
    clock.advance(15 * minute);
    await report({ soil_humidity });
    await check(server);
  }
  expect(await titles()).toHaveLength(1);
  await report({ soil_humidity: 50 });
  at('2026-11-21T03:00:00Z');
  await check(server);
  expect(await keys()).toEqual([]);
  clock.advance(15 * minute);
  await report({ soil_humidity: 10 });
  await check(server);
  expect(await titles()).toHaveLength(2);
});

test.each([
  ['less than 12 hours after its alert is not reported again', 12 * hour - 1, 1],
  ['12 hours after its alert is reported again', 12 * hour, 2],
])('critical health that ended %s', async (_, ms, reports) => {
  // 8 AM, 13 h before the quiet hours begin.
  at('2026-11-21T01:00:00Z');
  await report({ soil_humidity: 10 });
  await check(server);
  expect(await titles()).toHaveLength(1);
  await report({ soil_humidity: 50 });
  clock.advance(ms);
  await check(server);
  await report({ soil_humidity: 10 });
  clock.advance(15 * minute);
  await check(server);
  expect(await titles()).toHaveLength(reports);
});

test('the claim of a critical-health alert is deleted after recovery, also if the clock was ahead when it was made', async () => {
  await report({ soil_humidity: 10 });
  await check(server);
  const nextYear = new Date(clock().getTime() + 365 * 24 * 60 * minute);
  await server.db.pool.query('UPDATE notices SET created_at = $1', [nextYear]);
  clock.advance(15 * minute);
  await report({ soil_humidity: 50 });
  await check(server);
  expect(await keys()).toEqual([]);
});

/** Dry readings until a command comes; resolves to its id. */
async function reportDrySoil(): Promise<string> {
  let command = '';
  for (let n = 0; n < 4 && command === ''; n += 1) {
    clock.advance(4 * minute);
    const { commands } = await report({ soil_humidity: 20 });
    command = commands[0]?.id ?? '';
  }
  expect(command).not.toBe('');
  return command;
}

test('a command that had expired when it arrived is no failure of the pump, and does not end one', async () => {
  /** Resolves to the id of the next command. */
  const reportNotRun = async (id: string) => {
    clock.advance(5 * minute);
    const command_results = [{ id, status: 'failed', amount_ml: 0 }];
    const { commands } = await report({ soil_humidity: 20, command_results });
    return commands[0]?.id;
  };
  const failing = await reportNotRun(await reportDrySoil());
  await check(server);
  expect(await keys()).toEqual([]);
  await report({ soil_humidity: 20, command_results: [{ id: failing, status: 'failed' }] });
  clock.advance(15 * minute);
  await check(server);
  expect(await titles()).toEqual(['The pump of Monty failed']);
  clock.advance(45 * minute);
  await reportNotRun(await reportDrySoil());
  clock.advance(15 * minute);
  await check(server);
  expect(await keys()).toContain(`pump_failed:${plantId}`);
});

test('a failure of the pump is reported once until the plant is watered', async () => {
  const command = await reportDrySoil();
  const command_results = [{ id: command, status: 'failed' }];
  await report({ soil_humidity: 20, command_results });
  clock.advance(15 * minute);
  for (let n = 0; n < 2; n += 1) await check(server);
  expect(await titles()).toEqual(['The pump of Monty failed']);
  await requestAs(server, account)('POST', `/api/plants/${plantId}/water`);
  clock.advance(15 * minute);
  await check(server);
  expect(await keys()).toEqual([]);
  expect(await titles()).toHaveLength(1);
});

test('a failure of the pump that a watering ended and that occurred again before the next check is reported again', async () => {
  const fail = async () => {
    const command_results = [{ id: await reportDrySoil(), status: 'failed' }];
    await report({ soil_humidity: 20, command_results });
  };
  await fail();
  clock.advance(15 * minute);
  await check(server);
  clock.advance(minute);
  await requestAs(server, account)('POST', `/api/plants/${plantId}/water`);
  clock.advance(45 * minute);
  await fail();
  await check(server);
  expect(await titles()).toEqual(Array(2).fill('The pump of Monty failed'));
});

test('locked automatic watering is reported once until it is unlocked', async () => {
  const lock = (isLocked: boolean) =>
    server.db.pool.query('UPDATE plants SET auto_watering_locked = $2 WHERE user_id = $1', [
      account.userId,
      isLocked,
    ]);
  await lock(true);
  for (let n = 0; n < 2; n += 1) {
    await check(server);
    clock.advance(15 * minute);
  }
  expect(await titles()).toEqual(['Monty is no longer watered automatically']);
  await lock(false);
  await check(server);
  expect(await keys()).toEqual([]);
  await lock(true);
  clock.advance(15 * minute);
  await check(server);
  expect(await titles()).toHaveLength(2);
});

test('an alert waits for the end of the quiet hours, and is dropped if the problem is over by then', async () => {
  await report({ soil_humidity: 50 });
  at('2026-11-20T14:00:00Z');
  await report({ soil_humidity: 10 });
  await check(server);
  expect(await titles()).toEqual([]);
  expect(await nextCheckOf(server, account.userId)).toBe('2026-11-21T01:00:00.000Z');
  at('2026-11-21T01:00:00Z');
  await check(server);
  expect(await titles()).toEqual(['Monty is in a critical state']);
  await report({ soil_humidity: 50 });
  at('2026-11-21T14:30:00Z');
  await report({ soil_humidity: 10 });
  await check(server);
  await report({ soil_humidity: 50 });
  at('2026-11-22T01:00:00Z');
  await check(server);
  expect(await titles()).toHaveLength(1);
});

test('a problem that ended in the quiet hours and occurred again in them is reported again', async () => {
  const lock = () => server.db.pool.query('UPDATE plants SET auto_watering_locked = true');
  await lock();
  await check(server);
  expect(await titles()).toEqual(['Monty is no longer watered automatically']);
  at('2026-11-20T14:30:00Z');
  await requestAs(server, account)('POST', `/api/plants/${plantId}/water`);
  at('2026-11-20T22:00:00Z');
  await lock();
  at('2026-11-21T01:00:00Z');
  for (let n = 0; n < 2; n += 1) await check(server);
  expect(await titles()).toHaveLength(2);
});

test('several problems are reported in one message', async () => {
  const fern = await addPlant(server, account, {
    nickname: 'Fern',
    soil_humidity_threshold_min: 30,
  });
  await report({ soil_humidity: 10 });
  await report({ plant_id: fern.id, soil_humidity: 10 });
  await check(server);
  const [delivery, ...others] = await deliveries(server);
  expect(others).toEqual([]);
  expect(delivery).toMatchObject({ title: '2 problems in your garden' });
  expect(JSON.parse(delivery?.data ?? '').path).toBe('/dashboard/plants');
  expect(await keys()).toHaveLength(2);
});

test('a message about one plant opens that plant', async () => {
  await report({ soil_humidity: 10 });
  await check(server);
  const [delivery] = await deliveries(server);
  expect(JSON.parse(delivery?.data ?? '')).toMatchObject({
    kind: 'alert',
    path: `/dashboard/plants?plant=${plantId}`,
    plants: [{ id: plantId, name: 'Monty' }],
  });
  expect(delivery?.expires_at).toEqual(new Date(clock().getTime() + 24 * hour));
});

test('no problem is reported while alerts are turned off', async () => {
  await changeReminders(server, account, { alerts_enabled: false, digest_enabled: true });
  await report({ soil_humidity: 10 });
  await check(server);
  expect(await titles()).toEqual([]);
});

test('a problem that begins while no browser is subscribed is reported after one subscribes', async () => {
  await changeReminders(server, account, { ntfy_enabled: false, push_enabled: true });
  await report({ soil_humidity: 10 });
  await check(server);
  expect([await keys(), await titles()]).toEqual([[], []]);
  await subscribe(server, account, { origin: 'https://fcm.googleapis.com' });
  for (let n = 0; n < 2; n += 1) {
    clock.advance(15 * minute);
    await check(server);
    expect(await titles()).toEqual(['Monty is in a critical state']);
  }
});

test('gardens with sensors are checked every quarter of an hour, others less often', async () => {
  await check(server);
  expect(await nextCheckOf(server, account.userId)).toBe('2026-11-20T03:15:00.000Z');
  await requestAs(server, account)('DELETE', `/api/plants/${plantId}`);
  at('2026-11-20T03:15:00Z');
  await check(server);
  expect(await nextCheckOf(server, account.userId)).toBe('2026-11-20T09:15:00.000Z');
});

test('the claims of alerts about a deleted plant are deleted', async () => {
  await report({ soil_humidity: 10 });
  await check(server);
  await requestAs(server, account)('DELETE', `/api/plants/${plantId}`);
  clock.advance(13 * hour);
  at('2026-11-21T03:00:00Z');
  await check(server);
  expect(await keys()).toEqual([]);
});
