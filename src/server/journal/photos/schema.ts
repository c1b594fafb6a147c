import {
  customType,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from '../../database/moments.ts';
import { plants } from '../../plants/schema.ts';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Photos with their bytes. PostgreSQL stores the bytes outside the row, so that lists of photos do not read them. */
export const photos = pgTable(
  'photos',
  {
    userId: uuid('user_id').notNull(),
    id: uuid('id').notNull(),
    plantId: uuid('plant_id').notNull(),
    entryId: uuid('entry_id'),
    takenAt: moment('taken_at').notNull(),
    /** Of the full size, pixels. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** SHA-256 of both sizes; a repeated upload has the same. */
    hash: text('hash').notNull(),
    /** Both null once the photo was deleted. The row stays, so that a late repeated upload does not bring it back. */
    full: bytea('full_jpeg'),
    small: bytea('small_jpeg'),
    deletedAt: moment('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('photos_of_plant').on(table.userId, table.plantId, table.takenAt),
    foreignKey({
      columns: [table.userId, table.plantId],
      foreignColumns: [plants.userId, plants.id],
    }).onDelete('cascade'),
  ],
);
