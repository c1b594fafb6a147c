import type { Clock } from '../clock.ts';
import { isConnectionLost } from '../database/connection-lost.ts';
import type { Database } from '../database/database.ts';
import type { Mail } from '../mail/mail.ts';
import { claimDueMail, dropExpiredMails, dropMail, type QueuedMail } from '../mail/outbox.ts';
import { createRounds, type Rounds } from './rounds.ts';

export interface MailSenderOptions {
  db: Database;
  clock: Clock;
  mail: Mail;
  /** Told what went wrong in a code, never in words that may name a person. */
  onFailure: (code: string) => void;
}

const lookEveryMs = 15_000;
/** Shorter than the outbox's first pause: until then no other process takes a mail that is being sent. */
const sendLimitMs = 20_000;
const stopGraceMs = 5_000;

/**
 * Sends what waits in the outbox, round after round; to be woken when there may be new mail. Once stopped it takes up
 * no other, and after a moment gives up the one on its way. Any number of processes may run one.
 */
export function createMailSender(options: MailSenderOptions): Rounds {
  const givingUp = new AbortController();
  const rounds = createRounds(lookEveryMs, (stopping) =>
    sendDueMails(options, stopping, givingUp.signal),
  );
  return {
    ...rounds,
    stop: async () => {
      const impatience = setTimeout(() => givingUp.abort(), stopGraceMs);
      await rounds.stop();
      clearTimeout(impatience);
    },
  };
}

/** One round: everything that is due, one after the other. Never rejects. */
export async function sendDueMails(
  options: MailSenderOptions,
  stopping?: AbortSignal,
  givingUp?: AbortSignal,
): Promise<void> {
  const { db, clock } = options;
  try {
    await dropExpiredMails(db, clock());
    while (!stopping?.aborted) {
      const mail = await claimDueMail(db, clock());
      if (!mail) return;
      await sendMail(options, mail, givingUp);
    }
  } catch (error) {
    if (isConnectionLost(error)) db.recover();
    else options.onFailure(codeOf(error));
  }
}

/** At least once: if the outbox cannot be told that a mail is out, it goes out again. */
async function sendMail(
  { db, mail, onFailure }: MailSenderOptions,
  { id, recipient: to, subject, text, html, link }: QueuedMail,
  givingUp: AbortSignal | undefined,
): Promise<void> {
  const limit = new AbortController();
  const giveUp = () => limit.abort();
  const timer = setTimeout(giveUp, sendLimitMs);
  givingUp?.addEventListener('abort', giveUp);
  try {
    await mail.send({ to, subject, text, html, link }, limit.signal);
  } catch (error) {
    onFailure(codeOf(error));
    return;
  } finally {
    clearTimeout(timer);
    givingUp?.removeEventListener('abort', giveUp);
  }
  await dropMail(db, id);
}

/** The messages of mail servers repeat addresses, those of a database a row's values. */
function codeOf(error: unknown): string {
  const { name, code, responseCode } = error as Error & { code?: string; responseCode?: number };
  return [code ?? name, responseCode].filter((part) => part !== undefined).join(' ');
}
