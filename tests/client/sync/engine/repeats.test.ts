import { expect, test } from 'vitest';
import { addPlant, changePlant, deletePlant } from '#client/store/outbox/plant-changes.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { readPlants } from '#client/store/plants.ts';
import { readStatus } from '#client/store/sync-status.ts';
import {
  delayedResponse,
  fixedResponse,
  lostRequest,
  lostResponse,
} from '../../../support/device/network.ts';
import { plantPayload } from '../../../support/factories.ts';
import { addPlant as addServerPlant, bearer } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();

const minuteMs = 60_000;
const rename = (nickname: string) => ({ edits: { nickname }, base: { nickname: 'Fern' } });

/** Creates a plant on the server under the key `opId`, as if the op had been sent before with another body. */
async function landed(opId: string, changes: Parameters<typeof plantPayload>[0]): Promise<void> {
  await engine.server.app.inject({
    method: 'POST',
    url: '/api/plants',
    headers: { ...bearer(engine.account), 'idempotency-key': opId },
    payload: plantPayload(changes),
  });
}

async function key(): Promise<string> {
  return (await readPlants(engine.device.db))[0]?.key ?? '';
}

/** Adds a plant that the server creates, but whose response is lost. Resolves to its local id. */
async function createWithoutResponse(): Promise<string> {
  const { device } = engine;
  await addPlant(device.db, plantPayload(), device.now());
  device.network.failNext(/POST/, lostResponse);
  await device.push();
  return key();
}

async function editElsewhere(id: string | undefined): Promise<void> {
  const edited = plantPayload({ nickname: 'Theirs', location: 'Attic' });
  await engine.elsewhere('PUT', `/api/plants/${id}`, edited);
}

test('a replayed response does not overwrite newer changes of the plant', async () => {
  const { device } = engine;
  const { id } = await addServerPlant(engine.server, engine.account);
  await device.pull();
  await changePlant(device.db, id, rename('Mine'), device.now());
  device.network.failNext(/PUT/, lostResponse);
  await device.push();
  await engine.elsewhere('PUT', `/api/plants/${id}`, plantPayload({ nickname: 'Newest' }));
  await device.pull();
  device.aheadMs += 2 * minuteMs;
  await device.push();
  await device.pull();
  expect(await device.plant(id)).toMatchObject({ record: { nickname: 'Newest' }, waiting: [] });
});

test('a list requested before an op was confirmed does not undo it', async () => {
  const { device } = engine;
  const { id } = await addServerPlant(engine.server, engine.account);
  await device.pull();
  await addServerPlant(engine.server, engine.account);
  const delayed = delayedResponse();
  device.network.failNext(/GET .*plants$/, delayed.fault);
  const pulling = device.pull();
  await delayed.arrived;
  const tapped = device.now();
  await addWatering(device.db, id, tapped);
  await device.push();
  delayed.release();
  expect(await pulling).toBe('done');
  expect((await device.plant(id))?.record.last_watered).toBe(new Date(tapped).toISOString());
  expect(await device.db.plants.count()).toBe(2);
});

test('a plant whose create has no response yet is never shown twice', async () => {
  const { device } = engine;
  const local = await createWithoutResponse();
  await device.pull();
  expect((await readPlants(device.db)).map((plant) => plant.key)).toEqual([local]);
  device.aheadMs += 2 * minuteMs;
  await device.push();
  await device.pull();
  expect(await readPlants(device.db)).toMatchObject([{ key: local, waiting: [] }]);
  expect(await engine.serverPlants()).toHaveLength(1);
});

test('a plant that is edited elsewhere before its create has a response is never shown twice', async () => {
  const { device } = engine;
  const local = await createWithoutResponse();
  const [created] = await engine.serverPlants();
  const aloe = { nickname: 'Aloe', plant_name: 'Aloe', species: 'Aloe vera' };
  await addServerPlant(engine.server, engine.account, aloe);
  await editElsewhere(created?.id);
  await device.pull();
  const names = async () => (await readPlants(device.db)).map(({ record }) => record.nickname);
  expect(await names()).toEqual(['Fern', 'Aloe']);
  device.aheadMs += 2 * minuteMs;
  await device.push();
  await device.pull();
  expect(await names()).toEqual(['Theirs', 'Aloe']);
  expect(await device.plant(local)).toMatchObject({ record: { id: created?.id }, waiting: [] });
});

