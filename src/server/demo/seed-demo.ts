import { and, eq, max, sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { healthFromReadings } from '#domain/plant/health.ts';
import { measures, type ReadingLog } from '#domain/reading/reading.ts';
import { dayMs } from '#domain/time.ts';
import { nextWateringDate } from '#domain/watering/schedule.ts';
import { ensureAccount, findAccount } from '../accounts/sign-in-names.ts';
import type { Database } from '../database/database.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import { changeStatement } from '../plants/changes.ts';
import { plants } from '../plants/schema.ts';
import { sensorLogs } from '../readings/schema.ts';
import { waterings } from '../watering/schema.ts';
import { type DemoClimate, type DemoPlant, indoors } from './demo-plant.ts';
import { gardenPlants } from './garden-plants.ts';
import { demoReadings, demoWaterings, type SimulateHistory } from './history.ts';
import { housePlants } from './house-plants.ts';
import { insertJournal } from './insert-journal.ts';
import { demoAmounts } from './stories.ts';

export const demoAccount = {
  email: 'demo@sprig.local',
  password: 'demo-garden',
  username: 'Demo Gardener',
};

/** ml per run of the pump */
const pumpRun = 150;

/**
 * Inserts the demo account with its plants and their history, in one transaction. False when the account exists
 * already, also if another process has inserted it meanwhile.
 */
export async function insertDemo(options: {
  db: Database;
  now: Date;
  hashPassword: (password: string) => Promise<string>;
  simulateHistory: SimulateHistory;
}): Promise<boolean> {
  const { db, now, hashPassword, simulateHistory } = options;
  if (await findAccount(db.orm, demoAccount.email)) return false;
  const passwordHash = await hashPassword(demoAccount.password);
  return await transaction(db, async (tx) => {
    const { email, username } = demoAccount;
    const person = { id: uuidv7(), email, username, passwordHash, isVerified: true };
    // A second process waits here for the first one and then inserts nothing.
    const { account, isNew } = await ensureAccount(tx, { ...person, createdAt: now });
    if (!isNew) return false;
    const userId = account.id;
    for (const plant of demoPlants) {
      const readings = demoReadings(plant, now.getTime(), simulateHistory);
      const plantId = await insertPlant(tx, { userId, plant, readings, now });
      await insertReadings(tx, userId, plantId, readings);
      await insertWaterings(tx, { userId, plantId, plant, readings, now });
      await insertJournal(tx, { userId, plantId, plant, now });
    }
    await recordPlants(tx, userId, now);
    return true;
  });
}

async function recordPlants(tx: Transaction, userId: string, now: Date): Promise<void> {
  const inserted = await tx.select({ id: plants.id }).from(plants).where(eq(plants.userId, userId));
  for (const { id } of inserted) {
    const [newest] = await tx
      .select({ ts: max(sensorLogs.ts) })
      .from(sensorLogs)
      .where(and(eq(sensorLogs.userId, userId), eq(sensorLogs.plantId, id)));
    const change = { now, readingAt: newest?.ts ?? null };
    await tx.$client.query(changeStatement({ userId, id }, change));
  }
}

interface Planted {
  userId: string;
  plant: DemoPlant;
  readings: readonly ReadingLog[];
  now: Date;
}

async function insertPlant(
  tx: Transaction,
  { userId, plant, readings, now }: Planted,
): Promise<string> {
  const id = uuidv7();
  const { fields, daysOld, fertilizedDaysAgo } = plant;
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);
  const added = daysAgo(daysOld);
  const watered = demoWaterings(plant, now.getTime()).at(-1);
  const lastWatered = watered === undefined ? null : new Date(watered);
  const due = nextWateringDate({
    last_watered: lastWatered?.toISOString() ?? null,
    date_added: added.toISOString(),
    watering_frequency: fields.watering_frequency,
  });
  await tx.insert(plants).values({
    ...fields,
    userId,
    id,
    date_added: added,
    last_watered: lastWatered,
    // Not 0, so that the app fetches the journal even of a plant that was never watered or fertilized.
    journal_version: 1,
    next_watering_date: new Date(due),
    last_fertilized: fertilizedDaysAgo === null ? null : daysAgo(fertilizedDaysAgo),
    health_status: healthFromReadings(fields, readings.toReversed(), now.getTime()),
  });
  return id;
}

/** One statement, because there may be thousands of readings. */
async function insertReadings(
  tx: Transaction,
  userId: string,
  plantId: string,
  readings: readonly ReadingLog[],
): Promise<void> {
  const column = (name: keyof ReadingLog) => sql.param(readings.map((reading) => reading[name]));
  const values = measures.map((measure) => sql`${column(measure)}::float8[]`);
  await tx.execute(sql`
    INSERT INTO sensor_logs (user_id, plant_id, ts, ${sql.raw(measures.join(', '))})
    SELECT ${userId}::uuid, ${plantId}::uuid, * FROM unnest(
      ${column('timestamp')}::timestamptz[], ${sql.join(values, sql`, `)})`);
}

async function insertWaterings(
  tx: Transaction,
  { userId, plantId, plant, readings, now }: Planted & { plantId: string },
): Promise<void> {
  const { by } = plant.watering;
  const rows = demoWaterings(plant, now.getTime()).map((moment) => ({
    userId,
    plantId,
    id: uuidv7(),
    wateredAt: new Date(moment),
    source: by,
    amountMl: by === 'auto' ? pumpRun : (demoAmounts[plant.fields.nickname] ?? null),
    soilBefore: lastBefore(readings, moment)?.soil_humidity ?? null,
  }));
  if (rows.length > 0) await tx.insert(waterings).values(rows);
}

function lastBefore(readings: readonly ReadingLog[], moment: number): ReadingLog | undefined {
  return readings.findLast(({ timestamp }) => Date.parse(timestamp) < moment);
}

/** Twelve plants that together show every health status. */
export const demoPlants: readonly DemoPlant[] = [...housePlants, ...gardenPlants];

const ordinaryRoom = indoors({
  seed: 99,
  lux: 8_000,
  warmth: 25,
  air: 58,
  drying: 7,
  holds: 62,
});

/**
 * The climate of a plant in the demo account, found by its device. A plant whose device is not in `demoPlants` has the
 * climate of an ordinary room.
 */
export function climateOf(plant: { device_id?: string | null | undefined }): DemoClimate {
  const known = demoPlants.find(({ fields }) => fields.device_id === plant.device_id);
  return known?.climate ?? ordinaryRoom;
}
