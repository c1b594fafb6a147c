import { beforeEach, expect, test } from 'vitest';
import { undoConflict } from '#client/store/outbox/decisions.ts';
import { changePlant } from '#client/store/outbox/plant-changes.ts';
import type { PlantFields } from '#domain/plant/fields.ts';
import {
  delayedResponse,
  fixedResponse,
  lostRequest,
  lostResponse,
} from '../../../support/device/network.ts';
import { plantPayload } from '../../../support/factories.ts';
import { addPlant } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();
let fern: string;
beforeEach(async () => {
  fern = (await addPlant(engine.server, engine.account, { nickname: 'Fern' })).id;
  await engine.device.pull();
  engine.device.network.sent.length = 0;
});

async function rename(nickname: string): Promise<void> {
  const { device } = engine;
  await changePlant(
    device.db,
    fern,
    { edits: { nickname }, base: { nickname: 'Fern' } },
    device.now(),
  );
}

const renameElsewhere = (changes: Partial<PlantFields>) =>
  engine.elsewhere('PUT', `/api/plants/${fern}`, plantPayload(changes));
const conflicts = () => engine.device.db.conflicts.toArray();

test('a field changed on both sides gets this device’s value, and the overwritten value is stored', async () => {
  await rename('Mine');
  await renameElsewhere({ nickname: 'Theirs', location: 'Attic' });
  await engine.device.push();
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Mine', location: 'Attic' }]);
  expect(await conflicts()).toMatchObject([
    { entity: fern, mine: { nickname: 'Mine' }, theirs: { nickname: 'Theirs' } },
  ]);
});

test('an edit is sent without reading its plant first; after a 412 it is merged into the record of that response', async () => {
  await rename('Mine');
  await renameElsewhere({ location: 'Attic' });
  await engine.device.push();
  expect(engine.requests()).toEqual(['PUT /api/plants/:id 412', 'PUT /api/plants/:id 200']);
  expect(engine.device.network.sent.map(({ ifMatch }) => ifMatch)).toEqual(['"v1"', '"v2"']);
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Mine', location: 'Attic' }]);
});

test('a 412 that arrives after a newer list makes the next pull fetch the whole list', async () => {
  const { device } = engine;
  await rename('Mine');
  await renameElsewhere({ location: 'Attic' });
  const late = delayedResponse();
  device.network.failNext(/PUT/, late.fault);
  device.network.failNext(/PUT/, lostRequest);
  const pushing = device.push();
  await late.arrived;
  await renameElsewhere({ location: 'Cellar' });
  await device.pull();
  expect((await device.plant(fern))?.record.location).toBe('Cellar');
  late.release();
  await pushing;
  await device.pull();
  expect((await device.plant(fern))?.record.location).toBe('Cellar');
});

test('the overwritten value is also stored when the response is lost and the app restarts', async () => {
  await rename('Mine');
  await renameElsewhere({ nickname: 'Theirs' });
  engine.device.network.failNext(/PUT/, lostResponse);
  await engine.device.push();
  expect(await conflicts()).toEqual([]);
  const restarted = await engine.device.restart();
  restarted.aheadMs += 120_000;
  await restarted.push();
  expect(await conflicts()).toMatchObject([
    { mine: { nickname: 'Mine' }, theirs: { nickname: 'Theirs' } },
  ]);
});

/** Renames the plant twice without a network; the first name is tried. Another device renames it to 'Theirs'. */
async function renameTwiceOffline(first: string, second: string): Promise<void> {
  const { db, network, now, push } = engine.device;
  network.isDown = true;
  await rename(first);
  await push();
  const again = { edits: { nickname: second }, base: { nickname: first } };
  await changePlant(db, fern, again, now());
  await renameElsewhere({ nickname: 'Theirs' });
  network.isDown = false;
  await db.outbox.toCollection().modify({ nextAt: 0 });
}

