import { expect, test } from 'vitest';
import { waitForAnswer } from '#client/store/outbox/op-answer.ts';
import {
  addPlant,
  changePlant,
  deletePlant,
  withdrawOp,
} from '#client/store/outbox/plant-changes.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { readPlants } from '#client/store/plants.ts';
import { formValuesOf, plantEdit } from '#domain/plant/form.ts';
import { fixedResponse, lostResponse } from '../../../support/device/network.ts';
import { plantPayload } from '../../../support/factories.ts';
import { addPlant as addServerPlant } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();

const tooLong = 'x'.repeat(201);

async function onlyKey(): Promise<string> {
  const [plant, ...others] = await readPlants(engine.device.db);
  expect(others).toEqual([]);
  return plant?.key ?? '';
}

function rename(nickname: string) {
  return { edits: { nickname }, base: { nickname: 'Fern' } };
}

test('a plant made, edited and watered before it was ever sent leads to two requests', async () => {
  await addPlant(engine.device.db, plantPayload(), engine.device.now());
  const key = await onlyKey();
  await changePlant(engine.device.db, key, rename('Fernando'), engine.device.now());
  await addWatering(engine.device.db, key, engine.device.now());
  await engine.device.push();
  expect(engine.requests()).toEqual(['POST /api/plants 201', 'POST /api/plants/:id/water 200']);
  expect(await engine.serverPlants()).toMatchObject([
    { nickname: 'Fernando', last_watered: expect.any(String) },
  ]);
  expect(await engine.device.plant(key)).toMatchObject({ waiting: [], rejected: [] });
});

test('a plant made, watered, edited and deleted before it was ever sent leads to no request', async () => {
  await addPlant(engine.device.db, plantPayload(), engine.device.now());
  const key = await onlyKey();
  await addWatering(engine.device.db, key, engine.device.now());
  await changePlant(engine.device.db, key, rename('Fernando'), engine.device.now());
  const opId = await deletePlant(engine.device.db, key, engine.device.now());
  expect(await waitForAnswer(engine.device.db, opId, 1_000)).toEqual({ type: 'done' });
  await engine.device.push();
  expect(engine.requests()).toEqual([]);
});

test('if a plant is deleted after the response to its create was lost, its create is sent again and then its delete', async () => {
  await addPlant(engine.device.db, plantPayload(), engine.device.now());
  engine.device.network.failNext(/POST .*plants\?/, lostResponse);
  await engine.device.push();
  await deletePlant(engine.device.db, await onlyKey(), engine.device.now());
  expect(await readPlants(engine.device.db)).toEqual([]);
  engine.device.aheadMs += 120_000;
  await engine.device.push();
  expect(engine.requests().slice(1)).toEqual([
    'POST /api/plants 201',
    'DELETE /api/plants/:id 200',
  ]);
  expect(await engine.serverPlants()).toEqual([]);
});

test('saving a form changes only the edited fields of the server’s record, and a field that is null stays null', async () => {
  const { id } = await addServerPlant(engine.server, engine.account, {
    location: null,
    soil_humidity_threshold_min: null,
    soil_humidity_threshold_max: null,
  });
  await engine.device.pull();
  const record = (await engine.device.plant(id))?.record ?? { id };
  const values = { ...formValuesOf(record), nickname: 'Fernando' };
  await changePlant(engine.device.db, id, plantEdit(record, values), engine.device.now());
  await engine.device.push();
  expect(await engine.serverPlants()).toEqual([
    expect.objectContaining({
      nickname: 'Fernando',
      location: null,
      soil_humidity_threshold_min: null,
      luminance_threshold_min: 0,
    }),
  ]);
});

test('a rejected create that is withdrawn is not sent again; only the corrected plant is sent', async () => {
  const rejected = await addPlant(
    engine.device.db,
    plantPayload({ nickname: tooLong }),
    engine.device.now(),
  );
  await engine.device.push();
  const outcome = await waitForAnswer(engine.device.db, rejected.opId, 1_000);
  expect(outcome).toEqual({
    type: 'failed',
    message: expect.stringMatching(/^nickname: /),
    isGone: false,
  });
  expect(await withdrawOp(engine.device.db, rejected.opId)).toBe(true);
  await addPlant(engine.device.db, plantPayload(), engine.device.now());
  await engine.device.push();
  expect(engine.requests()).toEqual(['POST /api/plants 422', 'POST /api/plants 201']);
  expect(await engine.serverPlants()).toHaveLength(1);
});

