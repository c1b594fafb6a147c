import { fileURLToPath } from 'node:url';
import { addressOf } from './address.ts';
import { type Config, readConfig } from './config.ts';
import { feedDemoGarden } from './demo/run-demo.ts';
import { demoAccount } from './demo/seed-demo.ts';
import type { App } from './http/validation.ts';
import { openServer } from './open-server.ts';
import { startProblem } from './start-problem.ts';

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const clientDir = fileURLToPath(new URL('../client', import.meta.url));
  const { app, notes, mailsAt } = await openServer(config, clientDir);
  const stopping = stopOnSignals(app);
  const address = await listen(app, config);
  if (config.demo) feedDemoGarden(address, stopping.signal);
  for (const line of [...notes, ...announcement(config, address, mailsAt)]) console.log(line);
}

async function listen(app: App, { port, host }: Config): Promise<string> {
  try {
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    throw error;
  }
  return addressOf(app, { host, port });
}

function announcement(config: Config, address: string, mailsAt: string): string[] {
  return [
    `Sprig is ready at ${address}`,
    ...(config.demo ? [`Demo account: ${demoAccount.email} / ${demoAccount.password}`] : []),
    `Mails: ${mailsAt}`,
    `Data: ${config.databaseUrl ? 'in the PostgreSQL of DATABASE_URL' : config.dataDir}`,
  ];
}

/** What is in flight is answered first; a second signal does not wait. Aborts when the end begins. */
function stopOnSignals(app: App): AbortController {
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(1);
      stopping.abort();
      app.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
  return stopping;
}

start().catch((error: unknown) => {
  console.error(`Sprig could not start: ${startProblem(error)}`);
  process.exit(1);
});
