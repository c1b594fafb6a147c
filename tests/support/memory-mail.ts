import type { Mail, MailMessage } from '#server/mail/mail.ts';

/** Mails that go nowhere; what was sent can be read. */
export interface MemoryMail extends Mail {
  sent: MailMessage[];
  /** While set, every mail is refused with it. */
  problem: Error | null;
}

export function memoryMail(): MemoryMail {
  const mail: MemoryMail = {
    sent: [],
    problem: null,
    send: async (message) => {
      if (mail.problem) throw mail.problem;
      mail.sent.push(message);
    },
  };
  return mail;
}
