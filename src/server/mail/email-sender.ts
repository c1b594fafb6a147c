import type { Database } from '../database/database.ts';
import { isConnectionLost } from '../database/lost-connections.ts';
import type { Clock } from '../http/app-deps.ts';
import { type PeriodicJob, periodicJob } from '../jobs/periodic-job.ts';
import type { EmailTransport } from './email.ts';
import { claimDueEmail, deleteEmail, deleteExpiredEmails, type QueuedEmail } from './outbox.ts';

export interface EmailSenderOptions {
  db: Database;
  clock: Clock;
  transport: EmailTransport;
  /** Called with an error code. Messages are left out because they may contain email addresses. */
  onFailure: (code: string) => void;
  /** Called after an attempt to send a reminder; `error`: null if the mail server has accepted it. */
  onReminder?: (accountId: string, error: unknown) => Promise<void>;
}

const pollMs = 15_000;
/**
 * Must be shorter than the outbox's first retry delay, after which another process claims the email and sends it too.
 */
const sendTimeoutMs = 20_000;
const stopGraceMs = 5_000;

/**
 * Sends due emails periodically; call wake() after queueing one. When stopped it claims no further email and aborts
 * the one being sent after 5 s. Any number of processes may run one.
 */
export function createEmailSender(options: EmailSenderOptions): PeriodicJob {
  const aborting = new AbortController();
  const job = periodicJob(pollMs, (stopping) => sendDueEmails(options, stopping, aborting.signal));
  return {
    ...job,
    stop: async () => {
      const timer = setTimeout(() => aborting.abort(), stopGraceMs);
      await job.stop();
      clearTimeout(timer);
    },
  };
}

/** Sends everything that is due, one email after another. Never rejects. */
export async function sendDueEmails(
  options: EmailSenderOptions,
  stopping?: AbortSignal,
  aborting?: AbortSignal,
): Promise<void> {
  const { db, clock } = options;
  try {
    await deleteExpiredEmails(db, clock());
    while (!stopping?.aborted) {
      const email = await claimDueEmail(db, clock());
      if (!email) return;
      await sendEmail(options, email, aborting);
    }
  } catch (error) {
    if (isConnectionLost(error)) db.recover();
    else options.onFailure(codeOf(error));
  }
}

/** At-least-once delivery: if the email cannot be deleted from the outbox after sending, it is sent again. */
async function sendEmail(
  { db, transport, onFailure, onReminder }: EmailSenderOptions,
  { id, recipient: to, subject, text, html, link, unsubscribeUrl, accountId }: QueuedEmail,
  aborting: AbortSignal | undefined,
): Promise<void> {
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, sendTimeoutMs);
  aborting?.addEventListener('abort', abort);
  try {
    await transport.send({ id, to, subject, text, html, link, unsubscribeUrl }, limit.signal);
  } catch (error) {
    onFailure(codeOf(error));
    // A stop is no fault of the mail server.
    if (accountId && !aborting?.aborted) await onReminder?.(accountId, error);
    return;
  } finally {
    clearTimeout(timer);
    aborting?.removeEventListener('abort', abort);
  }
  await deleteEmail(db, id);
  if (accountId) await onReminder?.(accountId, null);
}

/** Only the code, because messages of mail servers contain email addresses and those of the database row values. */
function codeOf(error: unknown): string {
  const { name, code, responseCode } = error as Error & { code?: string; responseCode?: number };
  return [code ?? name, responseCode].filter((part) => part !== undefined).join(' ');
}
