import {
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { ReminderChannel, ReminderKind } from '#contract/settings/reminders.ts';
import { sessions, userId } from '../accounts/schema.ts';
import { moment } from '../database/moments.ts';

/**
 * An account's settings. An account without a row has those of `defaultsOf` (settings.ts); rows are inserted with all
 * columns, so the defaults below are not used. Times of day are minutes since midnight in the account's time zone.
 */
export const reminderSettings = pgTable(
  'reminder_settings',
  {
    userId: userId().primaryKey(),
    digestEnabled: boolean('digest_enabled').notNull().default(true),
    digestMinute: integer('digest_minute').notNull().default(540),
    alertsEnabled: boolean('alerts_enabled').notNull().default(true),
    quietFromMinute: integer('quiet_from_minute').notNull().default(1260),
    quietToMinute: integer('quiet_to_minute').notNull().default(480),
    pushEnabled: boolean('push_enabled').notNull().default(false),
    mailEnabled: boolean('mail_enabled').notNull().default(false),
    ntfyEnabled: boolean('ntfy_enabled').notNull().default(false),
    ntfyUrl: text('ntfy_url'),
    /**
     * When the digest was turned on, or its time or the quiet hours changed. One that was due earlier is not sent.
     * Null if such a change was made before the digest of its day.
     */
    digestFrom: moment('digest_from'),
    /** When the account is checked next; null while all channels or all kinds of reminders are off. */
    nextAt: moment('next_at'),
  },
  (table) => [index('reminder_settings_due').on(table.nextAt)],
);

/** The result of the last message of each channel. */
export const reminderChannelStates = pgTable(
  'reminder_channels',
  {
    userId: userId(),
    channel: text('channel').$type<ReminderChannel>().notNull(),
    acceptedAt: moment('accepted_at'),
    /** Why the last message was not accepted, in words for the person; null if it was. */
    problem: text('problem'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.channel] })],
);

/** Subscribed browsers. A subscription ends with its session: at sign-out, after a new password, when it expires. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    userId: userId(),
    sessionId: uuid('session_id').notNull(),
    endpoint: text('endpoint').notNull(),
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    /** The name of the account's device database, contained in every message to this browser. */
    account: text('account').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.sessionId] }),
    foreignKey({
      columns: [table.userId, table.sessionId],
      foreignColumns: [sessions.userId, sessions.id],
    }).onDelete('cascade'),
  ],
);

/**
 * The reminders of which messages were queued. The key prevents a second message: 'digest:2026-11-22', or an alert's
 * type and plant. An alert's claim is deleted when the problem is over, so that its next occurrence is reported again,
 * but not before `noRepeatMs` have passed. A claim is also deleted if no channel has accepted the alert in 24 h, and when
 * alerts are turned on.
 */
export const reminderClaims = pgTable(
  'notices',
  {
    userId: userId(),
    key: text('key').notNull(),
    kind: text('kind').$type<ReminderKind>().notNull(),
    plantId: uuid('plant_id'),
    createdAt: moment('created_at').notNull(),
    /** alert: when the first channel accepted its message; null: none has. */
    acceptedAt: moment('accepted_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] })],
);

/** Messages waiting to be sent by push or ntfy. Emails wait in mail_outbox. Deleted once they are sent or expired. */
export const reminderDeliveries = pgTable(
  'reminder_deliveries',
  {
    userId: userId(),
    id: uuid('id').notNull(),
    channel: text('channel').$type<ReminderChannel>().notNull(),
    /** push: the session whose browser gets it. */
    sessionId: uuid('session_id'),
    title: text('title').notNull(),
    body: text('body').notNull(),
    /** JSON: the message without its title and body (MessageData). */
    data: text('data').notNull(),
    nextAt: moment('next_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('reminder_deliveries_due').on(table.nextAt),
  ],
);

/** Keys that all processes of the server share: the VAPID key pair, and the secret of unsubscribe links. */
export const serverKeys = pgTable('server_keys', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

export const calendarFeeds = pgTable('calendar_feeds', {
  userId: userId().primaryKey(),
  /** SHA-256 of the secret in the feed's URL, base64url. */
  secretHash: text('secret_hash').notNull(),
  isPerPlant: boolean('is_per_plant').notNull().default(false),
  createdAt: moment('created_at').notNull(),
  /** To the hour. */
  fetchedAt: moment('fetched_at'),
  /** Hash of the data from which the feed was last generated; null before its first request. */
  dataHash: text('data_hash'),
  /**
   * When a request found the latest change of the data; the feed's creation time if no request has found a change.
   * Events state it as the time of their last change.
   */
  changedAt: moment('changed_at').notNull(),
});
