import {
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from '../database/columns.ts';

/** Accounts and what is kept for them beside their plants. Ids are made by the application (UUIDv7). */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    /** As typed, for mails. */
    email: text('email').notNull(),
    /** Trimmed and lower-cased: what an account is found and kept unique by. */
    emailKey: text('email_key').notNull(),
    username: text('username').notNull(),
    usernameKey: text('username_key').notNull(),
    passwordHash: text('password_hash').notNull(),
    isVerified: boolean('is_verified').notNull().default(false),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('users_email_key').on(table.emailKey),
    index('users_username_key').on(table.usernameKey),
  ],
);

/** user_id leads every key: it is the ownership check, and what an existing engine would distribute by. */
export function userId() {
  return uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });
}

export const sessions = pgTable(
  'sessions',
  {
    userId: userId(),
    id: uuid('id').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('sessions_end').on(table.expiresAt),
  ],
);

/** What a link in a mail proves itself by. Only hashes are kept: reading this table opens no account. */
export const accountTokens = pgTable(
  'account_tokens',
  {
    userId: userId(),
    /** SHA-256 of the token in the link, base64url. */
    tokenHash: text('token_hash').notNull(),
    kind: text('kind').$type<'verify' | 'reset'>().notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.tokenHash] }),
    // The only way in without an account's id.
    index('account_tokens_hash').on(table.tokenHash),
    index('account_tokens_end').on(table.expiresAt),
  ],
);

/** Long-lived ways in for devices, each for the readings of one device_id. Only hashes are kept. */
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
    // A device knows no account's id.
    index('device_tokens_hash').on(table.tokenHash),
  ],
);

/** Attempts counted per kind, account and address, so that several processes count together. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    /** A hash: neither address nor identifier can be read from it. */
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    resetsAt: moment('resets_at').notNull(),
  },
  (table) => [index('rate_limits_end').on(table.resetsAt)],
);

/** The answer to a keyed request, stored in the transaction of its effect. */
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

/** Mails that wait to be sent. A sent one is deleted: it holds an address and a link that opens something. */
export const mailOutbox = pgTable(
  'mail_outbox',
  {
    id: uuid('id').primaryKey(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    link: text('link').notNull(),
    createdAt: moment('created_at').notNull(),
    nextAt: moment('next_at').notNull(),
    /** From then on its link is dead, and it is dropped instead of sent. */
    expiresAt: moment('expires_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
  },
  (table) => [index('mail_outbox_due').on(table.nextAt)],
);
