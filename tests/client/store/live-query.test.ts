import { expect, onTestFinished, test, vi } from 'vitest';
import { liveStore, sharedLiveQuery } from '#client/store/live-query.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { freshDb, listenTo } from '../../support/fresh-db.ts';

/** Open already: to open it is a change of everything. */
async function openDb(): Promise<DeviceDb> {
  const db = freshDb();
  await db.open();
  return db;
}

const countTo = (db: DeviceDb, value: number) => db.meta.put({ id: 'count', value });
const readCount = async (db: DeviceDb) => Number((await db.meta.get('count'))?.value ?? 0);

test('a single change is told at once, not after a rest', async () => {
  const db = await openDb();
  const heard = listenTo(liveStore(db, () => readCount(db)));
  await expect.poll(() => heard).toEqual([0]);
  await rested();
  // From here on no rest would ever be over.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await countTo(db, 1);
  await expect.poll(() => heard).toEqual([0, 1]);
});

test('to open the database is no change: what is watched first is read once', async () => {
  const db = freshDb();
  const heard = listenTo(liveStore(db, () => readCount(db)));
  await rested();
  expect(heard).toEqual([0]);
  await countTo(db, 1);
  await expect.poll(() => heard).toEqual([0, 1]);
});

test('what was closed is not opened by who watches it', async () => {
  const db = await openDb();
  db.close();
  const heard = listenTo(liveStore(db, () => readCount(db)));
  await rested();
  expect(heard).toEqual([]);
  expect(db.isOpen()).toBe(false);
});

test('of a stream of changes few are read, and the last always', async () => {
  const db = await openDb();
  let readings = 0;
  const watched = liveStore(db, () => {
    readings += 1;
    return readCount(db);
  });
  const heard = listenTo(watched);
  await expect.poll(() => heard).toEqual([0]);
  for (let value = 1; value <= 300; value += 1) await countTo(db, value);
  await expect.poll(() => heard.at(-1)).toBe(300);
  expect(readings).toBeLessThan(30);
  expect([...heard].sort((a, b) => a - b)).toEqual(heard);
});

test('a reading that takes longer than the changes are apart still comes to its end', async () => {
  const db = await openDb();
  const slowly = () =>
    db.transaction('r', db.meta, async () => {
      for (let round = 0; round < 20; round += 1) await db.meta.count();
      return readCount(db);
    });
  const heard = listenTo(liveStore(db, slowly));
  let isOver = false;
  const stream = (async () => {
    for (let value = 1; !isOver; value += 1) await countTo(db, value);
  })();
  await expect.poll(() => heard.length, { timeout: 10_000 }).toBeGreaterThan(2);
  isOver = true;
  await stream;
  const last = await readCount(db);
  await expect.poll(() => heard.at(-1)).toBe(last);
});

test('a change that comes while it is being read is not missed', async () => {
  const db = await openDb();
  let gate = Promise.resolve();
  let readings = 0;
  const heard = listenTo(
    liveStore(db, async () => {
      const count = await readCount(db);
      readings += 1;
      await gate;
      return count;
    }),
  );
  await expect.poll(() => heard).toEqual([0]);
  await rested();
  let open: () => unknown = () => undefined;
  gate = new Promise((resolve) => {
    open = resolve;
  });
  await countTo(db, 1);
  await expect.poll(() => readings).toBe(2);
  await countTo(db, 2);
  open();
  await expect.poll(() => heard).toEqual([0, 1, 2]);
});

test('what does not concern it is not read for', async () => {
  const db = await openDb();
  const heard = listenTo(liveStore(db, () => readCount(db)));
  await expect.poll(() => heard).toEqual([0]);
  for (let round = 0; round < 20; round += 1) await db.idmap.put({ localId: 'a', serverId: 'b' });
  await rested();
  expect(heard).toEqual([0]);
});

test('all who watch share one reading, and a latecomer has its value at once', async () => {
  const db = await openDb();
  let readings = 0;
  const watchCount = sharedLiveQuery((from) => {
    readings += 1;
    return readCount(from);
  });
  const [first, second] = [listenTo(watchCount(db)), listenTo(watchCount(db))];
  await expect.poll(() => [first, second]).toEqual([[0], [0]]);
  expect(readings).toBe(1);
  expect(watchCount(db).hasValue()).toBe(true);
  expect(listenTo(watchCount(db))).toEqual([0]);
  expect(watchCount(freshDb()).hasValue()).toBe(false);
});

test('with nobody there any more nothing is read, and nothing old is kept', async () => {
  const db = await openDb();
  const watched = liveStore(db, () => readCount(db));
  const heard: number[] = [];
  const subscription = watched.subscribe((value) => void heard.push(value));
  await expect.poll(() => heard).toEqual([0]);
  await countTo(db, 1);
  subscription.unsubscribe();
  await countTo(db, 2);
  await rested();
  expect(watched.hasValue()).toBe(false);
  expect(heard).toEqual([0]);
  expect(() => watched.getValue()).toThrow('Nothing has been read yet');
  expect(listenTo(watched)).toEqual([]);
});

/** Past any rest after what was read before. */
function rested(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 300));
}
