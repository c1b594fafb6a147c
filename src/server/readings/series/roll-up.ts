import type pg from 'pg';
import { dayMs, defaultOffsetMs, hourMs } from '#domain/time.ts';
import type { Database } from '../../database/database.ts';
import { transaction } from '../../database/transaction.ts';
import { dayOf, fromReadings, fromRollups, hourOf, summaryColumns } from './summaries.ts';

export interface PlantRef {
  userId: string;
  plantId: string;
}

/** Limits of one step, so that its transaction is short. */
const stepMs = 14 * dayMs;
const dueHoursAtOnce = 200;

/**
 * Once a day the hours of this period are rolled up again, because a server of version 0.1 stores late readings without
 * marking their hours.
 */
const repeatedMs = 48 * hourMs;

/**
 * Rolls up some of a plant's readings before `until`, the start of an hour: first hours that are due again, then those
 * after the last one. Resolves to whether more steps are needed. A step is one transaction, so it has no effect if it
 * is killed. Does nothing while another process rolls up the plant.
 */
export async function rollUpStep(db: Database, plant: PlantRef, until: Date): Promise<boolean> {
  return await transaction(db, async ({ $client }) => {
    const progress = await lockProgress($client, plant);
    if (!progress) return false;
    const due = await takeDueHours($client, plant);
    // Later hours have not been rolled up yet; the next statements or steps do so with all of their readings.
    const again = due.filter((hour) => hour < progress.rolledUntil);
    for (const span of spansOf(again)) await rollUp($client, plant, span, progress.keptFrom);
    const rolledUntil = await rollUpNext($client, plant, progress, until);
    return due.length === dueHoursAtOnce || rolledUntil < until;
  });
}

interface Progress {
  rolledUntil: Date;
  keptFrom: Date | null;
}

/**
 * Locks the plant, so that it is not deleted meanwhile, and then its progress, which begins at its oldest reading. Null
 * if the plant has no readings, was deleted, or is being rolled up by another process.
 */
async function lockProgress(client: pg.PoolClient, plant: PlantRef): Promise<Progress | null> {
  const values = [plant.userId, plant.plantId];
  // Not FOR UPDATE, which would make new readings of the plant wait.
  const { rowCount } = await client.query({
    name: 'roll-up-plant',
    text: 'SELECT FROM plants WHERE user_id = $1 AND id = $2 FOR KEY SHARE',
    values,
  });
  if (!rowCount) return null;
  const lock = {
    name: 'roll-up-lock',
    text: `SELECT rolled_until AS "rolledUntil", kept_from AS "keptFrom" FROM rollup_progress
      WHERE user_id = $1 AND plant_id = $2 FOR UPDATE SKIP LOCKED`,
    values,
  };
  const { rows } = await client.query<Progress>(lock);
  if (rows[0]) return rows[0];
  const oldest = await nextReadingHour(client, plant, new Date(0));
  if (!oldest) return null;
  await client.query({
    name: 'roll-up-begin',
    text: `INSERT INTO rollup_progress (user_id, plant_id, rolled_until) VALUES ($1, $2, $3)
      ON CONFLICT (user_id, plant_id) DO NOTHING`,
    values: [...values, oldest],
  });
  return (await client.query<Progress>(lock)).rows[0] ?? null;
}

/**
 * Deletes the marks of due hours and resolves to the hours. Marks that another transaction is setting are left for the
 * next run. A transaction that sets one later waits for this one and then marks the hour again, so no reading is
 * missed.
 */
async function takeDueHours(client: pg.PoolClient, plant: PlantRef): Promise<Date[]> {
  const { rows } = await client.query<{ hour: Date }>({
    name: 'roll-up-due',
    text: `DELETE FROM rollup_due WHERE user_id = $1 AND plant_id = $2 AND hour = ANY (ARRAY(
      SELECT hour FROM rollup_due WHERE user_id = $1 AND plant_id = $2
      ORDER BY hour LIMIT ${dueHoursAtOnce} FOR UPDATE SKIP LOCKED)) RETURNING hour`,
    values: [plant.userId, plant.plantId],
  });
  return rows.map(({ hour }) => hour);
}

