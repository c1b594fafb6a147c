import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { userId } from '../accounts/schema.ts';
import { moment } from '../database/moments.ts';

/** Attempts per call and IP address, in total and per target. In the database, so that all processes count together. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    /** A hash of what is counted, so that the table contains neither addresses nor identifiers. */
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    resetsAt: moment('resets_at').notNull(),
  },
  (table) => [index('rate_limits_end').on(table.resetsAt)],
);

/** The response to a request with an Idempotency-Key, stored in the transaction of its effect. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: userId(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    status: integer('status'),
    etag: text('etag'),
    body: text('body'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('idempotency_keys_age').on(table.createdAt),
  ],
);
