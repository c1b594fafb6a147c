import type { Database } from '../database/database.ts';
import { isConnectionLost } from '../database/lost-connections.ts';
import type { Clock } from '../http/app-deps.ts';
import { type PeriodicJob, periodicJob } from '../jobs/job.ts';
import type { EmailTransport } from './email.ts';
import {
  claimDueEmail,
  deleteEmail,
  deleteExpiredEmails,
  type EmailKind,
  type QueuedEmail,
} from './queue.ts';

export interface EmailSenderOptions {
  db: Database;
  clock: Clock;
  transport: EmailTransport;
  /**
   * Called with an error code, and whether it is tried again. Messages are left out because they may contain email
   * addresses.
   */
  onFailure: (code: string, isRetried: boolean) => void;
  /** Called after an attempt to send a reminder; `error`: null if the mail server has accepted it. */
  onReminder?: (reminder: { accountId: string; createdAt: Date }, error: unknown) => Promise<void>;
}

const pollMs = 15_000;
/**
 * Must be shorter than the queue's first retry delay, after which another process claims the email and sends it too.
 */
const sendTimeoutMs = 20_000;
const stopGraceMs = 5_000;

/** How many emails a process sends at once, each over a connection of its own. */
const maxParallel: Readonly<Record<EmailKind, number>> = { needed: 2, reminder: 4 };
const kinds = ['needed', 'reminder'] as const;

/**
 * Sends due emails periodically; call wake() after queueing one. Emails that accounts need are sent in parallel with
 * the reminders, so that they do not wait for thousands of reminders on a slow mail server. When stopped, it claims no
 * further email, and after 5 s it aborts those that are still being sent. Any number of processes may run one.
 */
export function createEmailSender(options: EmailSenderOptions): PeriodicJob {
  const aborting = new AbortController();
  const senders = kinds.map((kind) => senderFor(options, kind, aborting.signal));
  const jobs = senders.map((sender) => periodicJob(pollMs, sender.run));
  return {
    start: () => {
      for (const job of jobs) job.start();
    },
    wake: () => {
      for (const job of jobs) job.wake();
    },
    stop: async () => {
      const timer = setTimeout(() => aborting.abort(), stopGraceMs);
      await Promise.all(jobs.map((job) => job.stop()));
      await Promise.all(senders.map((sender) => sender.whenIdle()));
      clearTimeout(timer);
    },
  };
}

interface KindSender {
  /** Starts to send everything that is due, without waiting for the last results. Never rejects. */
  run: (stopping?: AbortSignal) => Promise<void>;
  whenIdle: () => Promise<void>;
}

/** Sends the emails of one kind. */
export function senderFor(
  options: EmailSenderOptions,
  kind: EmailKind,
  aborting?: AbortSignal,
): KindSender {
  const { db, clock } = options;
  const inProgress = new Set<Promise<void>>();

  function begin(email: QueuedEmail): void {
    const sending = sendEmail(options, email, aborting)
      .catch((error: unknown) => report(options, error))
      .finally(() => inProgress.delete(sending));
    inProgress.add(sending);
  }

  async function run(stopping?: AbortSignal): Promise<void> {
    try {
      await deleteExpiredEmails(db, clock());
      for (;;) {
        if (inProgress.size >= maxParallel[kind]) await Promise.race(inProgress);
        const email = stopping?.aborted ? null : await claimDueEmail(db, kind, clock());
        if (!email) return;
        begin(email);
      }
    } catch (error) {
      report(options, error);
    }
  }

  return { run, whenIdle: async () => void (await Promise.all(inProgress)) };
}

function report({ db, onFailure }: EmailSenderOptions, error: unknown): void {
  if (isConnectionLost(error)) db.recover();
  else onFailure(codeOf(error), true);
}

/** At-least-once delivery: if the email cannot be deleted from the queue after sending, it is sent again. */
async function sendEmail(
  { db, transport, onFailure, onReminder }: EmailSenderOptions,
  email: QueuedEmail,
  aborting: AbortSignal | undefined,
): Promise<void> {
  const { id, recipient: to, subject, text, html, link, unsubscribeUrl } = email;
  const { accountId, createdAt } = email;
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, sendTimeoutMs);
  aborting?.addEventListener('abort', abort);
  try {
    await transport.send({ id, to, subject, text, html, link, unsubscribeUrl }, limit.signal);
  } catch (error) {
    const isFinal = isRecipientRefused(error);
    onFailure(codeOf(error), !isFinal);
    // If the server's stop aborted the request, the mail server has not failed, so no problem is recorded.
    if (accountId && !aborting?.aborted) await onReminder?.({ accountId, createdAt }, error);
    if (isFinal) await deleteEmail(db, id);
    return;
  } finally {
    clearTimeout(timer);
    aborting?.removeEventListener('abort', abort);
  }
  // Before the email is deleted: if the process dies in between, the email is sent again, but the same alert is not
  // reported again a day later.
  try {
    if (accountId) await onReminder?.({ accountId, createdAt }, null);
  } finally {
    await deleteEmail(db, id);
  }
}

interface MailError extends Error {
  code?: string;
  /** The SMTP response code. */
  responseCode?: number;
  response?: string;
  /** The SMTP command that failed. */
  command?: string;
}

/**
 * Whether the mail server rejects the recipient for good, for example because there is no such mailbox. Other errors
 * may end within the email's lifetime: a temporary one (4xx), a wrong password or sender of this server, and a policy
 * (5.7), such as that of a mail server that does not relay for this one yet.
 */
function isRecipientRefused(error: unknown): boolean {
  const { code, command, responseCode = 0, response = '' } = error as MailError;
  const isRefused = code === 'EENVELOPE' && command === 'RCPT TO' && responseCode >= 500;
  return isRefused && !/^\d{3}[ -]5\.7\./.test(response);
}

/**
 * The code, or the name if there is no code, and the SMTP response code. No messages: those of mail servers contain
 * email addresses, and those of the database contain row values.
 */
function codeOf(error: unknown): string {
  const { name, code, responseCode } = error as MailError;
  return [code ?? name, responseCode].filter((part) => part !== undefined).join(' ');
}
