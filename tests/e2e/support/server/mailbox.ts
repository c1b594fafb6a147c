import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { readEml } from '../../../support/server/read-eml.ts';
import type { AppServer } from './app-server.ts';

/** The path and query of the newest link emailed to `address` whose URL contains `part`; waits for the email. */
export async function mailedLink(
  server: AppServer,
  address: string,
  part: string,
): Promise<string> {
  const links = () => linksTo(server, address).filter((link) => link.includes(part));
  await expect.poll(() => links().length).toBeGreaterThan(0);
  const { pathname, search } = new URL(links().at(-1) ?? '');
  return pathname + search;
}

/** Oldest first. Without a mail server, the app server writes each email to an .eml file. */
function linksTo(server: AppServer, address: string): string[] {
  const folder = path.join(server.dataDir, 'mail');
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((file) => /^[^.].*\.eml$/.test(file))
    .sort()
    .map((file) => readEml(fs.readFileSync(path.join(folder, file), 'utf8')))
    .filter(({ headers }) => headers.includes(`To: ${address}`))
    .flatMap(({ text }) => text.match(/^https?:\S+$/gm) ?? []);
}
