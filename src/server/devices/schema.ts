import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { userId } from '../accounts/schema.ts';
import { moment } from '../database/moments.ts';

/** Long-lived tokens that let a device post the readings of one device_id. Only hashes are stored. */
export const deviceTokens = pgTable(
  'device_tokens',
  {
    userId: userId(),
    id: uuid('id').notNull(),
    deviceId: text('device_id').notNull(),
    /** SHA-256 of the token, base64url. */
    tokenHash: text('token_hash').notNull(),
    createdAt: moment('created_at').notNull(),
    lastUsedAt: moment('last_used_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    // Tokens of version 0.1 contain no account id, so they are found by their hash alone.
    index('device_tokens_hash').on(table.tokenHash),
  ],
);
