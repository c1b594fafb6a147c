import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs';

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
