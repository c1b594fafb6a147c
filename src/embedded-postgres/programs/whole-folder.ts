import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncPath } from '../cluster/durable-files.ts';
import { errorCode } from '../embedded-postgres-error.ts';
import { isAlive } from '../process/process-table.ts';

/**
 * Makes the folder `target` in one step: whoever sees it sees it whole. Of processes that make it
 * at the same time one wins, and for the others its folder counts.
 */
export async function makeWhole(
  target: string,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  removeAbandoned(target);
  const draft = mkdtempSync(`${target}.by-${process.pid}-`);
  try {
    await fill(draft);
    syncPath(draft);
    takePlace(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  syncPath(dirname(target));
}

function takePlace(draft: string, target: string): void {
  try {
    renameSync(draft, target);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  }
}

/** Removes what processes that died half-way left beside `target`, as far as it goes. */
export function removeAbandoned(target: string): void {
  const parent = dirname(target);
  const prefix = `${basename(target)}.by-`;
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    try {
      const path = join(parent, name);
      const pid = Number.parseInt(name.slice(prefix.length), 10);
      if (isAbandoned(pid, path)) rmSync(path, { recursive: true, force: true });
    } catch {
      // An orphaned initdb may still be writing there; the next start removes it.
    }
  }
}

function isAbandoned(pid: number, path: string): boolean {
  if (pid !== process.pid) return !isAlive(pid);
  // In a container every run may have the same pid.
  return statSync(path).mtimeMs < Date.now() - process.uptime() * 1000;
}
