import {
  doublePrecision,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from '../database/moments.ts';
import { plants } from '../plants/schema.ts';

/**
 * Waterings, which are also entries of the plant's journal. The limits of automatic watering count every watering by
 * hand, also those that a person removed: `removedAt` hides a row from the journal only. When an edit changes the time
 * of a watering or reduces its amount, a hidden copy of the row keeps the old values. A watering and its copies with the
 * same time count as one watering of the highest amount. The pump's waterings are counted by their commands.
 */
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
    note: text('note'),
    removedAt: moment('removed_at'),
    /** Of a hidden copy: the id of the watering whose old values it keeps. */
    copyOf: uuid('copy_of'),
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

/** Commands to devices and what the devices reported about them. Only a command that is done is a watering. */
export const wateringCommands = pgTable(
  'watering_commands',
  {
    userId: uuid('user_id').notNull(),
    plantId: uuid('plant_id').notNull(),
    id: uuid('id').notNull(),
    issuedAt: moment('issued_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    amountMl: doublePrecision('amount_ml').notNull(),
    /** Median soil humidity (%) of the readings that led to the command. */
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
