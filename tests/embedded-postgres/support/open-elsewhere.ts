import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { provided } from '../../support/provided.ts';

export type Call = { id: number } & (
  | { name: 'query'; text: string }
  | { name: 'ensureRunning' }
  | { name: 'stop' }
);
export type Reply = { id: number; rows: unknown[] } | { id: number; error: string };
type Bare<T> = T extends unknown ? Omit<T, 'id'> : never;

export interface Opener {
  adopted: boolean;
  query<Row>(text: string): Promise<Row[]>;
  ensureRunning(): Promise<{ adopted: boolean }>;
  stop(): Promise<void>;
  /** kill -9: no handler of the process runs. */
  kill(): Promise<void>;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
let bundle: Promise<string> | undefined;

/** Opens the data folder in another Node process, which ends at the latest with this one. */
export async function openElsewhere(dataDir: string): Promise<Opener> {
  bundle ??= bundleOpener();
  const child = fork(await bundle, [dataDir], { execArgv: [] });
  const { request, replyTo } = messages(child);
  const [{ adopted }] = (await replyTo(0)) as [{ adopted: boolean }];
  return {
    adopted,
    query: async <Row>(text: string) => (await request({ name: 'query', text })) as Row[],
    ensureRunning: async () =>
      ((await request({ name: 'ensureRunning' })) as [{ adopted: boolean }])[0],
    stop: async () => {
      await request({ name: 'stop' });
      child.disconnect();
      await once(child, 'exit');
    },
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

function messages(child: ChildProcess) {
  let last = 0;
  const open = new Map<number, (reply: Reply) => void>();
  child.on('message', (reply: Reply) => open.get(reply.id)?.(reply));
  child.once('exit', () => {
    for (const [id, onReply] of open) onReply({ id, error: 'the process ended' });
  });
  const replyTo = (id: number) =>
    new Promise<unknown[]>((resolve, reject) => {
      open.set(id, (reply) => {
        open.delete(id);
        if ('rows' in reply) resolve(reply.rows);
        else reject(new Error(reply.error));
      });
    });
  const request = (call: Bare<Call>) => {
    last += 1;
    const reply = replyTo(last);
    if (child.connected) child.send({ id: last, ...call }, () => undefined);
    else open.get(last)?.({ id: last, error: 'the process ended' });
    return reply;
  };
  return { request, replyTo };
}

/** Bundles the opener, because Node 20 runs no TypeScript. The bundle is inside the project to find its packages. */
async function bundleOpener(): Promise<string> {
  const outDir = mkdtempSync(join(provided('bundleFolder'), 'opener-'));
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      ssr: fileURLToPath(new URL('./opener.ts', import.meta.url)),
      outDir,
      target: 'node20',
    },
  });
  return join(outDir, 'opener.js');
}
