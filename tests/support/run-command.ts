import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { spawnServer } from './server/server-process.ts';

export interface EndedCommand {
  code: number | null;
  /** What it wrote to stdout, line by line. */
  lines: string[];
  /** What it wrote to stderr. */
  stderr: string;
}

export interface RunningCommand {
  process: ChildProcess;
  ended: Promise<EndedCommand>;
}

/** Starts a built command, such as `transfer`, as a separate process. */
export function startCommand(
  name: string,
  env: Record<string, string>,
  args: readonly string[],
): RunningCommand {
  const command = [process.execPath, `dist/${name}/main.js`, ...args] as const;
  const child = spawnServer({ env, command });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (chunk) => {
      output[stream] += String(chunk);
    });
  }
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    lines: output.stdout.split('\n').filter(Boolean),
    stderr: output.stderr,
  }));
  return { process: child, ended };
}
