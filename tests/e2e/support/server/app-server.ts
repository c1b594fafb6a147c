import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { projectRoot } from '../../../../src/build/build-if-needed.mjs';
import { makeTestDatabase } from '../../../support/database/database.ts';
import { provided } from '../../../support/provided.ts';
import { outputWhenReady } from '../../../support/server/server-process.ts';

/** Settings of a server with the demo garden. All use one secret, so that sessions in a cloned database stay valid. */
export function demoSettings(databaseUrl: string) {
  return {
    DATABASE_URL: databaseUrl,
    JWT_SECRET: 'a secret that is long enough for tests',
    DEMO: '1',
  };
}

const shiftedClock = new URL('./shifted-clock.mjs', import.meta.url).href;

/** The built server as a separate process, on a database that survives its restarts. */
export interface AppServer {
  url: string;
  dataDir: string;
  /** Starts it (again) with its clock set forward by `clockShiftMs`; resolves once it accepts requests. */
  start: (clockShiftMs?: number) => Promise<void>;
  /** kill -9, like an out-of-memory kill. */
  kill: () => Promise<void>;
  /** Suspends the process: connections stay open without a response until `kill`. */
  freeze: () => void;
  /** Queries the server's database. */
  query: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;
  close: () => Promise<void>;
}

export async function openAppServer(mainFile = 'dist/server/main.js'): Promise<AppServer> {
  const database = await makeTestDatabase({ template: provided('demoDatabase') });
  const data = new pg.Pool({ connectionString: database.url, max: 2 });
  // `end()` resolves before all sockets are closed, so dropping the database may terminate a connection with an error.
  data.on('error', () => undefined);
  const port = await freePort();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-e2e-'));
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    ...demoSettings(database.url),
  };
  let child: ChildProcess | null = null;

  async function kill(): Promise<void> {
    const dying = child;
    child = null;
    if (!dying || dying.exitCode !== null || dying.signalCode !== null) return;
    dying.kill('SIGKILL');
    await once(dying, 'exit');
  }

  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    kill,
    start: async (clockShiftMs = 0) => {
      const clock = clockShiftMs === 0 ? [] : ['--import', shiftedClock];
      child = spawn(process.execPath, [...clock, mainFile], {
        cwd: projectRoot,
        env: { ...env, CLOCK_SHIFT_MS: String(clockShiftMs) },
      });
      await outputWhenReady(child);
    },
    freeze: () => void child?.kill('SIGSTOP'),
    query: async (text, values) => (await data.query(text, values)).rows,
    close: async () => {
      await kill();
      await data.end();
      await database.drop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * A port for a server that is started later, and perhaps restarted. It is below the range from which the system takes
 * ports for connections and for servers that listen on port 0, so that none of these gets it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = net.createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isListening) return false;
  server.close();
  await once(server, 'close');
  return true;
}
