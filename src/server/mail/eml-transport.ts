import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import type { Clock } from '../deps.ts';
import { type Email, type EmailTransport, nodemailerFields } from './email.ts';

export interface EmlTransportOptions {
  folder: string;
  from: string;
  clock: Clock;
  print: (line: string) => void;
}

/** Writes each email to an .eml file instead of sending it, and prints its link. */
export function emlTransport({ folder, from, clock, print }: EmlTransportOptions): EmailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    send: async (email: Email) => {
      const date = clock();
      const { message } = await transport.sendMail({ ...nodemailerFields(email, from), date });
      const name = `${fileTime(date)}-${randomBytes(4).toString('hex')}.eml`;
      await writeAtomically(folder, name, message);
      print(`Mail "${email.subject}": ${email.link}`);
    },
  };
}

/** The file gets its name only once it is complete. Only its owner can read it. */
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
