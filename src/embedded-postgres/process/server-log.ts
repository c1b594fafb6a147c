import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs';

const largest = 5 * 1024 * 1024;

/** Called while no server writes: a large log steps aside, the one before it goes. */
export function turnLog(path: string): void {
  if (logSize(path) > largest) renameSync(path, `${path}.old`);
}

export function logSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** What the log has gained since it was `from` bytes long, at most its last 4 KiB. */
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
