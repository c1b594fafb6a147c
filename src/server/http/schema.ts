import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { userId } from '../accounts/schema.ts';
import { moment } from '../database/moments.ts';

/**
 * Attempts at a call from an IP address, in total and for each target (identifier, email or token). Stored in the
 * database, so that the limits hold across all processes.
 */
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

/** The response to a request with an Idempotency-Key, stored in the same transaction as the changes of the request. */
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
