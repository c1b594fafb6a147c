import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../database/moments.ts';

/**
 * Emails waiting to be sent. Deleted once sent or expired, because they contain an email address and may contain a link
 * with a token.
 */
export const mailOutbox = pgTable(
  'mail_outbox',
  {
    id: uuid('id').primaryKey(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    link: text('link').notNull(),
    /** The URL for one-click unsubscribe (RFC 8058); null for emails that the account needs. */
    unsubscribeUrl: text('unsubscribe_url'),
    /**
     * Of a reminder: the account whose settings show whether the mail server accepted it. Null for emails that the
     * account needs.
     */
    accountId: uuid('account_id'),
    createdAt: moment('created_at').notNull(),
    nextAt: moment('next_at').notNull(),
    /** When its link expires, or a reminder is of no use any more; after that it is deleted instead of sent. */
    expiresAt: moment('expires_at').notNull(),
    /** Of a reminder: the quiet hours in which it is not sent, excluding `quietTo` itself; null if it has none. */
    quietFrom: moment('quiet_from'),
    quietTo: moment('quiet_to'),
    attempts: integer('attempts').notNull().default(0),
  },
  (table) => [
    index('mail_outbox_due').on(table.nextAt),
    index('mail_outbox_order').on(sql`(${table.accountId} IS NOT NULL)`, table.nextAt),
  ],
);
