import { beforeEach, expect, test } from 'vitest';
import { changePlant } from '#client/store/outbox/plant-changes.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { lockPlant, untilWaiting } from '../../../support/database/database-waits.ts';
import { addPlant } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const maxRequests = 2;
const engine = setUpEngine({ maxRequests });
let fern: string;
let aloe: string;
beforeEach(async () => {
  fern = (await addPlant(engine.server, engine.account, { nickname: 'Fern' })).id;
  aloe = (await addPlant(engine.server, engine.account, { nickname: 'Aloe' })).id;
  await engine.device.pull();
  engine.device.network.sent.length = 0;
});

/** Keeps as many requests of others in progress as the server allows, until the returned function is called. */
async function fillServer(): Promise<() => Promise<void>> {
  const other = (await addPlant(engine.server, engine.account)).id;
  const holder = await engine.server.db.pool.connect();
  await holder.query('BEGIN');
  await lockPlant(holder, other);
  const requests = Array.from({ length: maxRequests }, () =>
    engine.elsewhere('POST', `/api/plants/${other}/water`),
  );
  await untilWaiting(engine.server, maxRequests);
  return async () => {
    await holder.query('COMMIT');
    holder.release();
    await Promise.all(requests);
  };
}

test('changes that a busy server refuses stay queued and arrive once, after the time in its Retry-After', async () => {
  const { device } = engine;
  const release = await fillServer();
  await addWatering(device.db, fern, device.now());
  const change = { edits: { nickname: 'Agave' }, base: { nickname: 'Aloe' } };
  await changePlant(device.db, aloe, change, device.now());
  await device.push();
  expect(engine.requests().every((request) => request.endsWith(' 503'))).toBe(true);
  expect(engine.requests().length).toBeGreaterThan(0);
  expect(await device.db.outbox.count()).toBe(2);
  await release();
  // A refused change is not sent again before the server's Retry-After.
  await device.push();
  expect(await engine.wateringsOf(fern)).toEqual([]);
  device.aheadMs += 61_000;
  await device.push();
  expect(await device.db.outbox.count()).toBe(0);
  expect(await engine.wateringsOf(fern)).toHaveLength(1);
  const plants = await engine.serverPlants();
  expect(plants.find(({ id }) => id === aloe)?.nickname).toBe('Agave');
});
