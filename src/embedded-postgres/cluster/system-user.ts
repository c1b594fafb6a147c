import { spawnSync } from 'node:child_process';
import { EmbeddedPostgresError } from '../embedded-postgres-error.ts';

/** The unprivileged user that PostgreSQL runs as if this process is root, because PostgreSQL refuses to run as root. */
export interface SystemUser {
  uid: number;
  gid: number;
}

export function nobodyIn(passwd: string): SystemUser {
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
  // macOS lists nobody as -2, which the file system reports as 4294967294.
  return { uid: uid >>> 0, gid: gid >>> 0 };
}

/** Options for spawn, which takes ids as signed 32-bit numbers. */
export function runAs(user: SystemUser | undefined): { uid?: number; gid?: number } {
  return user === undefined ? {} : { uid: user.uid | 0, gid: user.gid | 0 };
}

export function canEnter(user: SystemUser, folder: string): boolean {
  return succeedsAs(user, 'cd -- "$1"', [folder]);
}

export function canRead(user: SystemUser, files: string[]): boolean {
  return succeedsAs(user, 'for file; do [ -r "$file" ] || exit 1; done', files);
}

/** Runs the script as that user, because mode bits alone do not show whether ACLs or mount options deny access. */
function succeedsAs(user: SystemUser, script: string, args: string[]): boolean {
  const options = { ...runAs(user), cwd: '/', stdio: 'ignore' as const };
  const { error, status } = spawnSync('/bin/sh', ['-c', script, 'sh', ...args], options);
  if (error === undefined) return status === 0;
  throw new EmbeddedPostgresError(
    `PostgreSQL refuses to run as root and switching to user ${user.uid} failed (${error.message}); start as another user or set DATABASE_URL`,
    { cause: error },
  );
}
