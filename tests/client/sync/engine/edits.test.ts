import { expect, test } from 'vitest';
import { enqueue } from '#client/store/outbox/enqueue.ts';
import { newOp, newOpId } from '#client/store/outbox/op.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { readStatus } from '#client/store/sync-status.ts';
import { recoverInflight } from '#client/sync/push/claim.ts';
import type { PlantFields } from '#domain/plant/fields.ts';
import { delayedResponse, fixedResponse, lostResponse } from '../../../support/device/network.ts';
import { plantPayload } from '../../../support/factories.ts';
import { addPlant } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();

function edit(entity: string, edits: Partial<PlantFields>, base: Partial<PlantFields>) {
  const occurredAt = engine.device.now();
  return enqueue(
    engine.device.db,
    newOp({ opId: newOpId(), entity, type: 'update', edits, base, occurredAt }),
  );
}

function create(entity: string, edits: PlantFields) {
  const occurredAt = engine.device.now();
  return enqueue(
    engine.device.db,
    newOp({ opId: newOpId(), entity, type: 'create', edits, occurredAt }),
  );
}

test('a plant added and watered without a network is created once, with its watering, and keeps its local id on the device', async () => {
  await create('local-1', plantPayload({ nickname: 'Newcomer' }));
  await addWatering(engine.device.db, 'local-1', engine.device.now());
  engine.device.network.failNext(/POST .*plants\?/, lostResponse);
  await engine.device.push();
  engine.device.aheadMs += 120_000;
  await engine.device.push();
  await engine.device.pull();
  const [plant, ...others] = await engine.serverPlants();
  expect(others).toEqual([]);
  expect(plant).toMatchObject({ nickname: 'Newcomer', last_watered: expect.any(String) });
  expect(await engine.device.plant('local-1')).toMatchObject({
    record: { id: plant?.id },
    waiting: [],
  });
});

test('an edit changes its own fields and does not overwrite the fields that another device changed', async () => {
  const { id } = await addPlant(engine.server, engine.account, {
    nickname: 'Fern',
    location: 'Hall',
  });
  await engine.device.pull();
  await engine.elsewhere('PUT', `/api/plants/${id}`, plantPayload({ location: 'Kitchen' }));
  await edit(id, { nickname: 'Fernando' }, { nickname: 'Fern' });
  expect((await engine.device.plant(id))?.record.nickname).toBe('Fernando');
  await engine.device.push();
  expect(await engine.serverPlants()).toMatchObject([
    { nickname: 'Fernando', location: 'Kitchen' },
  ]);
  expect((await engine.device.plant(id))?.record).toMatchObject({ location: 'Kitchen' });
});

test('after a 412 without a record the plant is read again and the edit is resent', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  await engine.device.pull();
  await edit(id, { nickname: 'Fernando' }, { nickname: 'Fern' });
  engine.device.network.failNext(
    /PUT/,
    fixedResponse(412, { code: 'version_mismatch', message: 'changed' }),
  );
  await engine.device.push();
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Fernando' }]);
});

test('an edit that meets a newer version five times is rejected', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  await engine.device.pull();
  await edit(id, { nickname: 'Fernando' }, { nickname: 'Fern' });
  for (let i = 0; i < 5; i++)
    engine.device.network.failNext(/PUT/, fixedResponse(412, { message: 'changed' }));
  await engine.device.push();
  expect(engine.device.network.sent.filter(({ method }) => method === 'PUT')).toHaveLength(5);
  expect(await engine.device.plant(id)).toMatchObject({
    record: { nickname: 'Fernando' },
    rejected: [{ lastError: { message: 'changed' } }],
  });
});

test('an update whose response was lost does not overwrite later changes', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  await engine.device.pull();
  await edit(id, { nickname: 'Fernando' }, { nickname: 'Fern' });
  engine.device.network.failNext(/PUT/, lostResponse);
  await engine.device.push();
  await engine.elsewhere(
    'PUT',
    `/api/plants/${id}`,
    plantPayload({ nickname: 'Renamed elsewhere' }),
  );
  engine.device.aheadMs += 120_000;
  await engine.device.push();
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Renamed elsewhere' }]);
  expect(await engine.device.db.outbox.count()).toBe(0);
});

test('an edit is not lost if it is coalesced into an op that another tab claimed and released', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  const { db, network, push } = engine.device;
  await edit(id, { nickname: 'Fernando' }, {});
  const delayed = delayedResponse();
  network.failNext(/GET/, delayed.fault);
  const pushing = push();
  await delayed.arrived;
  // Without Web Locks another tab may lead too: it claims the op, and releases it after a 429.
  const other = await engine.device.restart();
  other.network.failNext(/GET/, fixedResponse(429, { message: 'Slow down' }));
  await other.push();
  await edit(id, { location: 'Attic' }, {});
  delayed.release();
  await pushing;
  await push();
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Fernando', location: 'Attic' }]);
  expect(await db.outbox.count()).toBe(0);
  await other.close();
});

test('an edit coalesced into an op that another tab recovered is sent, even if the server already has the first edit', async () => {
  const { id } = await addPlant(engine.server, engine.account, { nickname: 'Fernando' });
  const { db, network, push } = engine.device;
  await edit(id, { nickname: 'Fernando' }, {});
  const delayed = delayedResponse();
  network.failNext(/GET/, delayed.fault);
  const pushing = push();
  await delayed.arrived;
  await recoverInflight(engine.device.context);
  await edit(id, { location: 'Attic' }, {});
  delayed.release();
  await pushing;
  await push();
  expect(await engine.serverPlants()).toMatchObject([{ location: 'Attic' }]);
  expect(await db.outbox.count()).toBe(0);
});

test('deleting a plant that another device has already deleted succeeds', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  await engine.device.pull();
  await engine.elsewhere('DELETE', `/api/plants/${id}`);
  await enqueue(
    engine.device.db,
    newOp({ opId: newOpId(), entity: id, type: 'delete', occurredAt: engine.device.now() }),
  );
  expect(await engine.device.plant(id)).toBeUndefined();
  await engine.device.push();
  expect(await engine.device.db.outbox.count()).toBe(0);
  expect(await engine.device.db.plants.count()).toBe(0);
});

test('a rejected new plant stays visible with its error and does not block ops of other plants', async () => {
  const { id } = await addPlant(engine.server, engine.account);
  await engine.device.pull();
  await create('local-2', plantPayload({ nickname: '  ' }));
  await addWatering(engine.device.db, 'local-2', engine.device.now());
  await addWatering(engine.device.db, id, engine.device.now());
  await engine.device.push();
  expect(await engine.device.plant('local-2')).toMatchObject({
    rejected: [{ type: 'create', lastError: { status: 422 } }],
    waiting: [{ type: 'water', state: 'queued' }],
  });
  expect((await engine.device.plant(id))?.waiting).toEqual([]);
});

test('if the plant of an edit cannot be read first, because no response comes, the server counts as unreachable', async () => {
  const { db, network, pull, push } = engine.device;
  const { id } = await addPlant(engine.server, engine.account, { nickname: 'Fern' });
  await pull();
  // The row already contains the values of the op, so the plant is read before anything is sent.
  await edit(id, { nickname: 'Fernando' }, { nickname: 'Fern' });
  await edit(id, { nickname: 'Fern' }, { nickname: 'Fernando' });
  network.isDown = true;
  await push();
  expect(network.sent.at(-1)?.method).toBe('GET');
  expect((await readStatus(db)).connectivity).toBe('unreachable');
});