test('a form resubmitted unchanged after the server executed its create but sent a 500 makes only one plant', async () => {
  const savedAt = engine.device.now();
  const first = await addPlant(engine.device.db, plantPayload(), savedAt);
  engine.device.network.failNext(/POST .*plants\?/, async (request) => {
    await request();
    return new Response('{"message":"Oops"}', { status: 500 });
  });
  await engine.device.push();
  expect(await waitForAnswer(engine.device.db, first.opId, 1_000)).toMatchObject({
    type: 'failed',
    isGone: false,
  });
  expect(await withdrawOp(engine.device.db, first.opId)).toBe(true);
  await addPlant(engine.device.db, plantPayload(), savedAt, first.opId);
  await engine.device.push();
  expect(await engine.device.db.outbox.count()).toBe(0);
  expect(await engine.serverPlants()).toHaveLength(1);
});

test('a form corrected after the server executed its create but sent a 500 makes no second plant, and its error says what to do', async () => {
  const savedAt = engine.device.now();
  const first = await addPlant(engine.device.db, plantPayload(), savedAt);
  engine.device.network.failNext(/POST .*plants\?/, async (request) => {
    await request();
    return new Response('{"message":"Oops"}', { status: 500 });
  });
  await engine.device.push();
  expect(await withdrawOp(engine.device.db, first.opId)).toBe(true);
  const corrected = plantPayload({ nickname: 'Fernando' });
  await addPlant(engine.device.db, corrected, savedAt, first.opId);
  await engine.device.push();
  expect(await waitForAnswer(engine.device.db, first.opId, 1_000)).toEqual({
    type: 'failed',
    isGone: false,
    message: 'This plant was already added as you entered it before. Edit that one instead.',
  });
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Fern' }]);
});

test('a form corrected after a failure that changed nothing makes the corrected plant', async () => {
  const savedAt = engine.device.now();
  const first = await addPlant(engine.device.db, plantPayload(), savedAt);
  engine.device.network.failNext(/POST .*plants\?/, fixedResponse(500, { message: 'Oops' }));
  await engine.device.push();
  expect(await withdrawOp(engine.device.db, first.opId)).toBe(true);
  const corrected = plantPayload({ nickname: 'Fernando' });
  await addPlant(engine.device.db, corrected, savedAt, first.opId);
  await engine.device.push();
  expect(await engine.device.db.outbox.count()).toBe(0);
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Fernando' }]);
});

test('a rejected create that is edited is sent again, followed by the ops behind it', async () => {
  await addPlant(
    engine.device.db,
    plantPayload({ nickname: tooLong, location: 'Hall' }),
    engine.device.now(),
  );
  const key = await onlyKey();
  await addWatering(engine.device.db, key, engine.device.now());
  await engine.device.push();
  expect(await engine.device.plant(key)).toMatchObject({ rejected: [{ type: 'create' }] });
  await changePlant(engine.device.db, key, rename('Short'), engine.device.now());
  await engine.device.push();
  expect(engine.requests()).toEqual([
    'POST /api/plants 422',
    'POST /api/plants 201',
    'POST /api/plants/:id/water 200',
  ]);
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Short', location: 'Hall' }]);
  expect(await engine.device.plant(key)).toMatchObject({ waiting: [], rejected: [] });
});

test('a rejected edit is coalesced into the next one', async () => {
  const { id } = await addServerPlant(engine.server, engine.account);
  await engine.device.pull();
  const edits = { nickname: tooLong, location: 'Hall' };
  await changePlant(engine.device.db, id, { edits, base: {} }, engine.device.now());
  await engine.device.push();
  expect(await engine.device.plant(id)).toMatchObject({ rejected: [{ type: 'update' }] });
  await changePlant(engine.device.db, id, rename('Short'), engine.device.now());
  await engine.device.push();
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Short', location: 'Hall' }]);
  expect(await engine.device.plant(id)).toMatchObject({ waiting: [], rejected: [] });
});

test('a plant whose delete was rejected is shown again', async () => {
  const { id } = await addServerPlant(engine.server, engine.account);
  await engine.device.pull();
  const opId = await deletePlant(engine.device.db, id, engine.device.now());
  engine.device.network.failNext(/DELETE/, fixedResponse(403, { message: 'Not yours' }));
  await engine.device.push();
  expect(await waitForAnswer(engine.device.db, opId, 1_000)).toEqual({
    type: 'failed',
    isGone: false,
    message: 'Not yours',
  });
  expect(await engine.device.plant(id)).toMatchObject({ rejected: [{ type: 'delete' }] });
});
