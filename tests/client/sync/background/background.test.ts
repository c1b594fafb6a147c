import { Dexie } from 'dexie';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { requestSync } from '#client/store/sync-status.ts';
import {
  clearBackgroundToken,
  readBackgroundToken,
  saveBackgroundToken,
  sendInBackground,
} from '#client/sync/background/background.ts';
import type { TryLock } from '#client/sync/lock.ts';
import { answers, lostAnswer } from '../../../support/network.ts';
import { addPlant } from '../../../support/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();
let fern: string;
beforeEach(async () => {
  fern = (await addPlant(engine.server, engine.account)).id;
});

const free: TryLock = (_, work) => work();
const taken: TryLock = async () => null;

/** The service worker is called; the pages of the device are closed. */
function wake(tryLock = free, name = engine.device.db.name) {
  engine.device.db.close({ disableAutoOpen: false });
  return sendInBackground(name, tryLock, engine.device.context);
}

async function tapWaterOnce(): Promise<void> {
  const { db, now } = engine.device;
  await saveBackgroundToken(db, engine.account.token);
  await addWatering(db, fern, now());
}

const opsHere = () => engine.device.db.outbox.count();

test('what was tapped without a network is sent with no page open, once, at the moment of the tap', async () => {
  const tappedAt = engine.device.now();
  await tapWaterOnce();
  expect(await wake()).toBe('done');
  expect(await wake()).toBe('done');
  const [wateredAt, ...others] = await engine.wateringsOf(fern);
  expect(Math.abs((wateredAt ?? 0) - tappedAt)).toBeLessThan(60_000);
  expect(others).toEqual([]);
  expect(await opsHere()).toBe(0);
});

test('nothing is brought, and nothing asked for when nothing waits', async () => {
  await tapWaterOnce();
  await wake();
  await wake();
  expect(engine.requests()).toEqual(['POST /api/plants/:id/water 200']);
  expect(await engine.device.db.readings.count()).toBe(0);
});

test('what a page had sent when it was killed is asked for again by the same key', async () => {
  await tapWaterOnce();
  const { network } = engine.device;
  network.failNext(/water/, lostAnswer);
  expect(await wake()).toBe('later');
  expect(await wake()).toBe('done');
  expect(await engine.wateringsOf(fern)).toHaveLength(1);
  expect(new Set(network.sent.map(({ key }) => key)).size).toBe(1);
});

test('a network that is still away is waited for', async () => {
  await tapWaterOnce();
  engine.device.network.isDown = true;
  expect(await wake()).toBe('later');
  expect(await opsHere()).toBe(1);
});

test('the wish of a server to be left alone is kept', async () => {
  await tapWaterOnce();
  const { network, db } = engine.device;
  await db.meta.put({ id: 'paused-until', value: engine.device.now() + 600_000 });
  expect(await wake()).toBe('later');
  expect(network.sent).toEqual([]);
});

test('a page that sends is left alone', async () => {
  await tapWaterOnce();
  expect(await wake(taken)).toBe('later');
  expect(engine.device.network.sent).toEqual([]);
});

test('without a remembered session nothing is sent', async () => {
  await addWatering(engine.device.db, fern, engine.device.now());
  expect(await wake()).toBe('done');
  expect(engine.device.network.sent).toEqual([]);
  expect(await opsHere()).toBe(1);
});

test('a session that the server has ended is forgotten, and the queue kept', async () => {
  await tapWaterOnce();
  engine.device.network.failNext(/water/, answers(401, { message: 'Unauthorized' }));
  expect(await wake()).toBe('done');
  expect(await readBackgroundToken(engine.device.db)).toBeNull();
  expect(await opsHere()).toBe(1);
});

test('a refused change waits for the person, and the browser need not call again', async () => {
  await tapWaterOnce();
  engine.device.network.failNext(/water/, answers(422, { message: 'No' }));
  expect(await wake()).toBe('done');
  expect((await engine.device.db.outbox.toCollection().first())?.state).toBe('rejected');
});

test('only the session that ends is forgotten, not a newer one', async () => {
  const { db } = engine.device;
  await saveBackgroundToken(db, 'newer');
  await clearBackgroundToken(db, 'older');
  expect(await readBackgroundToken(db)).toBe('newer');
  await clearBackgroundToken(db, 'newer');
  expect(await readBackgroundToken(db)).toBeNull();
});

test('an erased database is not made anew', async () => {
  expect(await wake(free, 'sprig-erased')).toBe('done');
  expect(await Dexie.exists('sprig-erased')).toBe(false);
});

test('a database of the version before is left to the pages that use it', async () => {
  const before = new Dexie('sprig-before');
  onTestFinished(() => before.delete());
  before.version(1).stores({ outbox: '++seq', meta: 'id' });
  await before.open();
  expect(await wake(free, 'sprig-before')).toBe('done');
  expect(before.isOpen()).toBe(true);
  expect(before.verno).toBe(1);
});

test('it lets go of the database when it is done', async () => {
  await tapWaterOnce();
  await wake();
  await requestSync(engine.device.db);
  await engine.device.db.delete();
  expect(await Dexie.exists(engine.device.db.name)).toBe(false);
});
