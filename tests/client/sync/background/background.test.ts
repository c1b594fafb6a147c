import { Dexie } from 'dexie';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { addWatering, addWaterings } from '#client/store/outbox/waterings.ts';
import { requestRound } from '#client/store/sync-status.ts';
import {
  type BackgroundOptions,
  clearBackgroundToken,
  readBackgroundToken,
  saveBackgroundToken,
  sendInBackground,
} from '#client/sync/background/background.ts';
import { readPause } from '#client/sync/backoff.ts';
import type { TryLock } from '#client/sync/lock.ts';
import { fixedResponse, lostResponse } from '../../../support/device/network.ts';
import { addPlant } from '../../../support/server/server.ts';
import { setUpEngine } from '../support/set-up-engine.ts';

const engine = setUpEngine();
let fern: string;
beforeEach(async () => {
  fern = (await addPlant(engine.server, engine.account)).id;
});

const free: TryLock = (_, work) => work();
const taken: TryLock = async () => null;

/** A sleep that advances the device's clock. */
const sleep: BackgroundOptions['sleep'] = async (ms) => {
  engine.device.aheadMs += ms;
};

/** Sends in the background as the service worker does, while all pages of the device are closed. */
function wake(tryLock = free, name = engine.device.db.name, changes = {}) {
  engine.device.db.close({ disableAutoOpen: false });
  const options = { ...engine.device.context, tryLock, isLockAwaited: async () => false, sleep };
  return sendInBackground(name, { ...options, ...changes });
}

async function tapWaterOnce(): Promise<void> {
  const { db, now } = engine.device;
  await saveBackgroundToken(db, engine.account.token);
  await addWatering(db, fern, now());
}

const opsHere = () => engine.device.db.outbox.count();

test('an offline watering is sent once with no page open, with the moment of the tap', async () => {
  const tappedAt = engine.device.now();
  await tapWaterOnce();
  expect(await wake()).toBe('done');
  expect(await wake()).toBe('done');
  const [wateredAt, ...others] = await engine.wateringsOf(fern);
  expect(Math.abs((wateredAt ?? 0) - tappedAt)).toBeLessThan(60_000);
  expect(others).toEqual([]);
  expect(await opsHere()).toBe(0);
});

/** Waters all plants, and closes the page before the waterings have been sent. */
async function tapWaterAll(): Promise<number> {
  const { db, now } = engine.device;
  const tappedAt = now();
  await saveBackgroundToken(db, engine.account.token);
  await addWaterings(db, [fern], tappedAt);
  return tappedAt;
}

test('waterings that can still be undone when the page is closed are sent once their undo period is over', async () => {
  const tappedAt = await tapWaterAll();
  expect(await wake()).toBe('done');
  expect(await engine.wateringsOf(fern)).toEqual([tappedAt]);
  expect(engine.device.aheadMs).toBeLessThan(15_000);
});

test('while background sending waits for an undo period, a page can have the lock, and sends', async () => {
  await tapWaterAll();
  let isHeld = false;
  const tryLock: TryLock = async (_, work) => {
    isHeld = true;
    const result = await work();
    isHeld = false;
    return result;
  };
  const openPage = async (ms: number) => {
    expect(isHeld).toBe(false);
    await sleep(ms);
    await engine.device.push();
    engine.device.db.close({ disableAutoOpen: false });
  };
  expect(await wake(tryLock, engine.device.db.name, { sleep: openPage })).toBe('done');
  expect(engine.requests()).toEqual(['POST /api/plants/:id/water 200']);
});

test('background sending does not wait for an op that is due in more than 15 s', async () => {
  await tapWaterOnce();
  const { db, now } = engine.device;
  const dueAt = now() + 90_000;
  await db.outbox.toCollection().modify({ nextAt: dueAt });
  expect(await wake()).toBe('later');
  expect(now()).toBeLessThan(dueAt - 60_000);
  expect(engine.device.network.sent).toEqual([]);
});

test('background sending does not pull, and sends nothing when the outbox is empty', async () => {
  await tapWaterOnce();
  await wake();
  await wake();
  expect(engine.requests()).toEqual(['POST /api/plants/:id/water 200']);
  expect(await engine.device.db.readings.count()).toBe(0);
});

