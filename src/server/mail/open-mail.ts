import path from 'node:path';
import { emailProblem } from '#domain/account.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { emlFiles } from './eml-files.ts';
import type { Mail } from './mail.ts';
import { smtpMail } from './smtp.ts';

type MailConfig = Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'dataDir'>;

/** The configured way out for mails, and what to tell the console about it. */
export function openMail(
  config: MailConfig,
  clock: Clock,
  print: (line: string) => void = console.log,
): { mail: Mail; where: string } {
  const from = fromAddress(config);
  if (config.smtpUrl) {
    const { host } = new URL(config.smtpUrl);
    return { mail: smtpMail(config.smtpUrl, from), where: `sent by ${host}` };
  }
  const folder = path.join(config.dataDir, 'mail');
  return {
    mail: emlFiles({ folder, from, clock, print }),
    where: `${folder}, one .eml file each`,
  };
}

/** Most SMTP accounts are named by the address that they may send from. */
function fromAddress({ mailFrom, smtpUrl, publicUrl }: MailConfig): string {
  if (mailFrom) return mailFrom;
  const user = smtpUrl ? decodeURIComponent(new URL(smtpUrl).username) : '';
  if (!emailProblem(user)) return user;
  return `no-reply@${publicUrl ? new URL(publicUrl).hostname : 'localhost'}`;
}
