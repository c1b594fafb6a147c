import {
  doublePrecision,
  foreignKey,
  integer,
  pgTable,
  primaryKey,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from '../../database/moments.ts';
import { plants } from '../../plants/schema.ts';

/** Four columns for each measure. If a measure was not reported, its count is 0 and the other three are null. */
const rollUpColumns = {
  soil_humidity_min: doublePrecision('soil_humidity_min'),
  soil_humidity_max: doublePrecision('soil_humidity_max'),
  soil_humidity_sum: doublePrecision('soil_humidity_sum'),
  soil_humidity_count: integer('soil_humidity_count').notNull(),
  air_humidity_min: doublePrecision('air_humidity_min'),
  air_humidity_max: doublePrecision('air_humidity_max'),
  air_humidity_sum: doublePrecision('air_humidity_sum'),
  air_humidity_count: integer('air_humidity_count').notNull(),
  temperature_min: doublePrecision('temperature_min'),
  temperature_max: doublePrecision('temperature_max'),
  temperature_sum: doublePrecision('temperature_sum'),
  temperature_count: integer('temperature_count').notNull(),
  luminance_min: doublePrecision('luminance_min'),
  luminance_max: doublePrecision('luminance_max'),
  luminance_sum: doublePrecision('luminance_sum'),
  luminance_count: integer('luminance_count').notNull(),
};

function rollUpTable(name: string) {
  return pgTable(
    name,
    {
      userId: uuid('user_id').notNull(),
      plantId: uuid('plant_id').notNull(),
      /** Start of the hour or of the day. */
      start: moment('start').notNull(),
      ...rollUpColumns,
    },
    (table) => [
      primaryKey({ columns: [table.userId, table.plantId, table.start] }),
      foreignKey({
        columns: [table.userId, table.plantId],
        foreignColumns: [plants.userId, plants.id],
      }).onDelete('cascade'),
    ],
  );
}

/** A summary of a plant's readings of one hour (UTC). Kept forever, also after the readings are deleted. */
export const readingHours = rollUpTable('reading_hours');

/**
 * A summary of a plant's readings of one day in UTC+7, whatever the account's time zone. Can be computed again from
 * reading_hours.
 */
export const readingDays = rollUpTable('reading_days');

/** How far the readings of a plant are rolled up. A plant without a row was never rolled up. */
export const rollupProgress = pgTable(
  'rollup_progress',
  {
    userId: uuid('user_id').notNull(),
    plantId: uuid('plant_id').notNull(),
    /** The end of the last hour that was rolled up. Newer readings are in no roll-up. */
    rolledUntil: moment('rolled_until').notNull(),
    /** Readings before this time may have been deleted, so roll-ups of hours before it must not be replaced. */
    keptFrom: moment('kept_from'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.plantId] }),
    foreignKey({
      columns: [table.userId, table.plantId],
      foreignColumns: [plants.userId, plants.id],
    }).onDelete('cascade'),
  ],
);

/** Hours to roll up again, because a reading arrived late or was replaced. */
export const rollupDue = pgTable(
  'rollup_due',
  {
    userId: uuid('user_id').notNull(),
    plantId: uuid('plant_id').notNull(),
    hour: moment('hour').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.plantId, table.hour] }),
    foreignKey({
      columns: [table.userId, table.plantId],
      foreignColumns: [plants.userId, plants.id],
    }).onDelete('cascade'),
  ],
);
