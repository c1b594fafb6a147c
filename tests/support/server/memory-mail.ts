import type { Email, EmailTransport } from '#server/mail/email.ts';

/** A transport that stores emails in memory. */
export interface MemoryMail extends EmailTransport {
  sent: Email[];
  /** While set, every email is rejected with this error. */
  problem: Error | null;
}

export function memoryMail(): MemoryMail {
  const mail: MemoryMail = {
    sent: [],
    problem: null,
    send: async (email) => {
      if (mail.problem) throw mail.problem;
      mail.sent.push(email);
    },
  };
  return mail;
}
