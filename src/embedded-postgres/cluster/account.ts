import { spawnSync } from 'node:child_process';
import { EmbeddedPostgresError } from '../embedded-postgres-error.ts';

/** The user PostgreSQL runs as when we are root, which it refuses to run as. */
export interface Account {
  uid: number;
  gid: number;
}

export function nobodyIn(passwd: string): Account {
  const fields = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'nobody');
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])];
  if (!Number.isInteger(uid) || !Number.isInteger(gid)) {
    throw new EmbeddedPostgresError(
      'PostgreSQL refuses to run as root and /etc/passwd has no user nobody; start as another user or set DATABASE_URL',
    );
  }
  // macOS writes nobody as -2; the file system speaks of it as 4294967294.
  return { uid: uid >>> 0, gid: gid >>> 0 };
}

/** Options for spawn, which takes ids as signed 32-bit numbers. */
export function runAs(account: Account | undefined): { uid?: number; gid?: number } {
  return account === undefined ? {} : { uid: account.uid | 0, gid: account.gid | 0 };
}

export function canEnter(account: Account, folder: string): boolean {
  return succeedsAs(account, 'cd -- "$1"', [folder]);
}

export function canRead(account: Account, files: string[]): boolean {
  return succeedsAs(account, 'for file; do [ -r "$file" ] || exit 1; done', files);
}

/** Asks the kernel by trying, for modes alone do not tell of ACLs or odd mounts. */
function succeedsAs(account: Account, script: string, args: string[]): boolean {
  const options = { ...runAs(account), cwd: '/', stdio: 'ignore' as const };
  const { error, status } = spawnSync('/bin/sh', ['-c', script, 'sh', ...args], options);
  if (error === undefined) return status === 0;
  throw new EmbeddedPostgresError(
    `PostgreSQL refuses to run as root and switching to user ${account.uid} failed (${error.message}); start as another user or set DATABASE_URL`,
    { cause: error },
  );
}