interface Span {
  from: Date;
  to: Date;
}

/** Joins successive hours into spans. */
export function spansOf(hours: readonly Date[]): Span[] {
  const spans: Span[] = [];
  for (const from of hours.toSorted((a, b) => a.getTime() - b.getTime())) {
    const to = new Date(from.getTime() + hourMs);
    const last = spans.at(-1);
    if (last?.to.getTime() === from.getTime()) last.to = to;
    else spans.push({ from, to });
  }
  return spans;
}

/** Rolls up the hours after the last one, for one step. Resolves to the new end of the rolled-up time. */
async function rollUpNext(
  client: pg.PoolClient,
  plant: PlantRef,
  { rolledUntil, keptFrom }: Progress,
  until: Date,
): Promise<Date> {
  if (rolledUntil >= until) return rolledUntil;
  const next = await nextReadingHour(client, plant, rolledUntil);
  const from = next && next < until ? next : until;
  const to = new Date(Math.min(until.getTime(), from.getTime() + stepMs));
  const isNewDay = dayNumber(rolledUntil) < dayNumber(to);
  const repeated = isNewDay ? new Date(to.getTime() - repeatedMs) : from;
  if (from < to) await rollUp(client, plant, { from: earlier(repeated, from), to }, keptFrom);
  await client.query({
    name: 'roll-up-end',
    text: 'UPDATE rollup_progress SET rolled_until = $3 WHERE user_id = $1 AND plant_id = $2',
    values: [plant.userId, plant.plantId, to],
  });
  return to;
}

function dayNumber(moment: Date): number {
  return Math.floor((moment.getTime() + defaultOffsetMs) / dayMs);
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

async function nextReadingHour(client: pg.PoolClient, plant: PlantRef, from: Date) {
  const { rows } = await client.query<{ hour: Date | null }>({
    name: 'roll-up-next',
    text: `SELECT ${hourOf('min(ts)')} AS hour FROM sensor_logs
      WHERE user_id = $1 AND plant_id = $2 AND ts >= $3`,
    values: [plant.userId, plant.plantId, from],
  });
  return rows[0]?.hour ?? null;
}

/**
 * Rolls up the hours of a span and then their days. Hours whose readings may have been deleted are only added, never
 * replaced.
 */
async function rollUp(
  client: pg.PoolClient,
  plant: PlantRef,
  { from, to }: Span,
  keptFrom: Date | null,
): Promise<void> {
  const values = [plant.userId, plant.plantId, from, to];
  await client.query({ name: 'roll-up-hours', text: hours, values: [...values, keptFrom] });
  await client.query({ name: 'roll-up-days', text: days, values });
}

const replaced = summaryColumns.map((column) => `${column} = excluded.${column}`).join(', ');

/**
 * SQL: $1 account, $2 plant, $3 and $4 a span of whole hours, $5 the time from which the readings are complete, or
 * null.
 */
const hours = `INSERT INTO reading_hours AS known (user_id, plant_id, start, ${summaryColumns.join(', ')})
  SELECT user_id, plant_id, ${hourOf('ts')}, ${fromReadings}
  FROM sensor_logs WHERE user_id = $1 AND plant_id = $2 AND ts >= $3 AND ts < $4
  GROUP BY user_id, plant_id, ${hourOf('ts')}
  ON CONFLICT (user_id, plant_id, start) DO UPDATE SET ${replaced}
    WHERE known.start >= coalesce($5::timestamptz, '-infinity')`;

/** SQL: the days of such a span, each from all of its hours. */
const days = `INSERT INTO reading_days (user_id, plant_id, start, ${summaryColumns.join(', ')})
  SELECT user_id, plant_id, ${dayOf('start')}, ${fromRollups}
  FROM reading_hours WHERE user_id = $1 AND plant_id = $2
    AND start >= ${dayOf('$3::timestamptz')} AND start < ${dayOf('$4::timestamptz')} + interval '1 day'
  GROUP BY user_id, plant_id, ${dayOf('start')}
  ON CONFLICT (user_id, plant_id, start) DO UPDATE SET ${replaced}`;
