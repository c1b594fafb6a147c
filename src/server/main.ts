import { fileURLToPath } from 'node:url';
import { startDemoDevices } from './demo/run-demo.ts';
import { demoAccount } from './demo/seed-demo.ts';
import type { App } from './http/app-deps.ts';
import { type Config, readConfig } from './start/config.ts';
import { localUrl, openServer } from './start/open-server.ts';
import { describeStartError, listenError } from './start/start-error.ts';

async function start(): Promise<void> {
  const stopping = stopOnSignals();
  const config = readConfig(process.env);
  const clientDir = fileURLToPath(new URL('../client', import.meta.url));
  const { app, notes, emailsGoTo } = await openServer(config, clientDir);
  stopping.close = () => app.close();
  const url = await listen(app, config);
  if (config.demo) startDemoDevices(url, stopping.signal);
  for (const line of [...notes, ...announcement(config, url, emailsGoTo)]) console.log(line);
}

async function listen(app: App, { port, host }: Config): Promise<string> {
  try {
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    throw listenError(error);
  }
  return localUrl(app, { host, port });
}

function announcement(config: Config, url: string, emailsGoTo: string): string[] {
  return [
    `Sprig is ready at ${url}`,
    ...(config.demo ? [`Demo account: ${demoAccount.email} / ${demoAccount.password}`] : []),
    `Mails: ${emailsGoTo}`,
    `Data: ${config.databaseUrl ? 'in the PostgreSQL of DATABASE_URL' : config.dataDir}`,
  ];
}

interface Stopping {
  /** Aborts with the first signal. */
  signal: AbortSignal;
  /** What has to be closed before the process exits. */
  close: () => Promise<void>;
}

/**
 * Signals within this time (ms) count as one: after Ctrl+C the program gets the signal from the terminal, and again from
 * npm.
 */
const sameSignalMs = 500;

/**
 * On SIGTERM or SIGINT, closes the server and exits; on a later signal, exits at once. Call it before the server is
 * started: process 1 of a container ignores signals that it has no handler for.
 */
function stopOnSignals(): Stopping {
  const aborting = new AbortController();
  const stopping: Stopping = { signal: aborting.signal, close: async () => undefined };
  let lastAt = Number.NEGATIVE_INFINITY;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      const isRepeated = performance.now() - lastAt <= sameSignalMs;
      if (isRepeated) return;
      lastAt = performance.now();
      if (aborting.signal.aborted) process.exit(1);
      aborting.abort();
      stopping.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
  return stopping;
}

start().catch((error: unknown) => {
  console.error(`Sprig could not start: ${describeStartError(error)}`);
  process.exit(1);
});
