import { and, eq, sql } from 'drizzle-orm';
import { dayMs } from '#domain/time.ts';
import { nextWateringDate } from '#domain/watering/schedule.ts';
import type { Queryable, Transaction } from '../database/transaction.ts';
import { plants } from '../plants/schema.ts';

type PlantRow = typeof plants.$inferSelect;

/** The newest entries of a plant's journal that its dates derive from. */
export interface JournalDates {
  watered: Date | null;
  fertilized: Date | null;
  snoozedAt: Date | null;
  snoozedDays: number | null;
}

export async function readDates(
  db: Queryable,
  { userId, id }: Pick<PlantRow, 'userId' | 'id'>,
): Promise<JournalDates> {
  const { rows } = await db.query<JournalDates>({
    name: 'journal-dates',
    text: `SELECT
        (SELECT max(watered_at) FROM waterings
          WHERE user_id = $1 AND plant_id = $2 AND removed_at IS NULL) AS watered,
        (SELECT max(at) FROM journal_entries
          WHERE user_id = $1 AND plant_id = $2 AND type = 'fertilized') AS fertilized,
        s.at AS "snoozedAt", s.days AS "snoozedDays"
      FROM plants p LEFT JOIN LATERAL (
        SELECT at, days FROM journal_entries
        WHERE user_id = $1 AND plant_id = $2 AND type = 'snoozed'
        ORDER BY at DESC, id DESC LIMIT 1
      ) s ON true
      WHERE p.user_id = $1 AND p.id = $2`,
    values: [userId, id],
  });
  return rows[0] ?? { watered: null, fertilized: null, snoozedAt: null, snoozedDays: null };
}

/**
 * Updates a locked plant after a change of its journal: derives its dates again, increments its versions and sets the
 * columns of `more`. `before`: the dates before the change, if an entry was moved or removed. A date of the plant that
 * was newer than every entry before the change does not come from the journal, so it is kept.
 */
export async function updateDates(
  tx: Transaction,
  plant: PlantRow,
  { before, more = {} }: { before?: JournalDates; more?: Partial<PlantRow> } = {},
): Promise<void> {
  const { userId, id } = plant;
  const after = await readDates(tx.$client, plant);
  const known = before ?? after;
  const lastWatered = newest(after.watered, notFromJournal(known.watered, plant.last_watered));
  const snoozedUntil = endOfSnooze(after, lastWatered);
  const due = {
    last_watered: lastWatered?.toISOString() ?? null,
    date_added: plant.date_added.toISOString(),
    watering_frequency: plant.watering_frequency,
    snoozed_until: snoozedUntil?.toISOString(),
  };
  await tx
    .update(plants)
    .set({
      last_watered: lastWatered,
      last_fertilized: newest(
        after.fertilized,
        notFromJournal(known.fertilized, plant.last_fertilized),
      ),
      snoozed_until: snoozedUntil,
      next_watering_date: new Date(nextWateringDate(due)),
      ...raisedVersions,
      ...more,
    })
    .where(and(eq(plants.userId, userId), eq(plants.id, id)));
}

/** The columns that every change of a plant's journal or photos increments. */
export const raisedVersions = {
  version: sql`${plants.version} + 1`,
  journal_version: sql`${plants.journal_version} + 1`,
};

/** The date if it is newer than every entry of the journal, so that it cannot come from one; otherwise null. */
function notFromJournal(newestEntry: Date | null, date: Date | null): Date | null {
  return date && (!newestEntry || date > newestEntry) ? date : null;
}

function newest(a: Date | null, b: Date | null): Date | null {
  return a && b ? new Date(Math.max(a.getTime(), b.getTime())) : (a ?? b);
}

/** A snooze counts until the plant is watered. */
function endOfSnooze(dates: JournalDates, lastWatered: Date | null): Date | null {
  const { snoozedAt, snoozedDays } = dates;
  if (!snoozedAt || snoozedDays === null) return null;
  if (lastWatered && lastWatered >= snoozedAt) return null;
  return new Date(snoozedAt.getTime() + snoozedDays * dayMs);
}
