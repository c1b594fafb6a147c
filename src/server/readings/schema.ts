import {
  bigint,
  doublePrecision,
  foreignKey,
  pgTable,
  primaryKey,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from '../database/moments.ts';
import { plants } from '../plants/schema.ts';

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
    /** The value of the account's change counter when this was stored; null for older rows. */
    change: bigint('change', { mode: 'number' }),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.plantId, table.ts] }),
    foreignKey({
      columns: [table.userId, table.plantId],
      foreignColumns: [plants.userId, plants.id],
    }).onDelete('cascade'),
  ],
);
