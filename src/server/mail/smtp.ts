import { createTransport } from 'nodemailer';
import type { Mail } from './mail.ts';
import { mailFields } from './mail-fields.ts';

/** Its own limits are minutes long. */
const timeouts = {
  dnsTimeout: 5_000,
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 10_000,
};

/** Mails by the server of SMTP_URL, one connection each. */
export function smtpMail(url: string, from: string): Mail {
  const transport = createTransport({ url, ...timeouts });
  return {
    send: async (message, signal) => {
      await transport.sendMail({ ...mailFields(message, from), ...(signal && { signal }) });
    },
  };
}
