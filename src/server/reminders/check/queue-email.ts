import type { Alert } from '#domain/reminder/alerts.ts';
import type { Digest } from '#domain/reminder/digest.ts';
import { dayMs } from '#domain/time.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { EmailContent } from '../../mail/email.ts';
import { queueEmail } from '../../mail/outbox.ts';
import { alertEmail, digestEmail } from './emails.ts';

interface Recipient {
  userId: string;
  email: string;
  /** The next quiet hours, ms. */
  quiet: readonly [from: number, to: number] | null;
}

export interface EmailOptions {
  now: Date;
  publicUrl: string;
  unsubscribeUrl: (userId: string) => string;
}

/** `until`: when it is not sent any more. */
export async function queueDigestEmail(
  tx: Transaction,
  { digest, until, ...to }: Recipient & { digest: Digest; until: Date },
  options: EmailOptions,
): Promise<void> {
  const lifetimeMs = until.getTime() - options.now.getTime();
  await queue(tx, to, digestEmail(digest, linksFor(to, options)), { ...options, lifetimeMs });
}

export async function queueAlertEmail(
  tx: Transaction,
  { alerts, path, ...to }: Recipient & { alerts: readonly Alert[]; path: string },
  options: EmailOptions,
): Promise<void> {
  const content = alertEmail(alerts, path, linksFor(to, options));
  await queue(tx, to, content, { ...options, lifetimeMs: dayMs });
}

function linksFor({ userId }: Recipient, { publicUrl, unsubscribeUrl }: EmailOptions) {
  return { publicUrl, unsubscribeUrl: unsubscribeUrl(userId) };
}

async function queue(
  tx: Transaction,
  { userId, email: to, quiet }: Recipient,
  content: EmailContent,
  { now, lifetimeMs }: { now: Date; lifetimeMs: number },
): Promise<void> {
  await queueEmail(tx, { to, content, now, lifetimeMs, reminder: { userId, quiet } });
}
