import type pg from 'pg';
import { dayMs, defaultOffsetMs, hourMs } from '#domain/time.ts';
import type { Database } from '../../database/database.ts';
import { transaction } from '../../database/transaction.ts';
import type { PlantKey } from '../../plants/schema.ts';
import {
  lockProgress,
  nextReadingHour,
  type Progress,
  restartProgress,
  setRolledUntil,
} from './roll-up-progress.ts';
import { dayOf, fromReadings, fromRollups, hourOf, summaryColumns } from './summaries.ts';

/*
 * A plant's readings are rolled up to hours, and hours to days. rollup_progress contains the time up to which this is
 * done. rollup_due contains the hours of readings that arrived late; those before that time are rolled up again. `until`
 * is the end of the last hour that ended an hour ago or earlier:
 *
 *              keptFrom                    due  due          rolledUntil                until
 *   ──────────────┼─────────────────────────┴────┴────────────────┼──────────────────────┼─────────▶ time
 *    old readings │   rolled up; the marked hours again           │  rolled up next,     │  later
 *    are deleted, │                                               │  at most 14 days     │
 *    hours stay   │                                               │  in one step         │
 *
 * A step is one transaction: it locks the plant's progress, deletes the marks of due hours, rolls these hours up, rolls
 * up the hours after rolledUntil, and stores the new rolledUntil. If it is killed, it has no effect.
 *
 * If rolledUntil is in the future, a server whose clock was ahead has stored it, and readings that arrived since then
 * may be in no roll-up. The plant is then rolled up again from its oldest reading.
 */

/**
 * How long after its end an hour is rolled up. A reading that arrives more than 15 minutes late adds its hour to
 * rollup_due. The other 45 minutes allow for transactions that commit late and for differences between clocks.
 */
const rollUpDelayMs = hourMs;

/** The end of the hours that may be rolled up at `now`. */
export function rollUpEnd(now: Date): Date {
  return new Date(Math.floor((now.getTime() - rollUpDelayMs) / hourMs) * hourMs);
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
 * Rolls up some of a plant's readings. Resolves to whether more steps are needed. Does nothing while another process
 * rolls up the plant.
 */
export async function rollUpStep(db: Database, plant: PlantKey, now: Date): Promise<boolean> {
  const until = rollUpEnd(now);
  return await transaction(db, async ({ $client }) => {
    const known = await lockProgress($client, plant);
    if (!known) return false;
    const isAhead = known.rolledUntil > now;
    const progress = isAhead ? await restartProgress($client, plant, known, until) : known;
    const hasMoreDue = await rollUpDueHours($client, plant, progress);
    const rolledUntil = await rollUpNextHours($client, plant, progress, until);
    return hasMoreDue || rolledUntil < until;
  });
}

/** Rolls up the hours that are due again. Resolves to whether there may be more than fit into one step. */
async function rollUpDueHours(
  client: pg.PoolClient,
  plant: PlantKey,
  { rolledUntil, keptFrom }: Progress,
): Promise<boolean> {
  const due = await takeDueHours(client, plant);
  // The next statements or steps roll up later hours, with all of their readings.
  const again = due.filter((hour) => hour < rolledUntil);
  for (const span of spansOf(again)) await rollUp(client, plant, span, keptFrom);
  return due.length === dueHoursAtOnce;
}

/**
 * Deletes the marks of due hours and resolves to the hours. Marks that another transaction is setting are left for the
 * next run. A transaction that marks one of these hours later waits for this transaction and then marks the hour again,
 * so no reading is missed.
 */
async function takeDueHours(client: pg.PoolClient, plant: PlantKey): Promise<Date[]> {
  const { rows } = await client.query<{ hour: Date }>({
    name: 'roll-up-due',
    text: `DELETE FROM rollup_due WHERE user_id = $1 AND plant_id = $2 AND hour = ANY (ARRAY(
      SELECT hour FROM rollup_due WHERE user_id = $1 AND plant_id = $2
      ORDER BY hour LIMIT ${dueHoursAtOnce} FOR UPDATE SKIP LOCKED)) RETURNING hour`,
    values: [plant.userId, plant.id],
  });
  return rows.map(({ hour }) => hour);
}

/** Whole hours. */
interface Span {
  from: Date;
  to: Date;
}

/** Joins successive hours into spans. */
function spansOf(hours: readonly Date[]): Span[] {
  const spans: Span[] = [];
  for (const from of hours.toSorted((a, b) => a.getTime() - b.getTime())) {
    const to = new Date(from.getTime() + hourMs);
    const last = spans.at(-1);
    if (last?.to.getTime() === from.getTime()) last.to = to;
    else spans.push({ from, to });
  }
  return spans;
}

/** Rolls up the hours after `rolledUntil`, at most those of one step. Resolves to the new `rolledUntil`. */
async function rollUpNextHours(
  client: pg.PoolClient,
  plant: PlantKey,
  { rolledUntil, keptFrom }: Progress,
  until: Date,
): Promise<Date> {
  if (rolledUntil >= until) return rolledUntil;
  const firstReading = await nextReadingHour(client, plant, rolledUntil);
  // Hours without readings need no step.
  const from = firstReading && firstReading < until ? firstReading : until;
  const to = earlier(until, new Date(from.getTime() + stepMs));
  const isNewDay = dayNumber(rolledUntil) < dayNumber(to);
  const repeatedFrom = isNewDay ? new Date(to.getTime() - repeatedMs) : from;
  if (from < to) await rollUp(client, plant, { from: earlier(repeatedFrom, from), to }, keptFrom);
  await setRolledUntil(client, plant, to);
  return to;
}

/** The day in UTC+7. */
function dayNumber(moment: Date): number {
  return Math.floor((moment.getTime() + defaultOffsetMs) / dayMs);
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

/**
 * Rolls up the hours of a span and then their days. Hours whose readings may have been deleted are only added, never
 * replaced.
 */
async function rollUp(
  client: pg.PoolClient,
  plant: PlantKey,
  { from, to }: Span,
  keptFrom: Date | null,
): Promise<void> {
  const values = [plant.userId, plant.id, from, to];
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

/**
 * SQL: stores the roll-ups of the days that the span touches, each computed from all hours of its day. $1 to $4 as
 * above.
 */
const days = `INSERT INTO reading_days (user_id, plant_id, start, ${summaryColumns.join(', ')})
  SELECT user_id, plant_id, ${dayOf('start')}, ${fromRollups}
  FROM reading_hours WHERE user_id = $1 AND plant_id = $2
    AND start >= ${dayOf('$3::timestamptz')} AND start < ${dayOf('$4::timestamptz')} + interval '24 hours'
  GROUP BY user_id, plant_id, ${dayOf('start')}
  ON CONFLICT (user_id, plant_id, start) DO UPDATE SET ${replaced}`;
