import { closeSync, openSync, readSync, renameSync, statfsSync, statSync } from 'node:fs';
import type { ClusterFiles } from '../cluster/cluster-files.ts';
import { diskProblem, EmbeddedPostgresError, unusableFolder } from '../embedded-postgres-error.ts';

const maxLogBytes = 5 * 1024 * 1024;

/** Renames a log that has become too large, replacing the previous one. Call it only while no server is running. */
export function rotateLog(path: string): void {
  if (logSize(path) > maxLogBytes) renameSync(path, `${path}.old`);
}

export function logSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The log after the first `from` bytes, at most its last 4 KiB. */
export function logSince(path: string, from: number): string {
  const end = logSize(path);
  const start = Math.max(Math.min(from, end), end - 4096);
  if (end === start) return '';
  const handle = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(end - start);
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, bytes.length, start));
  } finally {
    closeSync(handle);
  }
}

/** Start failures that a retry can fix: another postmaster, its stale lock file, or a removed socket folder. */
const transient =
  /still in use|lock file "[^"]*" (already exists|is empty)|\.s\.PGSQL\.[^\n]*(No such file|in use)/;

export function isTransient(output: string): boolean {
  return transient.test(output);
}

/** The problem with the disk that the log of a PostgreSQL reports as fatal, if there is one. */
export function diskFailure(
  files: ClusterFiles,
  output: string,
): EmbeddedPostgresError | undefined {
  const problem = diskProblem(output.split('\n').filter(isFatal).join('\n'));
  return problem === undefined ? undefined : unusableFolder(files.folder, problem);
}

function isFatal(line: string): boolean {
  return /FATAL:|PANIC:/.test(line);
}

/** Explains why PostgreSQL ended before it was ready, from its log output and the free disk space. */
export function startFailure(files: ClusterFiles, output: string): EmbeddedPostgresError {
  const lines = output.trim().split('\n');
  const fatal = lines.findLast(isFatal);
  const problem =
    diskProblem(fatal ?? '') ?? (diskIsFull(files.data) ? 'the disk is full' : undefined);
  if (problem !== undefined) return unusableFolder(files.folder, problem);
  const reason = fatal ?? (lines.at(-1) || 'it ended at once');
  return new EmbeddedPostgresError(`PostgreSQL did not start: ${reason} (log: ${files.log})`);
}

export function startTimeout(files: ClusterFiles, seconds: number, output: string) {
  const tail = output.trim().split('\n').slice(-5).join(' | ');
  return new EmbeddedPostgresError(
    `PostgreSQL was not ready after ${seconds} s; the end of ${files.log}: ${tail || 'nothing'}`,
  );
}

/** Checks the disk itself, because a full disk also prevents the reason from being written to the log. */
function diskIsFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < 1024 * 1024;
}
