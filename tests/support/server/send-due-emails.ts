import { type EmailSenderOptions, senderFor } from '#server/mail/email-sender.ts';

/** Sends all due emails, first those that accounts need and then the reminders, and waits for the results. */
export async function sendDueEmails(options: EmailSenderOptions): Promise<void> {
  for (const kind of ['needed', 'reminder'] as const) {
    const sender = senderFor(options, kind);
    await sender.run();
    await sender.whenIdle();
  }
}
