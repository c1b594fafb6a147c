import path from 'node:path';
import { emailProblem } from '#domain/account.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../deps.ts';
import type { EmailTransport } from './email.ts';
import { emlTransport } from './eml-transport.ts';
import { smtpTransport } from './smtp-transport.ts';

type EmailConfig = Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'dataDir'>;

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
    transport: emlTransport({ folder, from, clock, print }),
    description: `${folder}, one .eml file each`,
  };
}

/** Without MAIL_FROM the SMTP user is used: on most servers it is the address that may be sent from. */
function senderAddress({ mailFrom, smtpUrl, publicUrl }: EmailConfig): string {
  if (mailFrom) return mailFrom;
  const user = smtpUrl ? decodeURIComponent(new URL(smtpUrl).username) : '';
  if (!emailProblem(user)) return user;
  return `no-reply@${publicUrl ? new URL(publicUrl).hostname : 'localhost'}`;
}
