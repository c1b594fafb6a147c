import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf, isAlive } from './process-table.ts';

export interface Postmaster {
  pid: number;
  socketFolder: string;
  /** False while it starts, recovers or shuts down. */
  ready: boolean;
}

/** The PostgreSQL that runs on this data folder, whoever started it. */
export function livePostmaster(data: string): Postmaster | undefined {
  const lines = lockFile(data);
  const pid = lockedBy(lines);
  if (pid === undefined || !isPostmaster(pid, data)) return undefined;
  return { pid, socketFolder: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' };
}

export function isPostmaster(pid: number, data: string): boolean {
  return isAlive(pid) && commandOf(pid).includes(`postgres -D ${data} -c `);
}

/**
 * A process that is no PostgreSQL but has the number in the lock file, as happens after a reboot or
 * in a container. PostgreSQL would take it for a living rival.
 */
export function pidReusedByAnother(data: string): number | undefined {
  const pid = lockedBy(lockFile(data));
  if (pid === undefined || !isAlive(pid)) return undefined;
  return /(^|\/)postgres(:| |$)/.test(commandOf(pid)) ? undefined : pid;
}

function lockFile(data: string): string[] {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

function lockedBy(lines: string[]): number | undefined {
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return pid > 0 ? pid : undefined;
}
