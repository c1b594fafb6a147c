import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../embedded-postgres-error.ts';

/** A new or renamed entry survives a power cut only once its folder was synced. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    // Some file systems cannot sync a folder and say so; PostgreSQL lives with that too.
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

/** Like a recursive mkdir, which calls a read-only file system a missing one. */
export function makeFolder(path: string, mode = 0o755): void {
  try {
    makeOne(path, mode);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    makeOne(path, mode);
  }
}

function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
    syncPath(dirname(path));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
