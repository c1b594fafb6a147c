import type { MailMessage } from './mail.ts';

/** A message as nodemailer takes it. */
export function mailFields({ to, subject, text, html }: MailMessage, from: string) {
  return {
    from: { name: 'Sprig', address: from },
    // As an object: in a text, a comma or bracket in the address would be read as a list of several.
    to: { name: '', address: to },
    subject,
    text,
    html,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
