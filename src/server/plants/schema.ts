import { and, eq, type SQL, sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { ServerHealth } from '#domain/plant/health.ts';
import type { WaitReason } from '#domain/watering/rule.ts';
import { userId } from '../accounts/schema.ts';
import { moment } from '../database/moments.ts';

export const plants = pgTable(
  'plants',
  {
    userId: userId(),
    id: uuid('id').notNull(),
    /** Incremented by every edit and every change of the journal or the photos; part of the plant's ETag. */
    version: integer('version').notNull().default(1),
    nickname: text('nickname').notNull(),
    plant_name: text('plant_name').notNull(),
    category: text('category').notNull(),
    species: text('species').notNull(),
    location: text('location'),
    description: text('description'),
    watering_frequency: doublePrecision('watering_frequency').notNull(),
    sunlight_requirements: text('sunlight_requirements').notNull(),
    fertilizer_schedule: text('fertilizer_schedule').notNull(),
    ideal_temperature_min: doublePrecision('ideal_temperature_min'),
    ideal_temperature_max: doublePrecision('ideal_temperature_max'),
    soil_humidity_threshold_min: doublePrecision('soil_humidity_threshold_min'),
    soil_humidity_threshold_max: doublePrecision('soil_humidity_threshold_max'),
    air_humidity_threshold_min: doublePrecision('air_humidity_threshold_min'),
    air_humidity_threshold_max: doublePrecision('air_humidity_threshold_max'),
    temperature_threshold_min: doublePrecision('temperature_threshold_min'),
    temperature_threshold_max: doublePrecision('temperature_threshold_max'),
    luminance_threshold_min: doublePrecision('luminance_threshold_min'),
    luminance_threshold_max: doublePrecision('luminance_threshold_max'),
    device_id: text('device_id'),
    auto_watering_enabled: boolean('auto_watering_enabled').notNull(),
    date_added: moment('date_added').notNull(),
    last_watered: moment('last_watered'),
    next_watering_date: moment('next_watering_date').notNull(),
    last_fertilized: moment('last_fertilized'),
    /** While the plant is snoozed, its next watering date is not before this; the next watering clears it. */
    snoozed_until: moment('snoozed_until'),
    /** Incremented by every change of the plant's journal or photos. */
    journal_version: integer('journal_version').notNull().default(0),
    /** The photo that is shown as the plant's picture. */
    photo_id: text('photo_id'),
    reminder_enabled: boolean('reminder_enabled').notNull().default(true),
    /** The digest lists the plant from this many days before the plant is due. */
    reminder_days_before: doublePrecision('reminder_days_before').notNull().default(0),
    /** As of the newest reading or edit; healthAt computes the health at a later time from it. */
    health_status: text('health_status').$type<ServerHealth>().notNull().default('Unknown'),
    /**
     * Why the last decision was not to water; null if it was to water, if automatic watering is off, or if there was
     * no decision since it was unlocked.
     */
    autoWateringReason: text('auto_watering_reason').$type<WaitReason>(),
    /** Time of the decision that first gave this reason. */
    autoWateringReasonSince: moment('auto_watering_reason_since'),
    /** Servers before 0.2 keep the reason's words here. Unused, and kept because migrations only add. */
    autoWateringNote: text('auto_watering_note'),
    /** Set when too many commands had no effect; a watering by hand or an edit clears it. */
    autoWateringLocked: boolean('auto_watering_locked').notNull().default(false),
    /**
     * When a watering by hand or an edit last unlocked automatic watering. Failed commands before it do not count. The
     * API's `auto_watering_since` is something else: see `autoWateringReasonSince`.
     */
    unlockedAt: moment('auto_watering_since'),
    /** Time of the edit that last replaced or removed the device; null if none did. */
    deviceSince: moment('device_since'),
    /** The same, also when a device is attached to a plant without one. Older servers set only `deviceSince`. */
    deviceChangedAt: moment('device_changed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('plants_device').on(table.userId, table.device_id),
  ],
);

/** Numbers the changes of an account's plants and readings, in the order of their commits. */
export const changeCounters = pgTable('change_counters', {
  userId: userId().primaryKey(),
  last: bigint('last', { mode: 'number' }).notNull(),
  /** The highest change number among the deleted rows of plant_changes. No delta can start from an earlier change. */
  forgotten: bigint('forgotten', { mode: 'number' }).notNull().default(0),
});

export type PlantRow = typeof plants.$inferSelect;

/** A plant's id together with that of its account. */
export type PlantKey = Pick<PlantRow, 'userId' | 'id'>;

/** The condition for the row of a plant. */
export function isPlant({ userId, id }: PlantKey): SQL | undefined {
  return and(eq(plants.userId, userId), eq(plants.id, id));
}

/** The newest change of every plant. A narrow table, because every pull of every browser reads the account's rows. */
export const plantChanges = pgTable(
  'plant_changes',
  {
    userId: userId(),
    plantId: uuid('plant_id').notNull(),
    /** Not indexed, so that an update stays in its page and writes no index. */
    change: bigint('change', { mode: 'number' }).notNull(),
    /** The newest change of the record. Readings alone change it only if they follow a gap, see gapSince. */
    recordChange: bigint('record_change', { mode: 'number' }).notNull(),
    lastReadingAt: moment('last_reading_at'),
    /** Set when the plant was deleted; the row is deleted 30 days later. */
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.plantId] }),
    index('plant_changes_deleted').on(table.deletedAt).where(sql`deleted_at IS NOT NULL`),
  ],
);
