import { select } from '#client/store/live-store.ts';
import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import { watchPlants } from '#client/store/plants.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { watchSyncStatus } from '#client/store/sync-status.ts';
import { countPlants } from '#domain/plant/filter.ts';
import { toPlant } from '#domain/plant/plant.ts';
import type { TimeZone } from '#domain/zone.ts';
import {
  discardStartSnapshot,
  type GardenSnapshot,
  saveGardenSnapshot,
  snapshotPlantCount,
} from './garden-snapshot.ts';
import { getSession, subscribeSession } from './session.ts';
import { whenIdle } from './when-idle.ts';

/**
 * Minimum time between two snapshots, except when the page is hidden or closed: plants may change many times a second
 * while the outbox is sent.
 */
const minIntervalMs = 2_000;

/**
 * Saves the first cards of the signed-in account whenever they change and after every pull, so that the next start shows
 * them at once. Returns a function that ends it.
 */
export function startSavingSnapshots(build: string): () => void {
  let current: DeviceDb | null = null;
  let stop: () => void = () => undefined;
  const follow = () => {
    const session = getSession();
    const db = session.status === 'signed-in' ? session.db : null;
    if (db === current) return;
    stop();
    current = db;
    stop = db ? followGarden(db, build) : () => undefined;
  };
  follow();
  const unsubscribe = subscribeSession(follow);
  return () => {
    unsubscribe();
    stop();
  };
}

function followGarden(db: DeviceDb, build: string): () => void {
  let plants: PlantWithPending[] | null = null;
  let latest: GardenSnapshot['latest'] = {};
  let pulledAt: GardenSnapshot['pulledAt'] = null;
  const pulls = select(watchSyncStatus(db), (status) => status.pulledAt);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = () => {
    const session = getSession();
    if (!plants || session.status !== 'signed-in' || session.db !== db) return;
    const snapshot = { ...firstPlants(plants, session.zone), latest, pulledAt };
    saveGardenSnapshot(session.token, { dbName: db.name, build }, snapshot);
  };
  const readAndSave = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (!plants) return;
    latest = await readLatest(db, plants.slice(0, snapshotPlantCount));
    pulledAt = pulls.hasValue() ? pulls.getValue() : null;
    discardStartSnapshot();
    save();
  };
  // Without a snapshot the next start is only a little slower, so a failure is ignored.
  const update = () => void readAndSave().catch(() => undefined);
  const scheduleUpdate = () => {
    timer ??= setTimeout(() => whenIdle(update), minIntervalMs);
  };
  const subscriptions = [
    watchPlants(db).subscribe((latest) => {
      plants = latest;
      scheduleUpdate();
    }),
    // A pull stores the plants first and their readings later.
    pulls.subscribe(scheduleUpdate),
  ];
  const saveWhenHidden = () => {
    if (document.visibilityState !== 'hidden') return;
    // First saves the values already read: a page that is being closed may end before the database responds.
    save();
    // New readings do not trigger watchPlants.
    update();
  };
  document.addEventListener('visibilitychange', saveWhenHidden);
  window.addEventListener('pagehide', save);
  return () => {
    clearTimeout(timer);
    for (const subscription of subscriptions) subscription.unsubscribe();
    document.removeEventListener('visibilitychange', saveWhenHidden);
    window.removeEventListener('pagehide', save);
  };
}

async function readLatest(
  db: DeviceDb,
  plants: readonly PlantWithPending[],
): Promise<GardenSnapshot['latest']> {
  const rows = await db.latest.bulkGet(plants.map(({ record }) => String(record.id)));
  return Object.fromEntries(plants.map(({ key }, index) => [key, rows[index] ?? null]));
}

/** The first plants, and the counts of all plants. */
function firstPlants(
  all: readonly PlantWithPending[],
  zone: TimeZone,
): Pick<GardenSnapshot, 'plants' | 'counts'> {
  const now = Date.now();
  const counts = countPlants(
    all.map(({ record }) => toPlant(record, now)),
    now,
    zone,
  );
  return { plants: all.slice(0, snapshotPlantCount), counts };
}
