import { accessSync, constants, lchownSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shortHash } from '../cluster/cluster-files.ts';
import type { SystemUser } from '../cluster/system-user.ts';
import { describeFileError, EmbeddedPostgresError, errorCode } from '../embedded-postgres-error.ts';

export const socketPort = 5432;
/** The limit of macOS for the path of a socket: 104 bytes including the terminating NUL. Linux allows 108. */
const maxPathBytes = 103;

export function socketFile(folder: string): string {
  return join(folder, `.s.PGSQL.${socketPort}`);
}

/**
 * The folder of the socket. Its name contains a hash, because the data folder's path may be too long for a socket. All
 * processes that open this data folder as this user get the same path if /tmp is usable.
 */
export function socketFolderFor(home: string, user: SystemUser | undefined): string {
  const uid = user?.uid ?? process.getuid?.();
  const folder = join(temporaryFolder(), `sprig-${shortHash(`${uid}:${home}`)}`);
  if (Buffer.byteLength(socketFile(folder)) <= maxPathBytes) return folder;
  throw new EmbeddedPostgresError(`The path ${folder} is too long for a socket; shorten TMPDIR`);
}

/** /tmp first, because TMPDIR may differ between a login, a service and a cron job. */
function temporaryFolder(): string {
  try {
    accessSync('/tmp', constants.W_OK | constants.X_OK);
    if ((statSync('/tmp').mode & 0o1001) === 0o1001) return '/tmp';
  } catch {
    // No usable /tmp on this machine.
  }
  return tmpdir();
}

/** Creates the folder, which a cleanup of temporary files may have removed; throws if other users own or can use it. */
export function prepareSocketFolder(folder: string, user: SystemUser | undefined): void {
  try {
    makePrivate(folder);
    const self = process.getuid?.();
    // In a folder with the sticky bit, such as /tmp, other users cannot replace a folder that root owns, so changing
    // its owner by path is safe.
    if (user && self === lstatSync(folder).uid) lchownSync(folder, user.uid, user.gid);
    requirePrivate(folder, user?.uid ?? self);
  } catch (error) {
    throw describeFileError(error, folder);
  }
}

function makePrivate(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

function requirePrivate(folder: string, uid: number | undefined): void {
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return;
  throw new EmbeddedPostgresError(
    `${folder} is not a private folder of user ${uid}, so PostgreSQL's socket is not put there; remove it`,
  );
}
