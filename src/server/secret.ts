import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** The token secret kept in dataDir, made at the first start; two processes that start together agree on one. */
export function keptSecret(dataDir: string): string {
  const file = path.join(dataDir, 'token-secret');
  if (!fs.existsSync(file)) {
    const draft = `${file}.${process.pid}`;
    fs.mkdirSync(dataDir, { recursive: true });
    fs.writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600 });
    linkUnlessThere(draft, file);
    fs.rmSync(draft);
  }
  return fs.readFileSync(file, 'utf8').trim();
}

/** A link is made whole or not at all, so nobody ever reads half a secret. */
function linkUnlessThere(draft: string, file: string): void {
  try {
    fs.linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
