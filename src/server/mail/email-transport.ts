import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import { emailProblem } from '#domain/account.ts';
import type { Clock } from '../http/app-deps.ts';
import type { Config } from '../start/config.ts';
import { type Email, type EmailTransport, nodemailerFields } from './email.ts';

/** nodemailer's own timeouts are 30 s to 10 min long. */
const timeouts = {
  dnsTimeout: 5_000,
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 10_000,
};

/** Sends emails through the server of SMTP_URL, with one connection per email. */
function smtpTransport(url: string, from: string): EmailTransport {
  const transport = createTransport({ url, ...timeouts });
  return {
    send: async (email, signal) => {
      await transport.sendMail({ ...nodemailerFields(email, from), ...(signal && { signal }) });
    },
  };
}

interface EmlTransportOptions {
  folder: string;
  from: string;
  clock: Clock;
  printsLinks: boolean;
  print: (line: string) => void;
}

/**
 * Writes each email to an .eml file instead of sending it. Prints the email's link if `printsLinks`, otherwise the path
 * of its file: the link may contain a token, which must not be in the log of a public server.
 */
function emlTransport(options: EmlTransportOptions): EmailTransport {
  const { folder, from, clock, printsLinks, print } = options;
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    writesFiles: true,
    send: async (email: Email) => {
      const date = clock();
      const { message } = await transport.sendMail({ ...nodemailerFields(email, from), date });
      const name = `${fileTime(date)}-${randomBytes(4).toString('hex')}.eml`;
      await writeAtomically(folder, name, message);
      // The subject of a reminder is not printed, because it may contain the name of a plant.
      const subject = email.unsubscribeUrl ? 'Reminder' : email.subject;
      print(`Mail "${subject}": ${printsLinks ? email.link : path.join(folder, name)}`);
    },
  };
}

/** Writes to a temporary file and renames it once it is complete. Only the owner can read it. */
async function writeAtomically(
  folder: string,
  name: string,
  content: Buffer | Readable,
): Promise<void> {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = path.join(folder, `.${name}`);
  await fs.writeFile(draft, content, { mode: 0o600 });
  await fs.rename(draft, path.join(folder, name));
}

function fileTime(date: Date): string {
  return date.toISOString().replace(/[:.]/g, '-');
}

type EmailConfig = Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'dataDir' | 'isLocal'>;

/** The configured transport, and a description of it for the console that contains no password. */
export function openEmailTransport(
  config: EmailConfig,
  clock: Clock,
  print: (line: string) => void = console.log,
): { transport: EmailTransport; description: string } {
  const from = senderAddress(config);
  if (config.smtpUrl) {
    const { host } = new URL(config.smtpUrl);
    return { transport: smtpTransport(config.smtpUrl, from), description: `sent by ${host}` };
  }
  const folder = path.join(config.dataDir, 'mail');
  return {
    transport: emlTransport({ folder, from, clock, printsLinks: config.isLocal, print }),
    description: `${folder}, one .eml file each`,
  };
}

/**
 * MAIL_FROM. The default is the SMTP user, because most servers allow only this sender address. If that is not an email
 * address, the default is no-reply@ with the public host name or localhost.
 */
function senderAddress({ mailFrom, smtpUrl, publicUrl }: EmailConfig): string {
  if (mailFrom) return mailFrom;
  const user = smtpUrl ? decodeURIComponent(new URL(smtpUrl).username) : '';
  if (!emailProblem(user)) return user;
  return `no-reply@${publicUrl ? new URL(publicUrl).hostname : 'localhost'}`;
}
