import { statfsSync } from 'node:fs';
import type { ClusterFiles } from '../cluster/cluster-files.ts';
import { diskTrouble, EmbeddedPostgresError, unusable } from '../embedded-postgres-error.ts';

/** Ends that a moment's patience mends: a rival, its remains, or a swept socket folder. */
const passing =
  /still in use|lock file "[^"]*" (already exists|is empty)|\.s\.PGSQL\.[^\n]*(No such file|in use)/;

export function isPassing(said: string): boolean {
  return passing.test(said);
}

/** Why PostgreSQL ended before it was ready. */
export function startFailure(files: ClusterFiles, said: string): EmbeddedPostgresError {
  const lines = said.trim().split('\n');
  const fatal = lines.findLast((line) => /FATAL:|PANIC:/.test(line));
  const trouble =
    diskTrouble(fatal ?? '') ?? (diskIsFull(files.data) ? 'the disk is full' : undefined);
  if (trouble !== undefined) return unusable(files.folder, trouble);
  const reason = fatal ?? (lines.at(-1) || 'it ended at once');
  return new EmbeddedPostgresError(`PostgreSQL did not start: ${reason} (log: ${files.log})`);
}

export function startTimeout(files: ClusterFiles, seconds: number, said: string) {
  const tail = said.trim().split('\n').slice(-5).join(' | ');
  return new EmbeddedPostgresError(
    `PostgreSQL was not ready after ${seconds} s; the end of ${files.log}: ${tail || 'nothing'}`,
  );
}

/** On a full disk the log cannot say so either. */
function diskIsFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < 1024 * 1024;
}
