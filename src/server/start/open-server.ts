import type { FastifyServerOptions } from 'fastify';
import { argon2Hasher } from '../accounts/password.ts';
import { loadTokenSecret } from '../accounts/token-secret.ts';
import { openDatabase } from '../database/open-database.ts';
import { closeDemo } from '../demo/close-demo.ts';
import { seedDemo } from '../demo/run-demo.ts';
import { demoAccount } from '../demo/seed-demo.ts';
import type { App } from '../http/app-deps.ts';
import { createHousekeeping } from '../jobs/housekeeping.ts';
import { createEmailSender } from '../mail/email-sender.ts';
import { openEmailTransport } from '../mail/email-transport.ts';
import { renewVersions } from '../plants/changes.ts';
import { createRetention } from '../readings/retention.ts';
import { createRollUpJob } from '../readings/series/roll-up-job.ts';
import { mailRecorder } from '../reminders/channels/channel-result.ts';
import { contactOf } from '../reminders/options.ts';
import { createReminderJob } from '../reminders/reminders.ts';
import { type AppOptions, createApp } from './app.ts';
import type { Config } from './config.ts';

export interface OpenServer {
  app: App;
  /** Lines for the console about the database. */
  notes: string[];
  /** Where emails go, for the console. */
  emailsGoTo: string;
}

/**
 * The configured server with database and jobs, ready to listen. Closing the app closes everything else too. `devUrl`
 * is the base URL of links in emails and notifications while Vite serves the app, unless PUBLIC_URL is set.
 */
export async function openServer(
  config: Config,
  clientDir: string | null,
  devUrl?: () => string | undefined,
  extras: Pick<AppOptions, 'apiPage'> = {},
): Promise<OpenServer> {
  const { db, notes } = await openDatabase(config);
  const clock = () => new Date();
  try {
    if (config.isAfterRestore) {
      await renewVersions(db);
      notes.push('AFTER_RESTORE: all apps load everything again; remove it before the next start');
    }
    if (config.demo) await seedDemo(db, clock());
    else if (!config.isLocal && (await closeDemo(db))) notes.push(demoClosed);
    const { transport, description: emailsGoTo } = openEmailTransport(config, clock);
    const emailSender = createEmailSender({
      db,
      clock,
      transport,
      onFailure: logEmailFailure,
      onReminder: mailRecorder({ db, clock }),
    });
    const housekeeping = createHousekeeping({ db, clock, onFailure: logHousekeepingFailure });
    const keepDays = config.readingsDays;
    const retention = createRetention({ db, clock, keepDays, onFailure: logRetentionFailure });
    const rollUps = createRollUpJob({ db, clock, onFailure: logRollUpFailure });
    const { pushOrigins, allowsPrivateNtfy } = config;
    const reminders = { pushOrigins, allowsPrivateNtfy, contact: contactOf(config) };
    const publicUrl = () => config.publicUrl ?? devUrl?.() ?? localUrl(app, config);
    const reminderJob = createReminderJob({
      db,
      clock,
      publicUrl,
      reminders,
      emailQueued: emailSender.wake,
      startedAt: clock(),
      onFailure: logReminderFailure,
    });
    const app: App = await createApp({
      db,
      clock,
      hasher: argon2Hasher,
      jwtSecret: config.jwtSecret ?? loadTokenSecret(config.dataDir),
      clientDir,
      publicUrl,
      emailQueued: emailSender.wake,
      emailTransport: transport,
      maxRequests: config.maxRequests,
      live: { maxStreams: config.liveStreams },
      photoLimits: { bytes: config.maxPhotoBytes, count: config.maxPhotos },
      authRateLimit: config.authRateLimit,
      trustProxy: config.trustProxy,
      corsOrigins: config.corsOrigins,
      reminders,
      logger: serverLog,
      ...extras,
    });
    app.addHook('onClose', async () => {
      const jobs = [emailSender, housekeeping, retention, rollUps, reminderJob];
      await Promise.all(jobs.map((job) => job.stop()));
      await db.close();
    });
    emailSender.start();
    housekeeping.start();
    retention.start();
    rollUps.start();
    reminderJob.start();
    return { app, notes, emailsGoTo };
  } catch (error) {
    await db.close();
    throw db.explain(error);
  }
}

const demoClosed = `Nobody can sign in to ${demoAccount.email} any more: its password is published`;

/**
 * The URL at which this machine reaches the server. With PORT=0 it contains the real port only once the server listens.
 */
export function localUrl(app: App, { host, port }: Pick<Config, 'host' | 'port'>): string {
  const bound = app.server.address();
  const boundPort = typeof bound === 'object' && bound ? bound.port : port;
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${boundPort}`;
}

function logEmailFailure(code: string, isRetried: boolean): void {
  const next = isRetried
    ? 'will be tried again'
    : 'was deleted, because the recipient was rejected';
  console.error(`An email could not be sent and ${next}: ${code}`);
}

function logHousekeepingFailure(code: string): void {
  console.error(`Expired rows could not be deleted: ${code}`);
}

function logRollUpFailure(code: string): void {
  console.error(`Readings could not be rolled up: ${code}`);
}

function logReminderFailure(code: string): void {
  console.error(`A reminder could not be sent: ${code}`);
}

function logRetentionFailure(code: string): void {
  console.error(`Old readings could not be deleted: ${code}`);
}

/** Logs warnings and errors as JSON lines. Error messages are left out: the database puts row values into them. */
export const serverLog: FastifyServerOptions['logger'] = {
  level: 'warn',
  base: null,
  serializers: {
    err: (error: Error & { code?: string }) => ({
      type: error.name,
      message: '',
      code: error.code,
      // A message may have lines that look like those of a stack.
      stack: (error.stack ?? '')
        .replace(error.message, '')
        .split('\n')
        .filter((line) => /^\s+at /.test(line))
        .slice(0, 8)
        .join('\n'),
    }),
  },
};
