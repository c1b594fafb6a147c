import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import { watchPlants } from '#client/store/plants.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { countPlants } from '#domain/plant/filter.ts';
import { toPlant } from '#domain/plant/plant.ts';
import { endStart, type KeptGarden, keepGarden, keptPlantCount } from './kept-garden.ts';
import { getSession, subscribeSession } from './session.ts';

/** At most so often: plants may change many times a second while a long queue is sent. */
const restMs = 2_000;

/** Caches the first cards of the signed-in account, so that the next start shows them at once. */
export function keepGardens(build: string): void {
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
  subscribeSession(follow);
}

function followGarden(db: DeviceDb, build: string): () => void {
  let plants: PlantWithPending[] | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = () => {
    clearTimeout(timer);
    timer = undefined;
    // Without a cache the next start is only a little slower, so the failure is ignored.
    if (plants) void keepFirst(db, build, plants).catch(() => undefined);
  };
  const subscription = watchPlants(db).subscribe((news) => {
    plants = news;
    timer ??= setTimeout(() => whenIdle(keep), restMs);
  });
  // New readings do not trigger watchPlants; they are cached when the page is hidden.
  const keepWhenHidden = () => {
    if (document.visibilityState === 'hidden') keep();
  };
  document.addEventListener('visibilitychange', keepWhenHidden);
  return () => {
    clearTimeout(timer);
    subscription.unsubscribe();
    document.removeEventListener('visibilitychange', keepWhenHidden);
  };
}

async function keepFirst(db: DeviceDb, build: string, all: PlantWithPending[]): Promise<void> {
  const plants = all.slice(0, keptPlantCount);
  const rows = await db.latest.bulkGet(plants.map(({ record }) => String(record.id)));
  const latest: KeptGarden['latest'] = {};
  plants.forEach(({ key }, index) => {
    latest[key] = rows[index] ?? null;
  });
  const now = Date.now();
  const counts = countPlants(
    all.map(({ record }) => toPlant(record, now)),
    now,
  );
  endStart();
  const session = getSession();
  if (session.status !== 'signed-in' || session.db !== db) return;
  keepGarden(session.token, { dbName: db.name, build }, { plants, latest, counts });
}

function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 5_000 });
  else work();
}