test('an undo that is offered while a later edit of the field waits names the value of that edit', async () => {
  const { db, network, now, push } = engine.device;
  await renameTwiceOffline('Mine', 'Newest');
  network.failNext(/PUT/, (request) => request());
  network.failNext(/PUT/, (request) => request());
  network.failNext(/PUT/, lostRequest);
  await push();
  expect(await db.outbox.count()).toBe(1);
  const [conflict] = await conflicts();
  expect(conflict).toMatchObject({
    mine: { nickname: 'Newest' },
    theirs: { nickname: 'Theirs' },
  });
  await undoConflict(db, conflict?.id ?? '', now());
  await db.outbox.toCollection().modify({ nextAt: 0 });
  await push();
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Theirs' }]);
  expect(await conflicts()).toEqual([]);
});

test('no undo is offered if a later edit of the field has the overwritten value', async () => {
  await renameTwiceOffline('Mine', 'Theirs');
  await engine.device.push();
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Theirs' }]);
  expect(await conflicts()).toEqual([]);
});

test('a rejected edit stores no overwritten value', async () => {
  await rename('Mine');
  await renameElsewhere({ nickname: 'Theirs' });
  engine.device.network.failNext(/PUT/, fixedResponse(422, { message: 'No' }));
  await engine.device.push();
  expect(await conflicts()).toEqual([]);
});

test('an edit that another device has already made gets one 412 and is not sent again', async () => {
  await rename('Same');
  await renameElsewhere({ nickname: 'Same' });
  await engine.device.push();
  expect(engine.requests()).toEqual(['PUT /api/plants/:id 412', 'GET /api/plants/:id 200']);
  expect(await engine.device.plant(fern)).toMatchObject({
    record: { nickname: 'Same' },
    waiting: [],
  });
  expect(await conflicts()).toEqual([]);
});

test('an edit that gets a 412 is done if the server already has its values', async () => {
  await rename('Mine');
  engine.device.network.failNext(/PUT/, async (request) => {
    await request();
    return fixedResponse(412, { code: 'version_mismatch', message: 'changed' })(request);
  });
  await engine.device.push();
  expect(engine.requests()).toEqual(['PUT /api/plants/:id 412', 'GET /api/plants/:id 200']);
  expect(await engine.device.db.outbox.count()).toBe(0);
});

test('failed reads of the plant do not count towards the limit of five 412 responses', async () => {
  await rename('Mine');
  // Without a known version the plant is read before each send.
  await engine.device.db.plants.update(fern, { etag: null });
  for (let i = 0; i < 6; i++) {
    engine.device.network.failNext(/GET/, fixedResponse(500, { message: 'Oops' }));
    await engine.device.push();
    engine.device.aheadMs += 120_000;
  }
  expect(await engine.serverPlants()).not.toMatchObject([{ nickname: 'Mine' }]);
  engine.device.network.failNext(/PUT/, fixedResponse(412, { message: 'changed' }));
  await engine.device.push();
  expect(await engine.serverPlants()).toMatchObject([{ nickname: 'Mine' }]);
});

test.each([
  ['no record', { message: 'Saved' }],
  ['a part of it', { id: 'FERN', message: 'Saved' }],
  ['another plant', { ...plantPayload(), id: 'other' }],
])(
  'if a successful response contains %s instead of the whole record, the plant is read from the server',
  async (_, body) => {
    const responseBody = JSON.parse(JSON.stringify(body).replace('FERN', fern));
    await rename('Mine');
    engine.device.network.failNext(/PUT/, async (request) => {
      await request();
      return fixedResponse(200, responseBody)(request);
    });
    await engine.device.push();
    expect(engine.requests().at(-1)).toBe('GET /api/plants/:id 200');
    expect(await engine.device.plant(fern)).toMatchObject({
      record: { nickname: 'Mine', species: 'Boston Fern' },
      waiting: [],
    });
  },
);
