import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import type { ReminderChannel, TestPayload } from '#contract/settings/reminders.ts';
import { digestOf } from '#domain/reminder/digest.ts';
import { minuteMs } from '#domain/time.ts';
import { users } from '../accounts/schema.ts';
import { zoneNamed } from '../accounts/time-zone.ts';
import { transaction } from '../database/transaction.ts';
import { ApiError } from '../http/api-error.ts';
import type { AppDeps } from '../http/app-deps.ts';
import { mailProblem, recordResult } from './channels/channel-result.ts';
import type { SendResult } from './channels/post.ts';
import { testEmail } from './check/emails.ts';
import { readGarden } from './check/garden.ts';
import type { Message } from './message.ts';
import { goneProblem, send } from './sender.ts';
import { serverKeys } from './server-keys.ts';
import { readSettings } from './settings.ts';
import { dropSubscription, liveSubscriptions } from './subscriptions.ts';
import { unsubscribeUrl } from './unsubscribe.ts';

const timeoutMs = 10_000;

/**
 * Sends a test message by one channel, whether or not it is on. Throws a 409 if no browser has subscribed or no topic
 * is set, a 502 if sending failed. Resolves to what the person should know although a message was accepted, or null.
 */
export async function sendTest(
  deps: AppDeps,
  userId: string,
  { channel }: TestPayload,
): Promise<string | null> {
  const results = await tests[channel](deps, userId);
  const state = { userId, channel, now: deps.clock() };
  const failed = results.filter(({ type }) => type !== 'accepted');
  const [problem = noTarget[channel]] = failed.map(problemOf);
  const accepted = results.length - failed.length;
  if (accepted > 0) {
    await recordResult(deps.db.pool, state, null);
    if (channel === 'mail' && deps.emailTransport.writesFiles) return writtenToFile;
    return failed.length === 0
      ? null
      : `Sent to ${accepted} of ${results.length} devices. ${problem}`;
  }
  if (results.length === 0) throw new ApiError(409, 'not_sent', problem);
  await recordResult(deps.db.pool, state, problem);
  throw new ApiError(502, 'not_sent', problem);
}

const noTarget: Readonly<Record<ReminderChannel, string>> = {
  push: 'No browser of this account receives notifications',
  ntfy: 'Please enter the address of an ntfy topic first',
  mail: '',
};

const writtenToFile =
  'The email was written to a file on the server, because it has no mail server';

function problemOf(result: SendResult): string {
  return 'problem' in result ? result.problem : goneProblem;
}

const tests = { push: pushTest, ntfy: ntfyTest, mail: mailTest };

/** Not through the queue, because the person waits for the result. */
async function mailTest(deps: AppDeps, userId: string): Promise<SendResult[]> {
  const { db, publicUrl, emailTransport } = deps;
  const { unsubscribe } = await serverKeys(db);
  const [user] = await db.orm
    .select({ email: users.email })
    .from(users)
    .where(eq(users.id, userId));
  if (!user) return [];
  const base = publicUrl();
  const links = { publicUrl: base, unsubscribeUrl: unsubscribeUrl(base, unsubscribe, userId) };
  const email = { ...testEmail(links), id: uuidv7(), to: user.email };
  try {
    await emailTransport.send(email, AbortSignal.timeout(timeoutMs));
    return [{ type: 'accepted' }];
  } catch (error) {
    return [{ type: 'rejected', status: null, problem: mailProblem(error) }];
  }
}

async function pushTest(deps: AppDeps, userId: string): Promise<SendResult[]> {
  const { db, clock } = deps;
  const subscriptions = await liveSubscriptions(db.orm, userId, clock());
  const message = await testMessage(deps, userId);
  return await Promise.all(
    subscriptions.map(async (push) => {
      const target = { channel: 'push' as const, push, ntfyUrl: null, message };
      const result = await send(deps, target, AbortSignal.timeout(timeoutMs));
      if (result.type === 'gone') await transaction(db, (tx) => dropSubscription(tx, userId, push));
      return result;
    }),
  );
}

async function ntfyTest(deps: AppDeps, userId: string): Promise<SendResult[]> {
  const { ntfyUrl } = await readSettings(deps.db.orm, userId);
  if (ntfyUrl === null) return [];
  const message = await testMessage(deps, userId);
  const target = { channel: 'ntfy' as const, push: null, ntfyUrl, message };
  return [await send(deps, target, AbortSignal.timeout(timeoutMs))];
}

async function testMessage({ db, clock }: AppDeps, userId: string): Promise<Message> {
  const now = clock().getTime();
  const [user] = await db.orm
    .select({ zone: users.timeZone })
    .from(users)
    .where(eq(users.id, userId));
  const zone = zoneNamed(user?.zone ?? null);
  return {
    kind: 'test',
    title: 'This is a test',
    body: 'Reminders of Sprig arrive here.',
    tag: 'test',
    path: '/dashboard/settings',
    badge: digestOf(await readGarden(db.pool, userId), zone, now)?.dueCount ?? 0,
    plants: [],
    until: now + 5 * minuteMs,
    quiet: null,
  };
}
