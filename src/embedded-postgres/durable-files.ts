import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode } from './embedded-postgres-error.ts';
import { isAlive } from './process/live-postmaster.ts';

/** Syncs a file or folder to disk. A new or renamed entry survives a power cut only once its folder was synced. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    // Some file systems cannot sync a folder; PostgreSQL ignores this error too.
    if (errorCode(error) !== 'EINVAL') throw error;
  } finally {
    closeSync(handle);
  }
}

export function writeNewFile(path: string, text: string, mode: number): void {
  const handle = openSync(path, 'wx', mode);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** A recursive mkdir with correct errors: Node's own reports a read-only file system as a missing folder. */
export function makeFolder(path: string, mode = 0o755): void {
  try {
    makeSingleFolder(path, mode);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    makeSingleFolder(path, mode);
  }
}

function makeSingleFolder(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
    syncPath(dirname(path));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Creates the folder `target` atomically: a draft folder is filled and then renamed, so that `target` is never
 * incomplete. If several processes do this at the same time, one wins and the others use its folder.
 */
export async function createFolderAtomically(
  target: string,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  removeAbandonedDrafts(target);
  const draft = mkdtempSync(`${target}.by-${process.pid}-`);
  try {
    await fill(draft);
    syncPath(draft);
    renameUnlessPresent(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  syncPath(dirname(target));
}

function renameUnlessPresent(draft: string, target: string): void {
  try {
    renameSync(draft, target);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  }
}

/** Removes the drafts of `target` that killed processes left behind, as far as possible. */
export function removeAbandonedDrafts(target: string): void {
  const parent = dirname(target);
  const prefix = `${basename(target)}.by-`;
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    try {
      const path = join(parent, name);
      const pid = Number.parseInt(name.slice(prefix.length), 10);
      if (isAbandoned(pid, path)) rmSync(path, { recursive: true, force: true });
    } catch {
      // An orphaned initdb may still be writing to this draft. The next start tries again to remove it.
    }
  }
}

function isAbandoned(pid: number, path: string): boolean {
  if (pid !== process.pid) return !isAlive(pid);
  // In a container every run may have the same pid.
  return statSync(path).mtimeMs < Date.now() - process.uptime() * 1000;
}
