/** What a mail says; the recipient is the sender's business. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
  /** The one thing to do about it. */
  link: string;
}

export interface MailMessage extends Letter {
  to: string;
}

/** The way out for mails. Rejects when one could not be handed over. */
export interface Mail {
  send(message: MailMessage, signal?: AbortSignal): Promise<void>;
}
