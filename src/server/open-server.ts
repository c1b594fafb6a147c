import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/open-database.ts';
import { plantDemoGarden } from './demo.ts';
import type { App } from './http/validation.ts';
import { serverLog } from './log.ts';
import { argon2Hasher } from './password.ts';
import { keptSecret } from './secret.ts';

/** The configured server, ready to listen; closing the app closes the database too. */
export async function openServer(
  config: Config,
  clientDir: string | null,
): Promise<{ app: App; notes: string[] }> {
  const { db, notes } = await openDatabase(config);
  const clock = () => new Date();
  try {
    if (config.demo) await plantDemoGarden(db, clock());
    const app = await createApp({
      db,
      clock,
      hasher: argon2Hasher,
      jwtSecret: config.jwtSecret ?? keptSecret(config.dataDir),
      clientDir,
      logger: serverLog,
    });
    app.addHook('onClose', () => db.close());
    return { app, notes };
  } catch (error) {
    await db.close();
    throw error;
  }
}
