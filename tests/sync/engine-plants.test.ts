import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitForOutcome } from '#data/outcome.ts';
import { addPlant, changePlant, deletePlant, withdrawOp } from '#data/plant-changes.ts';
import { readPlants } from '#data/plants.ts';
import { addWatering } from '#data/waterings.ts';
import type { PlantRecord } from '#domain/plant.ts';
import { formValuesOf, plantEdit } from '#domain/plant-form.ts';
import { runningClock } from '../support/clock.ts';
import { type Device, openDevice } from '../support/device.ts';
import { plantPayload } from '../support/factories.ts';
import { answers, lostAnswer } from '../support/network.ts';
import {
  type Account,
  addPlant as addServerPlant,
  bearer,
  openTestServer,
  type TestServer,
} from '../support/server.ts';

let server: TestServer;
let account: Account;
let device: Device;
beforeAll(async () => {
  server = await openTestServer(runningClock());
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await server.addAccount();
  device = openDevice(server, account);
});
afterEach(() => device.close());

const tooLong = 'x'.repeat(201);

async function serverPlants(): Promise<PlantRecord[]> {
  const answer = await server.app.inject({ url: '/api/plants', headers: bearer(account) });
  return answer.json();
}

function requests(): string[] {
  return device.network.sent.map(({ method, url, status }) => {
    const path = url.replace(/[0-9a-f-]{36}/, ':id').replace(/\?.*/, '');
    return `${method} ${path} ${status}`;
  });
}

async function onlyKey(): Promise<string> {
  const [plant, ...others] = await readPlants(device.db);
  expect(others).toEqual([]);
  return plant?.key ?? '';
}

function rename(nickname: string) {
  return { edits: { nickname }, base: { nickname: 'Fern' } };
}

test('a plant made, edited and watered before it was ever sent is two requests', async () => {
  await addPlant(device.db, plantPayload(), device.now());
  const key = await onlyKey();
  await changePlant(device.db, key, rename('Fernando'), device.now());
  await addWatering(device.db, key, device.now());
  await device.push();
  expect(requests()).toEqual(['POST /api/plants 201', 'POST /api/plants/:id/water 200']);
  expect(await serverPlants()).toMatchObject([
    { nickname: 'Fernando', last_watered: expect.any(String) },
  ]);
  expect(await device.plant(key)).toMatchObject({ waiting: [], parked: [] });
});

test('a plant made, watered, edited and deleted before it was ever sent is no request', async () => {
  await addPlant(device.db, plantPayload(), device.now());
  const key = await onlyKey();
  await addWatering(device.db, key, device.now());
  await changePlant(device.db, key, rename('Fernando'), device.now());
  const opId = await deletePlant(device.db, key, device.now());
  expect(await waitForOutcome(device.db, opId, 1_000)).toEqual({ is: 'done' });
  await device.push();
  expect(requests()).toEqual([]);
});

test('a plant deleted while its making is of unknown outcome is made and deleted', async () => {
  await addPlant(device.db, plantPayload(), device.now());
  device.network.failNext(/POST .*plants$/, lostAnswer);
  await device.push();
  await deletePlant(device.db, await onlyKey(), device.now());
  expect(await readPlants(device.db)).toEqual([]);
  device.aheadMs += 120_000;
  await device.push();
  expect(requests().slice(1)).toEqual(['POST /api/plants 201', 'DELETE /api/plants/:id 200']);
  expect(await serverPlants()).toEqual([]);
});

test('a form sends what was changed of the raw record and leaves blanks blank', async () => {
  const { id } = await addServerPlant(server, account, {
    location: null,
    soil_humidity_threshold_min: null,
    soil_humidity_threshold_max: null,
  });
  await device.pull();
  const record = (await device.plant(id))?.record ?? { id };
  const values = { ...formValuesOf(record), nickname: 'Fernando' };
  await changePlant(device.db, id, plantEdit(record, values), device.now());
  await device.push();
  expect(await serverPlants()).toEqual([
    expect.objectContaining({
      nickname: 'Fernando',
      location: null,
      soil_humidity_threshold_min: null,
      luminance_threshold_min: 0,
    }),
  ]);
});

test('a refused form takes its plant back, and the corrected one is sent alone', async () => {
  const refused = await addPlant(device.db, plantPayload({ nickname: tooLong }), device.now());
  await device.push();
  const outcome = await waitForOutcome(device.db, refused.opId, 1_000);
  expect(outcome).toEqual({ is: 'refused', message: expect.stringMatching(/^nickname: /) });
  expect(await withdrawOp(device.db, refused.opId)).toBe(true);
  await addPlant(device.db, plantPayload(), device.now());
  await device.push();
  expect(requests()).toEqual(['POST /api/plants 422', 'POST /api/plants 201']);
  expect(await serverPlants()).toHaveLength(1);
});

test('a form resubmitted unchanged after a landed failure makes one plant', async () => {
  const first = await addPlant(device.db, plantPayload(), device.now());
  device.network.failNext(/POST .*plants$/, async (request) => {
    await request();
    return new Response('{"message":"Oops"}', { status: 500 });
  });
  await device.push();
  expect(await waitForOutcome(device.db, first.opId, 1_000)).toMatchObject({ is: 'refused' });
  expect(await withdrawOp(device.db, first.opId)).toBe(true);
  await addPlant(device.db, plantPayload(), device.now(), first.opId);
  await device.push();
  expect(await device.db.outbox.count()).toBe(0);
  expect(await serverPlants()).toHaveLength(1);
});

test('a refused plant that is edited is made after all, and what waited for it follows', async () => {
  await addPlant(device.db, plantPayload({ nickname: tooLong, location: 'Hall' }), device.now());
  const key = await onlyKey();
  await addWatering(device.db, key, device.now());
  await device.push();
  expect(await device.plant(key)).toMatchObject({ parked: [{ kind: 'create' }] });
  await changePlant(device.db, key, rename('Short'), device.now());
  await device.push();
  expect(requests()).toEqual([
    'POST /api/plants 422',
    'POST /api/plants 201',
    'POST /api/plants/:id/water 200',
  ]);
  expect(await serverPlants()).toMatchObject([{ nickname: 'Short', location: 'Hall' }]);
  expect(await device.plant(key)).toMatchObject({ waiting: [], parked: [] });
});

test('a refused edit goes along with the next one', async () => {
  const { id } = await addServerPlant(server, account);
  await device.pull();
  const edits = { nickname: tooLong, location: 'Hall' };
  await changePlant(device.db, id, { edits, base: {} }, device.now());
  await device.push();
  expect(await device.plant(id)).toMatchObject({ parked: [{ kind: 'update' }] });
  await changePlant(device.db, id, rename('Short'), device.now());
  await device.push();
  expect(await serverPlants()).toMatchObject([{ nickname: 'Short', location: 'Hall' }]);
  expect(await device.plant(id)).toMatchObject({ waiting: [], parked: [] });
});

test('a delete that the server refuses brings the plant back', async () => {
  const { id } = await addServerPlant(server, account);
  await device.pull();
  const opId = await deletePlant(device.db, id, device.now());
  device.network.failNext(/DELETE/, answers(403, { message: 'Not yours' }));
  await device.push();
  expect(await waitForOutcome(device.db, opId, 1_000)).toEqual({
    is: 'refused',
    message: 'Not yours',
  });
  expect(await device.plant(id)).toMatchObject({ parked: [{ kind: 'delete' }] });
});
