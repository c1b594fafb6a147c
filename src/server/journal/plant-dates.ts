import { sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { dayMs } from '#domain/time.ts';
import { nextWateringDate } from '#domain/watering/schedule.ts';
import type { Queryable, Transaction } from '../database/transaction.ts';
import { isPlant, type PlantRow, plants } from '../plants/schema.ts';

/*
 * A plant's dates derive from its journal:
 *
 *   last_watered, last_fertilized   the newest entry of that type
 *   snoozed_until                   the newest snooze, unless the plant was watered since
 *   next_watering_date              last_watered (or else date_added) plus the frequency; snoozed_until if it is later
 *
 * One exception: a plant may have a last_watered or last_fertilized without an entry, for example in the demo garden.
 * Such a date is newer than every entry, and is kept until an entry is newer, also when entries are moved or removed.
 * To recognize such a date, the plant's date is compared with the entries from before the change. A comparison with the
 * entries after the change would be wrong: if the newest entry was removed, the plant still has the date of that entry,
 * which is newer than all remaining entries.
 */

/** The newest entries of a plant's journal. */
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
 * columns of `more`. `before`: the dates before the change; required if an entry was moved or removed.
 */
export async function updateDates(
  tx: Transaction,
  plant: PlantRow,
  { before, more = {} }: { before?: JournalDates; more?: PgUpdateSetSource<typeof plants> } = {},
): Promise<void> {
  const after = await readDates(tx.$client, plant);
  await tx
    .update(plants)
    .set({ ...datesOf(plant, before ?? after, after), ...raisedVersions, ...more })
    .where(isPlant(plant));
}

/** The plant's date columns after its journal has changed. */
function datesOf(plant: PlantRow, before: JournalDates, after: JournalDates): Partial<PlantRow> {
  const { last_watered, last_fertilized, date_added, watering_frequency } = plant;
  const lastWatered = newest(after.watered, withoutEntry(last_watered, before.watered));
  const lastFertilized = newest(after.fertilized, withoutEntry(last_fertilized, before.fertilized));
  const snoozedUntil = endOfSnooze(after, lastWatered);
  const nextDate = nextWateringDate({
    last_watered: lastWatered?.toISOString() ?? null,
    date_added: date_added.toISOString(),
    watering_frequency,
    snoozed_until: snoozedUntil?.toISOString(),
  });
  return {
    last_watered: lastWatered,
    last_fertilized: lastFertilized,
    snoozed_until: snoozedUntil,
    next_watering_date: new Date(nextDate),
  };
}

/** The columns that every change of a plant's journal or photos increments. */
export const raisedVersions = {
  version: sql`${plants.version} + 1`,
  journal_version: sql`${plants.journal_version} + 1`,
};

/** The plant's date if it is newer than every entry, which means that it has no entry of its own; otherwise null. */
function withoutEntry(date: Date | null, newestEntry: Date | null): Date | null {
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
