import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import type { Clock } from '../clock.ts';
import type { Mail, MailMessage } from './mail.ts';
import { mailFields } from './mail-fields.ts';

export interface EmlFilesOptions {
  folder: string;
  from: string;
  clock: Clock;
  print: (line: string) => void;
}

/** Instead of sending: each mail becomes a file that any mail program opens, and its link a line on the console. */
export function emlFiles({ folder, from, clock, print }: EmlFilesOptions): Mail {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    send: async (message: MailMessage) => {
      const date = clock();
      const { message: eml } = await transport.sendMail({ ...mailFields(message, from), date });
      await writeWhole(folder, `${fileTime(date)}-${randomBytes(4).toString('hex')}.eml`, eml);
      print(`Mail "${message.subject}": ${message.link}`);
    },
  };
}

/** Under its name only when it is complete, for its owner alone. */
async function writeWhole(folder: string, name: string, content: Buffer | Readable): Promise<void> {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = path.join(folder, `.${name}`);
  await fs.writeFile(draft, content, { mode: 0o600 });
  await fs.rename(draft, path.join(folder, name));
}

function fileTime(date: Date): string {
  return date.toISOString().replace(/[:.]/g, '-');
}
