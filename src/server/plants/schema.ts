import {
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { userId } from '../accounts/schema.ts';
import { moment } from '../database/columns.ts';

export const plants = pgTable(
  'plants',
  {
    userId: userId(),
    id: uuid('id').notNull(),
    /** Raised by every edit and watering; the plant's ETag. */
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
    reminder_enabled: boolean('reminder_enabled').notNull().default(false),
    /** As of the newest reading; a reading older than 24 h makes it Unknown when read. */
    health_status: text('health_status').notNull().default('Unknown'),
    /** Why the last decision was not to water; null when it was, or was never asked for. */
    auto_watering_note: text('auto_watering_note'),
    /** Set when too many commands had no effect; a hand watering or an edit unsets it. */
    autoWateringLocked: boolean('auto_watering_locked').notNull().default(false),
    /** From then on commands without effect are counted. */
    autoWateringSince: moment('auto_watering_since'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('plants_device').on(table.userId, table.device_id),
  ],
);

export const sensorLogs = pgTable(
  'sensor_logs',
  {
    userId: uuid('user_id').notNull(),
    plantId: uuid('plant_id').notNull(),
    ts: moment('ts').notNull(),
    soil_humidity: doublePrecision('soil_humidity'),
    air_humidity: doublePrecision('air_humidity'),
    temperature: doublePrecision('temperature'),
    luminance: doublePrecision('luminance'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.plantId, table.ts] }),
    foreignKey({
      columns: [table.userId, table.plantId],
      foreignColumns: [plants.userId, plants.id],
    }).onDelete('cascade'),
  ],
);

/** Append-only: the truth of what was watered when. A plant's last_watered is its newest entry. */
export const waterings = pgTable(
  'waterings',
  {
    userId: uuid('user_id').notNull(),
    plantId: uuid('plant_id').notNull(),
    id: uuid('id').notNull(),
    wateredAt: moment('watered_at').notNull(),
    source: text('source').$type<'manual' | 'auto'>().notNull(),
    amountMl: doublePrecision('amount_ml'),
    soilBefore: doublePrecision('soil_before'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.plantId, table.id] }),
    index('waterings_by_moment').on(table.userId, table.plantId, table.wateredAt),
    foreignKey({
      columns: [table.userId, table.plantId],
      foreignColumns: [plants.userId, plants.id],
    }).onDelete('cascade'),
  ],
);

/** What devices were told to do and what they said became of it. Only a done one is a watering. */
export const wateringCommands = pgTable(
  'watering_commands',
  {
    userId: uuid('user_id').notNull(),
    plantId: uuid('plant_id').notNull(),
    id: uuid('id').notNull(),
    issuedAt: moment('issued_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    amountMl: doublePrecision('amount_ml').notNull(),
    /** Median soil humidity (%) that it was decided by. */
    soilBefore: doublePrecision('soil_before').notNull(),
    status: text('status').$type<'issued' | 'done' | 'failed'>().notNull().default('issued'),
    reportedMl: doublePrecision('reported_ml'),
    reportedAt: moment('reported_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.plantId, table.id] }),
    index('watering_commands_by_moment').on(table.userId, table.plantId, table.issuedAt),
    foreignKey({
      columns: [table.userId, table.plantId],
      foreignColumns: [plants.userId, plants.id],
    }).onDelete('cascade'),
  ],
);
