import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** A new or renamed entry survives a power cut only once its folder was synced. */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
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
