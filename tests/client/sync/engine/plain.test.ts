import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addPlant, changePlant, deletePlant } from '#client/store/outbox/plant-changes.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { readPlants } from '#client/store/plants.ts';
import { plantPayload } from '../../../support/factories.ts';
import { lostAnswer } from '../../../support/network.ts';
import { addPlant as addServerPlant } from '../../../support/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

/** A server that knows neither keys nor versions. */
const engine = setUpEngine({ isPlain: true });
let fern: string;
beforeEach(async () => {
  fern = (await addServerPlant(engine.server, engine.account)).id;
  await engine.device.pull();
  engine.device.network.sent.length = 0;
});
afterEach(() => void vi.unstubAllEnvs());

const hourMs = 3_600_000;

/** Sends what waits and loses the answer, then lets a pull show what the server did. */
async function loseAnswer(match: RegExp): Promise<void> {
  engine.device.network.failNext(match, lostAnswer);
  await engine.device.push();
  await engine.device.pull();
  engine.device.aheadMs += 120_000;
}

async function waterAt(hoursAgo: number): Promise<void> {
  const { device } = engine;
  await addWatering(device.db, fern, device.now() - hoursAgo * hourMs);
}

const states = async () => (await engine.device.db.outbox.toArray()).map(({ state }) => state);

test('what was done twice once is never risked again: the person is asked', async () => {
  await waterAt(3);
  await loseAnswer(/water/);
  await engine.device.push();
  expect(await engine.wateringsOf(fern)).toHaveLength(2);
  await waterAt(2);
  await loseAnswer(/water/);
  await engine.device.push();
  expect(await states()).toEqual(['doubtful']);
  await waterAt(0);
  await engine.device.push();
  expect(await engine.wateringsOf(fern)).toHaveLength(4);
  expect(await states()).toEqual(['doubtful']);
});

test('a plant that was made twice is noticed by its twin', async () => {
  const { device } = engine;
  await addPlant(device.db, plantPayload({ nickname: 'First' }), device.now());
  await loseAnswer(/POST/);
  await device.push();
  await addPlant(device.db, plantPayload({ nickname: 'Second' }), device.now());
  await loseAnswer(/POST/);
  await device.push();
  expect(await states()).toEqual(['doubtful']);
  const names = (await engine.serverPlants()).map(({ nickname }) => nickname);
  expect(names.filter((name) => name === 'Second')).toHaveLength(1);
  expect((await readPlants(device.db)).filter((plant) => plant.parked.length > 0)).toHaveLength(1);
});

test('an edit and a delete of unknown outcome reach it once, keys or not', async () => {
  const { device } = engine;
  const edit = { edits: { nickname: 'Mine' }, base: { nickname: 'Fern' } };
  await changePlant(device.db, fern, edit, device.now());
  await loseAnswer(/PUT/);
  await engine.elsewhere('PUT', `/api/plants/${fern}`, plantPayload({ nickname: 'Mine' }));
  await device.push();
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Mine' }]);
  await deletePlant(device.db, fern, device.now());
  await loseAnswer(/DELETE/);
  await device.push();
  expect(await states()).toEqual([]);
  expect(await engine.serverPlants()).toEqual([]);
});

test('once it is known to ignore keys, an edit is looked at again before it is repeated', async () => {
  const { device } = engine;
  await waterAt(3);
  await loseAnswer(/water/);
  await device.push();
  const edit = { edits: { nickname: 'Mine' }, base: { nickname: 'Fern' } };
  await changePlant(device.db, fern, edit, device.now());
  await loseAnswer(/PUT/);
  await engine.elsewhere(
    'PUT',
    `/api/plants/${fern}`,
    plantPayload({ nickname: 'Mine', location: 'Attic' }),
  );
  await device.push();
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Mine', location: 'Attic' }]);
  expect(await states()).toEqual([]);
});

test('where the browser may not send keys, everything goes without them, once', async () => {
  vi.stubEnv('VITE_API_URL', 'https://api.example.org');
  const { device } = engine;
  const { fetch } = device.context;
  device.context.fetch = async (url, init) => {
    if (new Headers(init.headers).has('idempotency-key')) throw new TypeError('preflight refused');
    return fetch(url, init);
  };
  await waterAt(1);
  await waterAt(0);
  await device.push();
  expect(await engine.wateringsOf(fern)).toHaveLength(2);
  expect(await states()).toEqual([]);
});

test('a network that is down refuses no key', async () => {
  vi.stubEnv('VITE_API_URL', 'https://api.example.org');
  const { device } = engine;
  await waterAt(0);
  device.network.isDown = true;
  await device.push();
  expect(await states()).toEqual(['uncertain']);
  expect(await device.db.meta.get('key-support')).toBeUndefined();
});
