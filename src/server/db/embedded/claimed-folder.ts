import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './process-table.ts';

/** A private folder beside `target`, to be filled and then renamed to it in one step. */
export function claimFolder(target: string): string {
  return mkdtempSync(`${target}.by-${process.pid}-`);
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
