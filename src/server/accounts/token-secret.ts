import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../start/config.ts';

/**
 * The secret that signs session tokens, stored in dataDir and created at the first start. Processes that start at the
 * same time use the same one. A damaged secret is an error and is not replaced: a new one would sign everybody out, and
 * a truncated one could be guessed.
 */
export function loadTokenSecret(dataDir: string): string {
  const file = path.join(dataDir, 'token-secret');
  if (!fs.existsSync(file)) createSecret(dataDir, file);
  const secret = readSecret(file);
  if (/^[0-9a-f]{64}$/.test(secret)) return secret;
  throw unusableSecret(file, 'is damaged');
}

function createSecret(dataDir: string, file: string): void {
  const draft = `${file}.${process.pid}`;
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  fs.rmSync(draft, { force: true });
  fs.writeFileSync(draft, randomBytes(32).toString('hex'), {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  linkUnlessPresent(draft, file);
  fs.rmSync(draft);
  syncFolder(dataDir);
}

function readSecret(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw unusableSecret(file, `cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function unusableSecret(file: string, problem: string): ConfigError {
  return new ConfigError(
    `the token secret ${file} ${problem}; restore it, set JWT_SECRET, or remove it to have a new one made, which signs everybody out`,
  );
}

/** Creating a hard link is atomic, so no process ever reads half a secret, and the first one wins. */
function linkUnlessPresent(draft: string, file: string): void {
  try {
    fs.linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** A new file name survives a power cut only after its folder was synced. Some file systems cannot do it. */
function syncFolder(folder: string): void {
  const handle = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(handle);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  } finally {
    fs.closeSync(handle);
  }
}
