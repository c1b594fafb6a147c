import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { errorCode } from '../embedded-postgres-error.ts';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** The process's arguments joined by spaces; empty for a zombie or if there is no such process. */
export function commandOf(pid: number): string {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-ww', '-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' }).stdout;
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
