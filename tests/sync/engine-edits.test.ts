import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newOp } from '#data/op.ts';
import { newOpId } from '#data/op-id.ts';
import { enqueue } from '#data/outbox.ts';
import { addWatering } from '#data/waterings.ts';
import type { PlantFields } from '#domain/plant.ts';
import { runningClock } from '../support/clock.ts';
import { type Device, openDevice } from '../support/device.ts';
import { plantPayload } from '../support/factories.ts';
import { answers, lostAnswer } from '../support/network.ts';
import {
  type Account,
  addPlant,
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

async function serverPlants(): Promise<(PlantFields & { id: string; last_watered: string })[]> {
  const answer = await server.app.inject({ url: '/api/plants', headers: bearer(account) });
  return answer.json();
}

function edit(entity: string, edits: Partial<PlantFields>, base: Partial<PlantFields>) {
  const occurredAt = device.now();
  return enqueue(
    device.db,
    newOp({ opId: newOpId(), entity, kind: 'update', edits, base, occurredAt }),
  );
}

function create(entity: string, edits: PlantFields) {
  const occurredAt = device.now();
  return enqueue(device.db, newOp({ opId: newOpId(), entity, kind: 'create', edits, occurredAt }));
}

test('a plant added and watered without a network arrives once, watered, under its old local id', async () => {
  await create('local-1', plantPayload({ nickname: 'Newcomer' }));
  await addWatering(device.db, 'local-1', device.now());
  device.network.failNext(/POST .*plants$/, lostAnswer);
  await device.push();
  device.aheadMs += 120_000;
  await device.push();
  await device.pull();
  const [plant, ...others] = await serverPlants();
  expect(others).toEqual([]);
  expect(plant).toMatchObject({ nickname: 'Newcomer', last_watered: expect.any(String) });
  expect(await device.plant('local-1')).toMatchObject({ record: { id: plant?.id }, waiting: [] });
});

test('an edit changes its own fields and leaves what another device changed alone', async () => {
  const { id } = await addPlant(server, account, { nickname: 'Fern', location: 'Hall' });
  await device.pull();
  await server.app.inject({
    method: 'PUT',
    url: `/api/plants/${id}`,
    headers: bearer(account),
    payload: plantPayload({ location: 'Kitchen' }),
  });
  await edit(id, { nickname: 'Fernando' }, { nickname: 'Fern' });
  expect((await device.plant(id))?.record.nickname).toBe('Fernando');
  await device.push();
  expect(await serverPlants()).toMatchObject([{ nickname: 'Fernando', location: 'Kitchen' }]);
  expect((await device.plant(id))?.record).toMatchObject({ location: 'Kitchen' });
});

test('an edit that meets a newer version looks again and is sent anew', async () => {
  const { id } = await addPlant(server, account);
  await device.pull();
  await edit(id, { nickname: 'Fernando' }, { nickname: 'Fern' });
  device.network.failNext(/PUT/, answers(412, { code: 'version_mismatch', message: 'changed' }));
  await device.push();
  expect(await serverPlants()).toMatchObject([{ nickname: 'Fernando' }]);
});

test('an edit that never fits is kept aside after five sends', async () => {
  const { id } = await addPlant(server, account);
  await device.pull();
  await edit(id, { nickname: 'Fernando' }, { nickname: 'Fern' });
  for (let i = 0; i < 5; i++) device.network.failNext(/PUT/, answers(412, { message: 'changed' }));
  await device.push();
  expect(device.network.sent.filter(({ method }) => method === 'PUT')).toHaveLength(5);
  expect(await device.plant(id)).toMatchObject({
    record: { nickname: 'Fernando' },
    parked: [{ lastError: { message: 'changed' } }],
  });
});

test('an update that landed unheard is not laid over what came after it', async () => {
  const { id } = await addPlant(server, account);
  await device.pull();
  await edit(id, { nickname: 'Fernando' }, { nickname: 'Fern' });
  device.network.failNext(/PUT/, lostAnswer);
  await device.push();
  await server.app.inject({
    method: 'PUT',
    url: `/api/plants/${id}`,
    headers: bearer(account),
    payload: plantPayload({ nickname: 'Renamed elsewhere' }),
  });
  device.aheadMs += 120_000;
  await device.push();
  expect(await serverPlants()).toMatchObject([{ nickname: 'Renamed elsewhere' }]);
  expect(await device.db.outbox.count()).toBe(0);
});

test('deleting what another device deleted already is done', async () => {
  const { id } = await addPlant(server, account);
  await device.pull();
  await server.app.inject({
    method: 'DELETE',
    url: `/api/plants/${id}`,
    headers: bearer(account),
  });
  await enqueue(
    device.db,
    newOp({ opId: newOpId(), entity: id, kind: 'delete', occurredAt: device.now() }),
  );
  expect(await device.plant(id)).toBeUndefined();
  await device.push();
  expect(await device.db.outbox.count()).toBe(0);
  expect(await device.db.plants.count()).toBe(0);
});

test('a refused new plant stays visible with its text and holds up nothing else', async () => {
  const { id } = await addPlant(server, account);
  await device.pull();
  await create('local-2', plantPayload({ nickname: '  ' }));
  await addWatering(device.db, 'local-2', device.now());
  await addWatering(device.db, id, device.now());
  await device.push();
  expect(await device.plant('local-2')).toMatchObject({
    parked: [{ kind: 'create', lastError: { status: 422 } }],
    waiting: [{ kind: 'water', state: 'queued' }],
  });
  expect((await device.plant(id))?.waiting).toEqual([]);
});
