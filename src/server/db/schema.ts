import {
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

/**
 * user_id leads every key: it is the ownership check, and what an existing engine would distribute by.
 * Ids are made by the application (UUIDv7), times come from the injected clock.
 */
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });

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

export const sessions = pgTable(
  'sessions',
  {
    userId: userId(),
    id: uuid('id').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
);

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
