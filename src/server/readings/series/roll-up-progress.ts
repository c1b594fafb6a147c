import type pg from 'pg';
import type { PlantKey } from '../../plants/schema.ts';
import { hourOf } from './summaries.ts';

/** How far a plant's readings are rolled up; see rollupProgress. */
export interface Progress {
  rolledUntil: Date;
  keptFrom: Date | null;
}

/**
 * Locks the plant, so that it is not deleted meanwhile, and then its progress. Null if the plant has no readings, was
 * deleted, or is being rolled up by another process.
 */
export async function lockProgress(
  client: pg.PoolClient,
  plant: PlantKey,
): Promise<Progress | null> {
  // Not FOR UPDATE, which would make new readings of the plant wait.
  const { rowCount } = await client.query({
    name: 'roll-up-plant',
    text: 'SELECT FROM plants WHERE user_id = $1 AND id = $2 FOR KEY SHARE',
    values: [plant.userId, plant.id],
  });
  if (!rowCount) return null;
  const progress = await readLocked(client, plant);
  if (progress) return progress;
  // There is none yet, or another process has locked it.
  const isBegun = await beginProgress(client, plant);
  return isBegun ? await readLocked(client, plant) : null;
}

async function readLocked(client: pg.PoolClient, plant: PlantKey): Promise<Progress | null> {
  const { rows } = await client.query<Progress>({
    name: 'roll-up-lock',
    text: `SELECT rolled_until AS "rolledUntil", kept_from AS "keptFrom" FROM rollup_progress
      WHERE user_id = $1 AND plant_id = $2 FOR UPDATE SKIP LOCKED`,
    values: [plant.userId, plant.id],
  });
  return rows[0] ?? null;
}

/** Begins at the oldest reading; false if there are no readings. */
async function beginProgress(client: pg.PoolClient, plant: PlantKey): Promise<boolean> {
  const oldest = await nextReadingHour(client, plant, new Date(0));
  if (!oldest) return false;
  await client.query({
    name: 'roll-up-begin',
    text: `INSERT INTO rollup_progress (user_id, plant_id, rolled_until) VALUES ($1, $2, $3)
      ON CONFLICT (user_id, plant_id) DO NOTHING`,
    values: [plant.userId, plant.id, oldest],
  });
  return true;
}

/**
 * Begins again at the oldest reading, or at `until` if no reading is older. A `keptFrom` later than `until` becomes
 * `until`, so that roll-ups of later hours can be replaced.
 */
export async function restartProgress(
  client: pg.PoolClient,
  plant: PlantKey,
  { keptFrom }: Progress,
  until: Date,
): Promise<Progress> {
  const oldest = await nextReadingHour(client, plant, new Date(0));
  const progress = {
    rolledUntil: oldest && oldest < until ? oldest : until,
    keptFrom: keptFrom && keptFrom > until ? until : keptFrom,
  };
  await client.query({
    name: 'roll-up-restart',
    text: `UPDATE rollup_progress SET rolled_until = $3, kept_from = $4
      WHERE user_id = $1 AND plant_id = $2`,
    values: [plant.userId, plant.id, progress.rolledUntil, progress.keptFrom],
  });
  return progress;
}

export async function setRolledUntil(
  client: pg.PoolClient,
  plant: PlantKey,
  rolledUntil: Date,
): Promise<void> {
  await client.query({
    name: 'roll-up-end',
    text: 'UPDATE rollup_progress SET rolled_until = $3 WHERE user_id = $1 AND plant_id = $2',
    values: [plant.userId, plant.id, rolledUntil],
  });
}

/** The hour of the plant's first reading since `from`; null if there is none. */
export async function nextReadingHour(
  client: pg.PoolClient,
  plant: PlantKey,
  from: Date,
): Promise<Date | null> {
  const { rows } = await client.query<{ hour: Date | null }>({
    name: 'roll-up-next',
    text: `SELECT ${hourOf('min(ts)')} AS hour FROM sensor_logs
      WHERE user_id = $1 AND plant_id = $2 AND ts >= $3`,
    values: [plant.userId, plant.id, from],
  });
  return rows[0]?.hour ?? null;
}
