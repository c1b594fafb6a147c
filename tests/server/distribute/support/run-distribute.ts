import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { spawnServer } from '../../../support/server-process.ts';

export interface Ended {
  code: number | null;
  /** What it printed, line by line. */
  lines: string[];
  complaint: string;
}

export interface RunningCommand {
  process: ChildProcess;
  ended: Promise<Ended>;
}

/** Starts the built command as a separate process. */
export function startDistribute(databaseUrl: string, ...args: string[]): RunningCommand {
  const command = [process.execPath, 'dist/distribute/main.js', ...args] as const;
  const child = spawnServer({ env: { DATABASE_URL: databaseUrl }, command });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (chunk) => {
      said[name] += String(chunk);
    });
  }
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    lines: said.stdout.split('\n').filter(Boolean),
    complaint: said.stderr,
  }));
  return { process: child, ended };
}

export function runDistribute(databaseUrl: string, ...args: string[]): Promise<Ended> {
  return startDistribute(databaseUrl, ...args).ended;
}