test('an op whose response was lost is resent with the same key', async () => {
  await tapWaterOnce();
  const { network } = engine.device;
  network.failNext(/water/, lostResponse);
  expect(await wake()).toBe('later');
  expect(await wake()).toBe('done');
  expect(await engine.wateringsOf(fern)).toHaveLength(1);
  expect(new Set(network.sent.map(({ key }) => key)).size).toBe(1);
});

test("without a network background sending resolves to 'later'", async () => {
  await tapWaterOnce();
  engine.device.network.isDown = true;
  expect(await wake()).toBe('later');
  expect(await opsHere()).toBe(1);
});

test('background sending respects a pause requested by the server', async () => {
  await tapWaterOnce();
  const { network, db } = engine.device;
  await db.meta.put({ id: 'paused-until', value: engine.device.now() + 600_000 });
  expect(await wake()).toBe('later');
  expect(network.sent).toEqual([]);
});

test('a pause that the server requests is stored, and the next background sending respects it', async () => {
  await tapWaterOnce();
  const { network, db, now } = engine.device;
  network.failNext(/water/, fixedResponse(429, { message: 'Slow down' }, { 'retry-after': '600' }));
  expect(await wake()).toBe('later');
  expect(await readPause(db, now())).toBeGreaterThan(now() + 500_000);
  expect(await wake()).toBe('later');
  expect(network.sent).toHaveLength(1);
});

test('nothing is sent in the background while a page holds the lock', async () => {
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

test('a 401 deletes the background token and keeps the outbox', async () => {
  await tapWaterOnce();
  engine.device.network.failNext(/water/, fixedResponse(401, { message: 'Unauthorized' }));
  expect(await wake()).toBe('done');
  expect(await readBackgroundToken(engine.device.db)).toBeNull();
  expect(await opsHere()).toBe(1);
});

test('a rejected op stays in the outbox, and background sending resolves to done', async () => {
  await tapWaterOnce();
  engine.device.network.failNext(/water/, fixedResponse(422, { message: 'No' }));
  expect(await wake()).toBe('done');
  expect((await engine.device.db.outbox.toCollection().first())?.state).toBe('rejected');
});

test('only the token of the session that ended is deleted, not a newer one', async () => {
  const { db } = engine.device;
  await saveBackgroundToken(db, 'newer');
  await clearBackgroundToken(db, 'older');
  expect(await readBackgroundToken(db)).toBe('newer');
  await clearBackgroundToken(db, 'newer');
  expect(await readBackgroundToken(db)).toBeNull();
});

test('a deleted database is not created again', async () => {
  expect(await wake(free, 'sprig-deleted')).toBe('done');
  expect(await Dexie.exists('sprig-deleted')).toBe(false);
});

test('a database that is being deleted, and is still listed, is not created again', async () => {
  const listed = vi.spyOn(indexedDB, 'databases');
  onTestFinished(() => listed.mockRestore());
  listed.mockResolvedValue([{ name: 'sprig-deleted', version: engine.device.db.verno * 10 }]);
  expect(await wake(free, 'sprig-deleted')).toBe('done');
  expect(await Dexie.exists('sprig-deleted')).toBe(false);
});

test('nothing is sent for a person who signs out while background sending waits for the lock', async () => {
  await tapWaterOnce();
  const signedOutMeanwhile: TryLock = async (_, work) => {
    await clearBackgroundToken(engine.device.db, engine.account.token);
    return await work();
  };
  expect(await wake(signedOutMeanwhile)).toBe('done');
  expect(engine.device.network.sent).toEqual([]);
});

test('a database of an earlier version is not upgraded', async () => {
  const before = new Dexie('sprig-before');
  onTestFinished(() => before.delete());
  before.version(1).stores({ outbox: '++seq', meta: 'id' });
  await before.open();
  expect(await wake(free, 'sprig-before')).toBe('done');
  expect(before.isOpen()).toBe(true);
  expect(before.verno).toBe(1);
});

test('background sending closes the database when it is done', async () => {
  await tapWaterOnce();
  await wake();
  await requestRound(engine.device.db);
  await engine.device.db.delete();
  expect(await Dexie.exists(engine.device.db.name)).toBe(false);
});