test('two server plants that may be the result of a pending create are both hidden until the create has a response', async () => {
  const { device } = engine;
  const local = await createWithoutResponse();
  const [created] = await engine.serverPlants();
  // Another device's plant that equals the pending create. The plant that the create made differs from it after the edit.
  await addServerPlant(engine.server, engine.account, plantPayload());
  await editElsewhere(created?.id);
  await device.pull();
  expect((await readPlants(device.db)).map((plant) => plant.key)).toEqual([local]);
  device.aheadMs += 2 * minuteMs;
  await device.push();
  await device.pull();
  const names = (await readPlants(device.db)).map(({ record }) => record.nickname);
  expect(names.sort()).toEqual(['Fern', 'Theirs']);
});

test('a plant from elsewhere that equals a pending create is shown as soon as the create has a response', async () => {
  const { device } = engine;
  await addPlant(device.db, plantPayload(), device.now());
  device.network.failNext(/POST/, lostRequest);
  await device.push();
  await addServerPlant(engine.server, engine.account);
  await device.pull();
  expect(await readPlants(device.db)).toHaveLength(1);
  device.aheadMs += 2 * minuteMs;
  await device.push();
  await device.pull();
  expect(await readPlants(device.db)).toHaveLength(2);
});

test('a create is rejected if its idempotency key was used for another plant on the server', async () => {
  const { device } = engine;
  const { opId } = await addPlant(device.db, plantPayload(), device.now());
  await landed(opId, { location: 'Hall' });
  await device.push();
  expect(await device.plant(await key())).toMatchObject({
    rejected: [{ opId, state: 'rejected' }],
  });
  expect(await engine.serverPlants()).toHaveLength(1);
});

test('a create whose response does not contain the plant is sent again, and creates one plant', async () => {
  const { device } = engine;
  await addPlant(device.db, plantPayload(), device.now());
  const local = await key();
  device.network.failNext(/POST/, async (request) => {
    await request();
    return fixedResponse(201, { message: 'Created' })(request);
  });
  await device.push();
  expect(await device.db.outbox.toArray()).toMatchObject([{ state: 'uncertain' }]);
  device.aheadMs += 2 * minuteMs;
  await device.push();
  const [plant, ...others] = await engine.serverPlants();
  expect(others).toEqual([]);
  expect(await device.plant(local)).toMatchObject({ record: { id: plant?.id }, waiting: [] });
});

test('a plant deleted before its create was rejected is removed, and no op stays pending', async () => {
  const { device } = engine;
  await addPlant(device.db, plantPayload({ nickname: 'x'.repeat(201) }), device.now());
  device.network.failNext(/POST/, lostRequest);
  await device.push();
  await deletePlant(device.db, await key(), device.now());
  device.aheadMs += 2 * minuteMs;
  await device.push();
  expect(await device.db.outbox.count()).toBe(0);
  expect(await engine.serverPlants()).toEqual([]);
});

test('an edit of a plant deleted elsewhere is rejected', async () => {
  const { device } = engine;
  const { id } = await addServerPlant(engine.server, engine.account);
  await device.pull();
  await changePlant(device.db, id, rename('Mine'), device.now());
  await engine.elsewhere('DELETE', `/api/plants/${id}`);
  expect(await device.push()).toMatchObject({ needsPull: true });
  expect(await device.db.outbox.toArray()).toMatchObject([
    { state: 'rejected', lastError: { message: 'Plant not found', status: 404 } },
  ]);
});

test('an edit that got a 429 can still be coalesced with a later edit', async () => {
  const { device } = engine;
  const { id } = await addServerPlant(engine.server, engine.account);
  await device.pull();
  await changePlant(device.db, id, rename('One'), device.now());
  device.network.failNext(/PUT/, fixedResponse(429, { message: 'Slow down' }));
  await device.push();
  expect(await device.db.outbox.toArray()).toMatchObject([{ state: 'queued', attempts: 0 }]);
  await changePlant(device.db, id, rename('Two'), device.now());
  await device.push();
  expect(engine.requests().filter((one) => one.startsWith('PUT'))).toEqual([
    'PUT /api/plants/:id 429',
    'PUT /api/plants/:id 200',
  ]);
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Two' }]);
});

test('while ops wait, the status has the number of ops already sent, and 0 once all are sent', async () => {
  const { device } = engine;
  const { id } = await addServerPlant(engine.server, engine.account);
  for (const minutesAgo of [60, 40, 20]) {
    await addWatering(device.db, id, device.now() - minutesAgo * minuteMs);
  }
  device.network.failNext(/batch/, lostRequest);
  await device.push();
  expect(await readStatus(device.db)).toMatchObject({ sentCount: 1 });
  device.aheadMs += 2 * minuteMs;
  await device.push();
  expect(await readStatus(device.db)).toMatchObject({ sentCount: 0 });
});
