import { beforeEach, expect, test } from 'vitest';
import { undoMs } from '#client/store/outbox/op.ts';
import { addWatering, addWaterings, undoWaterings } from '#client/store/outbox/waterings.ts';
import { addPlant } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();
let plants: string[];
beforeEach(async () => {
  plants = [];
  for (const nickname of ['Aloe', 'Fern', 'Ivy']) {
    plants.push((await addPlant(engine.server, engine.account, { nickname })).id);
  }
  await engine.device.pull();
  engine.device.network.sent.length = 0;
});

const waterings = () => Promise.all(plants.map((id) => engine.wateringsOf(id)));

test('the waterings of many plants are not sent while they can be undone', async () => {
  const { db } = engine.device;
  await addWaterings(db, plants, engine.device.now());
  await engine.device.push();
  expect(engine.requests()).toEqual([]);
  expect(await undoWaterings(db, engine.device.now())).toBe(3);
  await engine.device.push();
  expect(await waterings()).toEqual([[], [], []]);
  expect(await db.outbox.count()).toBe(0);
});

test('when the waterings can no longer be undone, each plant is watered once, at the time of the tap', async () => {
  const { db } = engine.device;
  const tapped = engine.device.now() - undoMs;
  await addWaterings(db, plants, tapped);
  expect(await undoWaterings(db, engine.device.now())).toBe(0);
  await engine.device.push();
  await engine.device.push();
  expect(await waterings()).toEqual([[tapped], [tapped], [tapped]]);
  expect(await db.outbox.count()).toBe(0);
});

test('other changes are sent while waterings can be undone, and an undo leaves them alone', async () => {
  const { db } = engine.device;
  const [aloe = '', ...others] = plants;
  await addWatering(db, aloe, engine.device.now());
  await addWaterings(db, others, engine.device.now());
  await engine.device.push();
  expect((await waterings()).map(({ length }) => length)).toEqual([1, 0, 0]);
  expect(await undoWaterings(db, engine.device.now())).toBe(2);
});

test('a plant that has an unsent watering is not watered twice, and an undo keeps the earlier one', async () => {
  const { db } = engine.device;
  const [aloe = ''] = plants;
  const first = engine.device.now() - 60_000;
  await addWatering(db, aloe, first);
  await addWaterings(db, plants, engine.device.now());
  expect(await undoWaterings(db, engine.device.now())).toBe(2);
  await engine.device.push();
  expect(await waterings()).toEqual([[first], [], []]);
});

test('Water Now on a plant after Water all is sent at once, and undoing the other waterings does not remove it', async () => {
  const { db } = engine.device;
  const [aloe = ''] = plants;
  const tapped = engine.device.now();
  await addWaterings(db, plants, tapped);
  await addWatering(db, aloe, engine.device.now());
  await engine.device.push();
  expect(await waterings()).toEqual([[tapped], [], []]);
  expect(await undoWaterings(db, engine.device.now())).toBe(2);
  expect(await db.outbox.count()).toBe(0);
});

test('a device whose clock was set back sends the waterings at once, although their time for an undo ends far in the future', async () => {
  const { db } = engine.device;
  const tapped = engine.device.now();
  await addWaterings(db, plants, tapped + 3_600_000);
  await engine.device.push();
  expect(await db.outbox.count()).toBe(0);
  expect((await waterings()).map(({ length }) => length)).toEqual([1, 1, 1]);
});
