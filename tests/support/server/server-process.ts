import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { settingNames } from '#server/start/config.ts';
import { projectRoot } from '../../../src/build/build-if-needed.mjs';

/** The built server as a separate process, on a free port. */
export interface ServerProcess {
  url: string;
  pid: number;
  /** Everything that it has printed. */
  output: () => string;
  signal: (name: NodeJS.Signals) => void;
  /** Resolves with the exit code, null after a signal. */
  ended: Promise<number | null>;
  /** kill -9: no handler of the process runs. */
  kill: () => Promise<void>;
}

export interface StartOptions {
  env: Record<string, string>;
  command?: readonly [program: string, ...args: string[]];
}

const builtServer = [process.execPath, 'dist/server/main.js'] as const;
const running = new Set<ChildProcess>();

// Kills the servers that a failed test has not stopped.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the built server, or `command`, by default without demo and rate limits. Does not wait until it is ready. */
export function spawnServer({ env, command = builtServer }: StartOptions): ChildProcess {
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd: projectRoot, env: { ...cleanEnvironment(), ...env } });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export async function startServer(options: StartOptions): Promise<ServerProcess> {
  const child = spawnServer(options);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const url = /ready at (http\S+)/.exec(await outputWhenReady(child))?.[1] ?? '';
  return {
    url,
    pid: child.pid ?? 0,
    output: () => output,
    signal: (name) => void child.kill(name),
    ended,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Resolves to the output once it has the URL and a `Data:` line. Rejects with the output if the server exits first. */
export async function outputWhenReady(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const collect = (chunk: Buffer) => {
      output += String(chunk);
      if (/ready at http\S+[\s\S]*\nData: .*\n/.test(output)) resolve(output);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('close', (code) => reject(new Error(`exit ${code}: ${output}`)));
  });
}

/** The environment without any setting of the server, so that those of a developer cannot influence a test. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !settingNames.includes(name));
  return { ...Object.fromEntries(inherited), PORT: '0', DEMO: '0', AUTH_RATE_LIMIT: '0' };
}
