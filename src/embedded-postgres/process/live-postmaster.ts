import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../embedded-postgres-error.ts';

export interface Postmaster {
  pid: number;
  socketFolder: string;
  /** False while it is starting, recovering or shutting down. */
  ready: boolean;
}

/** The PostgreSQL that runs on this data folder, if this or another process started it with serverArguments(). */
export function livePostmaster(data: string): Postmaster | undefined {
  const lines = readLockFile(data);
  const pid = lockFilePid(lines);
  if (pid === undefined || !isPostmaster(pid, data)) return undefined;
  return { pid, socketFolder: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' };
}

export function isPostmaster(pid: number, data: string): boolean {
  return isAlive(pid) && commandOf(pid).includes(`postgres -D ${data} -c `);
}

/**
 * The pid in the lock file, if another program or the PostgreSQL of another folder is known to have it now. This
 * happens after a reboot, in a container, or in a copy of a folder whose server runs. PostgreSQL would think that a
 * server of this folder is running and refuse to start.
 */
export function pidReusedByAnother(data: string): number | undefined {
  const pid = lockFilePid(readLockFile(data));
  if (pid === undefined || !isAlive(pid)) return undefined;
  const isPostgres = /(^|\/)postgres(:| |$)/.test(commandOf(pid));
  return isPostgres && !worksElsewhere(pid, data) ? undefined : pid;
}

/**
 * Whether the process is known to work in another folder: the working directory of a PostgreSQL process is its data
 * folder, even after the folder was moved. Without /proc this is unknown, and the PostgreSQL that starts decides by the
 * pid alone.
 */
function worksElsewhere(pid: number, data: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) !== realpathSync(data);
  } catch {
    return false;
  }
}

function readLockFile(data: string): string[] {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

function lockFilePid(lines: string[]): number | undefined {
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return pid > 0 ? pid : undefined;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** The process's arguments joined by spaces; empty if it is a zombie (on Linux) or if there is no such process. */
function commandOf(pid: number): string {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-ww', '-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' }).stdout;
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
