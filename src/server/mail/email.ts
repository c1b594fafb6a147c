/** Subject, bodies and link of an email; the recipient is added by the sender. */
export interface EmailContent {
  subject: string;
  text: string;
  html: string;
  /** The link that the email asks to follow. */
  link: string;
}

export interface Email extends EmailContent {
  to: string;
}

/** Sends emails. Rejects if an email could not be handed over. */
export interface EmailTransport {
  send(email: Email, signal?: AbortSignal): Promise<void>;
}

/** An email in nodemailer's format. */
export function nodemailerFields({ to, subject, text, html }: Email, from: string) {
  return {
    from: { name: 'Sprig', address: from },
    // As an object: nodemailer would parse a string with a comma or brackets as several addresses.
    to: { name: '', address: to },
    subject,
    text,
    html,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
