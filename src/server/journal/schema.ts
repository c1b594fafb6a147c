import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { EntryType, NotWateredReason } from '#domain/journal/entry.ts';
import { moment } from '../database/moments.ts';
import { plants } from '../plants/schema.ts';

/** Entries of plants' journals other than waterings, which have a table of their own. */
export const journalEntries = pgTable(
  'journal_entries',
  {
    userId: uuid('user_id').notNull(),
    plantId: uuid('plant_id').notNull(),
    id: uuid('id').notNull(),
    type: text('type').$type<Exclude<EntryType, 'watered'>>().notNull(),
    at: moment('at').notNull(),
    note: text('note'),
    /** snoozed: ask again after this many days */
    days: integer('days'),
    /** not_watered: why */
    reason: text('reason').$type<NotWateredReason>(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.plantId, table.id] }),
    index('journal_entries_by_moment').on(table.userId, table.plantId, table.at),
    foreignKey({
      columns: [table.userId, table.plantId],
      foreignColumns: [plants.userId, plants.id],
    }).onDelete('cascade'),
  ],
);
