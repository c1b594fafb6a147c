import { createTransport } from 'nodemailer';
import { type EmailTransport, nodemailerFields } from './email.ts';

/** nodemailer's own timeouts are minutes long. */
const timeouts = {
  dnsTimeout: 5_000,
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 10_000,
};

/** Sends emails through the server of SMTP_URL, with one connection per email. */
export function smtpTransport(url: string, from: string): EmailTransport {
  const transport = createTransport({ url, ...timeouts });
  return {
    send: async (email, signal) => {
      await transport.sendMail({ ...nodemailerFields(email, from), ...(signal && { signal }) });
    },
  };
}
