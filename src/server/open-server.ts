import { argon2Hasher } from './accounts/password.ts';
import { keptSecret } from './accounts/secret.ts';
import { addressOf } from './address.ts';
import { type AppOptions, createApp } from './app.ts';
import type { Config } from './config.ts';
import { openDatabase } from './database/open-database.ts';
import { plantDemoGarden } from './demo/run-demo.ts';
import type { App } from './http/validation.ts';
import { createHousekeeping } from './jobs/housekeeping.ts';
import { createMailSender } from './jobs/send-mails.ts';
import { serverLog } from './log.ts';
import { openMail } from './mail/open-mail.ts';

/** The configured server, ready to listen; closing the app closes everything else too. */
export async function openServer(
  config: Config,
  clientDir: string | null,
  ownAddress?: () => string | undefined,
  extras: Pick<AppOptions, 'apiPage'> = {},
): Promise<{ app: App; notes: string[]; mailsAt: string }> {
  const { db, notes } = await openDatabase(config);
  const clock = () => new Date();
  try {
    if (config.demo) await plantDemoGarden(db, clock());
    const { mail, where: mailsAt } = openMail(config, clock);
    const sender = createMailSender({ db, clock, mail, onFailure: tellMailFailure });
    const housekeeping = createHousekeeping({ db, clock, onFailure: tellHousekeepingFailure });
    const app: App = await createApp({
      db,
      clock,
      hasher: argon2Hasher,
      jwtSecret: config.jwtSecret ?? keptSecret(config.dataDir),
      clientDir,
      publicUrl: () => config.publicUrl ?? ownAddress?.() ?? addressOf(app, config),
      mailQueued: sender.wake,
      authRateLimit: config.authRateLimit,
      trustProxy: config.trustProxy,
      corsOrigins: config.corsOrigins,
      logger: serverLog,
      ...extras,
    });
    app.addHook('onClose', async () => {
      await Promise.all([sender.stop(), housekeeping.stop()]);
      await db.close();
    });
    sender.start();
    housekeeping.start();
    return { app, notes, mailsAt };
  } catch (error) {
    await db.close();
    throw error;
  }
}

function tellMailFailure(code: string): void {
  console.error(`A mail could not be sent and will be tried again: ${code}`);
}

function tellHousekeepingFailure(code: string): void {
  console.error(`What has ended could not be cleared away: ${code}`);
}
