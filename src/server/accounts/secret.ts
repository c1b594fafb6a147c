import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, syncPath, writeNewFile } from '#embedded-postgres/cluster/durable-files.ts';
import { ConfigError } from '../config.ts';

/**
 * The token secret kept in dataDir, made at the first start; two processes that start together agree on one.
 * A damaged one is refused, not replaced: with a new one everybody would be signed out, with half a one anybody
 * could sign in.
 */
export function keptSecret(dataDir: string): string {
  const file = path.join(dataDir, 'token-secret');
  if (!fs.existsSync(file)) makeSecret(dataDir, file);
  const secret = readSecret(file);
  if (/^[0-9a-f]{64}$/.test(secret)) return secret;
  throw unusable(file, 'is damaged');
}

function makeSecret(dataDir: string, file: string): void {
  const draft = `${file}.${process.pid}`;
  makeFolder(dataDir);
  fs.rmSync(draft, { force: true });
  writeNewFile(draft, randomBytes(32).toString('hex'), 0o600);
  linkUnlessThere(draft, file);
  fs.rmSync(draft);
  syncPath(dataDir);
}

function readSecret(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw unusable(file, `cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function unusable(file: string, trouble: string): ConfigError {
  return new ConfigError(
    `the token secret ${file} ${trouble}; restore it, set JWT_SECRET, or remove it to have a new one made, which signs everybody out`,
  );
}

/** A link is made whole or not at all, so nobody ever reads half a secret. */
function linkUnlessThere(draft: string, file: string): void {
  try {
    fs.linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
