import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { projectRoot } from '../../../../src/build/build-if-needed.mjs';
import { outputWhenReady } from '../../../support/server/server-process.ts';

/** A separate process, so that its CPU time and memory are measured separately from those of the load generator. */
export interface ProbedProcess {
  url: string;
  /** CPU ms of this process so far. */
  cpuMs: () => Promise<number>;
  /** Bytes, after a garbage collection. */
  memory: () => Promise<{ rss: number; heapUsed: number }>;
  /**
   * Sends a task to the process and resolves to its reply. Send one task at a time: replies are not matched to tasks.
   */
  request: (task: Task) => Promise<unknown>;
  stop: () => Promise<void>;
}

type Task = { request: string } & Record<string, unknown>;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a program with probe.mjs preloaded. The program must print its URL when it is ready. */
export async function startProbed(
  program: string,
  env: Record<string, string>,
): Promise<ProbedProcess> {
  const child = fork(program, {
    cwd: projectRoot,
    env: { PATH: process.env.PATH ?? '', HOME: os.homedir(), NODE_ENV: 'production', ...env },
    execArgv: ['--expose-gc', '--import', './tests/bench/support/server/probe.mjs'],
    silent: true,
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.stderr?.pipe(process.stderr);
  const url = /ready at (http\S+)/.exec(await outputWhenReady(child))?.[1] ?? '';
  const request = async (task: Task) => {
    const answered = once(child, 'message');
    child.send(task);
    return (await answered)[0];
  };
  return {
    url,
    cpuMs: async () => {
      const { user, system } = (await request({ request: 'usage' })) as NodeJS.CpuUsage;
      return (user + system) / 1000;
    },
    memory: async () => (await request({ request: 'memory' })) as NodeJS.MemoryUsage,
    request,
    stop: async () => {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
