import { accessSync, constants, lchownSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from '../cluster/account.ts';
import { EmbeddedPostgresError, errorCode, inWords } from '../embedded-postgres-error.ts';
import { shortHash } from '../programs/short-hash.ts';

export const socketPort = 5432;
/** macOS holds 104 bytes with the closing zero, Linux 108. */
const longestPath = 103;

export function socketFile(folder: string): string {
  return join(folder, `.s.PGSQL.${socketPort}`);
}

/** Short wherever the data lies, and the same for every process that serves it as this user. */
export function socketFolderFor(home: string, account: Account | undefined): string {
  const uid = account?.uid ?? process.getuid?.();
  const folder = join(temporaryFolder(), `sprig-${shortHash(`${uid}:${home}`)}`);
  if (Buffer.byteLength(socketFile(folder)) <= longestPath) return folder;
  throw new EmbeddedPostgresError(`The path ${folder} is too long for a socket; shorten TMPDIR`);
}

/** TMPDIR differs between a login, a service and a cron job, so it is only the second choice. */
function temporaryFolder(): string {
  try {
    accessSync('/tmp', constants.W_OK | constants.X_OK);
    if ((statSync('/tmp').mode & 0o1001) === 0o1001) return '/tmp';
  } catch {
    // No usable /tmp on this machine.
  }
  return tmpdir();
}

/** Makes the folder, also again after a cleaning of the temporary files, and refuses a foreign one. */
export function prepareSocketFolder(folder: string, account: Account | undefined): void {
  try {
    makePrivate(folder);
    const self = process.getuid?.();
    // Nobody else can swap a folder of root's in a sticky /tmp, so handing it over by path is safe.
    if (account && self === lstatSync(folder).uid) lchownSync(folder, account.uid, account.gid);
    refuseForeign(folder, account?.uid ?? self);
  } catch (error) {
    throw inWords(error, folder);
  }
}

function makePrivate(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

function refuseForeign(folder: string, uid: number | undefined): void {
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return;
  throw new EmbeddedPostgresError(
    `${folder} is not a private folder of user ${uid}, so PostgreSQL's socket is not put there; remove it`,
  );
}
