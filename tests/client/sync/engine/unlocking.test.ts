import { beforeEach, expect, test } from 'vitest';
import { fieldsOfRecord } from '#client/store/outbox/enqueue.ts';
import { changePlant } from '#client/store/outbox/plant-changes.ts';
import type { PlantFields } from '#domain/plant/fields.ts';
import { lostResponse } from '../../../support/device/network.ts';
import { plantPayload } from '../../../support/factories.ts';
import { addPlant } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();
const watered = { device_id: 'pot-1', auto_watering_enabled: true };
let fern: string;

beforeEach(async () => {
  fern = (await addPlant(engine.server, engine.account, { nickname: 'Fern', ...watered })).id;
  await lock('locked');
  await engine.device.pull();
  engine.device.network.sent.length = 0;
});

/** Locks the plant as three waterings without effect do; `reason`: that of the last decision. */
async function lock(reason: string): Promise<void> {
  await engine.server.db.pool.query(
    `UPDATE plants SET auto_watering_locked = true, auto_watering_reason = $2 WHERE id = $1`,
    [fern, reason],
  );
}

async function isLocked(): Promise<boolean> {
  const { rows } = await engine.server.db.pool.query<{ isLocked: boolean }>(
    'SELECT auto_watering_locked AS "isLocked" FROM plants WHERE id = $1',
    [fern],
  );
  return rows.some((row) => row.isLocked);
}

async function change(edits: Partial<PlantFields>, at = engine.device.now()): Promise<void> {
  const { device } = engine;
  const base = fieldsOfRecord((await device.plant(fern))?.record ?? { id: fern });
  await changePlant(device.db, fern, { edits, base }, at);
}

/** Saves the form without changes. */
const unlock = () => change({ auto_watering_enabled: true });
const puts = () => engine.requests().filter((request) => request.startsWith('PUT'));
const overwritten = () => engine.device.db.conflicts.count();

test('the unchanged form of a locked plant, saved twice without a network, unlocks it once', async () => {
  await unlock();
  await unlock();
  engine.device.network.failNext(/PUT/, lostResponse);
  await engine.device.push();
  expect(await isLocked()).toBe(false);
  await lock('locked');
  engine.device.aheadMs += 120_000;
  await engine.device.push();
  expect(await isLocked()).toBe(true);
  expect(await engine.device.db.outbox.count()).toBe(0);
});

const minuteMs = 60_000;

test.each([
  ['before', 'does not unlock', 60, true],
  ['after', 'unlocks', 10, false],
])(
  'an edit made offline %s a command that failed %s the plant, also if the device’s clock is fast',
  async (_order, _does, minutesAgo, expected) => {
    const { device, server, account } = engine;
    device.aheadMs = 60 * minuteMs;
    await device.pull();
    await change({ description: 'By the window' }, device.now() - minutesAgo * minuteMs);
    const issuedAt = new Date(server.clock().getTime() - 30 * minuteMs);
    await server.db.pool.query(
      `INSERT INTO watering_commands
       (user_id, plant_id, id, issued_at, expires_at, amount_ml, soil_before, status)
     VALUES ($1, $2, gen_random_uuid(), $3::timestamptz, $3::timestamptz + interval '2 min', 150, 20, 'failed')`,
      [account.userId, fern, issuedAt],
    );
    await device.push();
    expect((await device.plant(fern))?.record).toMatchObject({ description: 'By the window' });
    expect(await isLocked()).toBe(expected);
  },
);

const edits: Partial<PlantFields>[] = [
  { nickname: 'Fernando' },
  { photo_id: '01890000-0000-7000-8000-000000000000' },
  { reminder_enabled: false, reminder_days_before: 2 },
];

test.each(edits)('a plant is unlocked also if it was edited before: %j', async (edited) => {
  await change(edited);
  await unlock();
  await engine.device.push();
  expect(await isLocked()).toBe(false);
  expect(await engine.serverPlants()).toMatchObject([edited]);
  expect(await engine.device.db.outbox.count()).toBe(0);
});

test.each(edits)('a plant is unlocked also if it is edited afterwards: %j', async (edited) => {
  await unlock();
  await change(edited);
  await engine.device.push();
  expect(await isLocked()).toBe(false);
  expect(await engine.serverPlants()).toMatchObject([edited]);
  expect(await engine.device.db.outbox.count()).toBe(0);
});

test('unlocking keeps what another device changed, even if that turned automatic watering off', async () => {
  await unlock();
  const changes = { nickname: 'Theirs', device_id: 'pot-2', auto_watering_enabled: false };
  await engine.elsewhere('PUT', `/api/plants/${fern}`, plantPayload(changes));
  await engine.device.push();
  expect(puts()).toEqual(['PUT /api/plants/:id 412', 'PUT /api/plants/:id 200']);
  expect(await engine.serverPlants()).toMatchObject([changes]);
  expect(await overwritten()).toBe(0);
});

test('a plant that is locked is unlocked even if the server shows another reason meanwhile', async () => {
  await unlock();
  await lock('moist');
  await engine.device.pull();
  await engine.device.push();
  expect(puts()).toHaveLength(1);
  expect(await isLocked()).toBe(false);
});
