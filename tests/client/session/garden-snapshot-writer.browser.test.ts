import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { GardenSnapshot } from '#client/session/garden-snapshot.ts';
import { startSavingSnapshots } from '#client/session/garden-snapshot-writer.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { watchPlants } from '#client/store/plants.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { initialStatus } from '#client/store/sync-status.ts';
import { signInAs } from '../../support/component/open-app.tsx';
import { latestRow, plantRecord, plantRow } from '../../support/device/device-rows.ts';

const tokenKey = 'sprig.token';
const snapshotKey = 'sprig.garden';

// Once, as in the app: it follows every session. Vitest calls the returned function after the last test.
beforeAll(() => startSavingSnapshots('/assets/main-1.js'));

/** Signs in and stores one plant on the device. */
async function openGarden(): Promise<DeviceDb> {
  window.localStorage.setItem(tokenKey, 'a.b.c');
  onTestFinished(() => {
    window.localStorage.removeItem(tokenKey);
    window.localStorage.removeItem(snapshotKey);
  });
  const db = await signInAs();
  await db.plants.put(plantRow());
  return db;
}

/** Waits until the live query of plants has `count` waiting changes of the plant. */
async function untilWaiting(db: DeviceDb, count: number): Promise<void> {
  const plants = watchPlants(db);
  await expect.poll(() => plants.hasValue() && plants.getValue()[0]?.waiting.length).toBe(count);
}

function storedSnapshot(): GardenSnapshot | undefined {
  return JSON.parse(window.localStorage.getItem(snapshotKey) ?? 'null')?.garden;
}

function hide(): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
}

function leave(): void {
  window.dispatchEvent(new Event('pagehide'));
}

test.each([
  ['hidden', hide],
  ['left', leave],
])(
  'a page that is %s right after a watering saves a snapshot that contains the watering',
  async (_, act) => {
    const db = await openGarden();
    await addWatering(db, 'p1', Date.now());
    await untilWaiting(db, 1);
    window.localStorage.removeItem(snapshotKey);
    act();
    // No await between `act()` and this line: a page that is being reloaded runs no further tasks.
    expect(storedSnapshot()?.plants[0]?.waiting).toHaveLength(1);
  },
);

test('when the page is hidden, readings that arrived without a change of a plant are saved', async () => {
  const db = await openGarden();
  await untilWaiting(db, 0);
  await db.latest.put(latestRow({ plantId: 'p1' }));
  hide();
  await expect.poll(() => storedSnapshot()?.latest.p1?.plantId).toBe('p1');
});

test('the snapshot also contains readings that a pull stores long after the plants', async () => {
  const db = await openGarden();
  await expect.poll(storedSnapshot).toMatchObject({ latest: { p1: null }, pulledAt: null });
  await db.latest.put(latestRow({ plantId: 'p1' }));
  await db.syncState.put({ ...initialStatus, pulledAt: 1_000 });
  const wanted = { latest: { p1: { plantId: 'p1' } }, pulledAt: 1_000 };
  await expect.poll(storedSnapshot).toMatchObject(wanted);
});

test('the snapshot contains the oldest 24 plants and the counts of all plants', async () => {
  const db = await openGarden();
  const added = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();
  const others = Array.from({ length: 29 }, (_, i) =>
    plantRow(plantRecord({ id: `other-${i}`, date_added: added(2 + i) })),
  );
  await db.plants.bulkPut([plantRow(plantRecord({ date_added: added(1) })), ...others]);
  await expect.poll(() => storedSnapshot()?.counts.byFilter.All).toBe(30);
  const keys = storedSnapshot()?.plants.map(({ key }) => key);
  expect(keys).toEqual(['p1', ...others.slice(0, 23).map(({ id }) => id)]);
});
