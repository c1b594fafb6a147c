import { type Alert, alertTexts } from '#domain/reminder/alerts.ts';
import type { Digest } from '#domain/reminder/digest.ts';
import type { Transaction } from '../../database/transaction.ts';
import { compose, type EmailContent, type EmailPart } from '../../mail/email.ts';
import { queueEmail } from '../../mail/queue.ts';
import { digestPath } from '../message.ts';
import { alertLifetimeMs } from './claims.ts';

/** Each list of an email has at most this many entries; a garden may have thousands of plants. */
const maxListed = 100;

interface Links {
  publicUrl: string;
  unsubscribeUrl: string;
}

function digestEmail(
  { title, plants, dueCount }: Digest,
  { publicUrl, unsubscribeUrl }: Links,
): EmailContent {
  const names = plants.map(({ name }) => name);
  const due = names.slice(0, dueCount);
  const soon = names.slice(dueCount);
  const link = `${publicUrl}${digestPath}`;
  const parts: EmailPart[] = [
    `${title}.`,
    ...(due.length > 0 ? ['Due today or earlier:', listOf(due)] : []),
    ...(soon.length > 0 ? ['Due soon:', listOf(soon)] : []),
    { label: 'Open the schedule', link },
    ...footer(publicUrl),
  ];
  return { ...compose(title, link, parts), unsubscribeUrl };
}

function alertEmail(
  alerts: readonly Alert[],
  path: string,
  { publicUrl, unsubscribeUrl }: Links,
): EmailContent {
  const { title } = alertTexts(alerts);
  const link = `${publicUrl}${path}`;
  const parts: EmailPart[] = [
    ...alerts.slice(0, maxListed).map((alert) => `${alert.title}. ${alert.body}`),
    ...(alerts.length > maxListed ? [`And ${alerts.length - maxListed} more.`] : []),
    { label: 'Open your plants', link },
    ...footer(publicUrl),
  ];
  return { ...compose(title, link, parts), unsubscribeUrl };
}

/** For the test button. */
export function testEmail({ publicUrl, unsubscribeUrl }: Links): EmailContent {
  const link = `${publicUrl}/dashboard/settings`;
  const parts = ['This is a test. Reminders of Sprig arrive here.', ...footer(publicUrl)];
  return { ...compose('This is a test', link, parts), unsubscribeUrl };
}

function listOf(names: readonly string[]): readonly string[] {
  const hidden = names.length - maxListed;
  return hidden > 0 ? [...names.slice(0, maxListed), `and ${hidden} more`] : names;
}

function footer(publicUrl: string): EmailPart[] {
  return [
    'You get this mail because reminders by email are on. Change that in the settings:',
    { label: 'Settings', link: `${publicUrl}/dashboard/settings` },
  ];
}

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

/** The digest is not sent after `until`. */
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
  await queue(tx, to, content, { ...options, lifetimeMs: alertLifetimeMs });
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
