import { expect } from 'vitest';
import type { ReminderSettingsPayload } from '#contract/settings/reminders.ts';
import type { Database } from '#server/database/database.ts';
import { checkDueAccounts } from '#server/reminders/check/check-job.ts';
import { reminderDefaults } from '#server/reminders/options.ts';
import { createSender, type Sender, type SenderOptions } from '#server/reminders/sender.ts';
import type { TestClock } from '../server/clock.ts';
import { requestAs } from '../server/request.ts';
import { type Account, addPlant, publicUrl, type TestServer } from '../server/server.ts';
import { type PushBrowser, pushBrowser } from './push-browser.ts';
import type { PushService } from './push-service.ts';

export interface StoredDelivery {
  user_id: string;
  channel: string;
  title: string;
  body: string;
  data: string;
  next_at: Date;
  expires_at: Date;
  attempts: number;
}

type Process = { db: Database; clock: TestClock };

/** One run of the job that checks accounts, as a process does it every 15 s. */
export async function check({ db, clock }: Process, failures?: string[]): Promise<boolean> {
  return await checkDueAccounts({
    db,
    clock,
    publicUrl: () => publicUrl,
    onFailure: (code) => (failures ? failures.push(code) : expect.fail(code)),
  });
}

export function senderOf(
  { db, clock }: Process,
  service: PushService,
  changes: Partial<SenderOptions> = {},
): Sender {
  return createSender({
    db,
    clock,
    publicUrl: () => publicUrl,
    reminders: { ...reminderDefaults, pushOrigins: [service.origin], allowsPrivateNtfy: true },
    onFailure: (code) => expect.fail(code),
    ...changes,
  });
}

/** Sends the messages that are due, and resolves when every request has ended. */
export async function sendDue(
  process: Process,
  service: PushService,
  options?: Partial<SenderOptions>,
): Promise<void> {
  const sender = senderOf(process, service, options);
  await sender.run();
  await sender.whenIdle();
}

/** Adds plants that are due now. */
export async function addDuePlants(
  server: TestServer & Pick<Process, 'clock'>,
  account: Account,
  nicknames: readonly string[],
): Promise<void> {
  for (const nickname of nicknames) await addPlant(server, account, { nickname });
  await server.db.pool.query('UPDATE plants SET next_watering_date = $2 WHERE user_id = $1', [
    account.userId,
    server.clock(),
  ]);
}

export async function changeReminders(
  server: TestServer,
  account: Account,
  payload: ReminderSettingsPayload,
): Promise<void> {
  const response = await requestAs(server, account)('PATCH', '/api/reminders', { payload });
  expect(response.statusCode).toBe(200);
}

/** Subscribes a browser at a path of the service. */
export async function subscribe(
  server: TestServer,
  account: Pick<Account, 'token'>,
  service: Pick<PushService, 'origin'>,
  path = '/one',
): Promise<PushBrowser> {
  const browser = pushBrowser(`${service.origin}${path}`);
  const response = await requestAs(server, account)('PUT', '/api/push-subscription', {
    payload: browser.subscription,
  });
  expect(response.statusCode).toBe(200);
  return browser;
}

export async function deliveries({ db }: Pick<Process, 'db'>): Promise<StoredDelivery[]> {
  const text = 'SELECT * FROM reminder_deliveries ORDER BY id';
  return (await db.pool.query<StoredDelivery>(text)).rows;
}

/** The keys of the account's reminder claims. */
export async function reminderClaims(
  { db }: Pick<Process, 'db'>,
  userId: string,
): Promise<string[]> {
  const text = 'SELECT key FROM notices WHERE user_id = $1 ORDER BY key';
  return (await db.pool.query<{ key: string }>(text, [userId])).rows.map(({ key }) => key);
}

/** When the job checks the account next. */
export async function nextCheckOf(
  { db }: Pick<Process, 'db'>,
  userId: string,
): Promise<string | null> {
  const text = 'SELECT next_at AS at FROM reminder_settings WHERE user_id = $1';
  const { rows } = await db.pool.query<{ at: Date | null }>(text, [userId]);
  return rows[0]?.at?.toISOString() ?? null;
}

export async function setTimeZone(
  { db }: Pick<Process, 'db'>,
  userId: string,
  zone: string | null,
): Promise<void> {
  await db.pool.query('UPDATE users SET time_zone = $2 WHERE id = $1', [userId, zone]);
}
