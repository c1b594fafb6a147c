import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inject } from 'vitest';
import { readConfig } from '#server/start/config.ts';
import { type OpenServer, openServer } from '#server/start/open-server.ts';
import { type TestServer, testSecret } from './server.ts';

/** Opens the server as its command does, with these settings and its jobs, on the database of a test server. */
export async function openRunningServer(
  { db }: Pick<TestServer, 'db'>,
  settings: Record<string, string>,
): Promise<Pick<OpenServer, 'app' | 'notes'> & { close: () => Promise<void> }> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-running-server-'));
  const { host, port, user, password } = inject('postgres');
  const { rows } = await db.pool.query('SELECT current_database() AS name');
  const at = new URLSearchParams({ host, port: String(port), user, password });
  const config = readConfig({
    DATABASE_URL: `postgres:///${rows[0].name}?${at}`,
    JWT_SECRET: testSecret,
    DATA_DIR: dataDir,
    ...settings,
  });
  const { app, notes } = await openServer(config, null);
  return {
    app,
    notes,
    close: async () => {
      await app.close();
      fs.rmSync(dataDir, { recursive: true });
    },
  };
}
