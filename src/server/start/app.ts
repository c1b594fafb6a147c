import { setTimeout as sleep } from 'node:timers/promises';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import fastify, { type FastifyServerOptions, LogController } from 'fastify';
import { photoLimits } from '#domain/journal/photo.ts';
import { publicAuthRoutes, sessionRoutes } from '../accounts/auth-routes.ts';
import { type Hasher, unusablePasswordHash } from '../accounts/password.ts';
import { passwordResetRoutes } from '../accounts/password-reset.ts';
import { registrationRoutes } from '../accounts/registration.ts';
import { registerTokens, requireSession } from '../accounts/session.ts';
import { confirmEmailRoute } from '../accounts/settings/email-change.ts';
import type { Database } from '../database/database.ts';
import { deviceTokenRoutes } from '../devices/routes.ts';
import type { App, AppDeps, Clock, ContractTypes } from '../http/app-deps.ts';
import { batchRoutes } from '../http/batch/routes.ts';
import { trustedProxies } from '../http/client-address.ts';
import {
  handleClientError,
  handleErrors,
  handleMalformedUrl,
  handleUnknownPath,
  handleUnusualRequests,
  requestTimeoutMs,
} from '../http/error-responses.ts';
import { closeGraceMs, drainBeforeClose } from '../http/graceful-close.ts';
import { limitLoad } from '../http/load-limit.ts';
import { apiDocumentRoutes, healthRoute } from '../http/openapi/routes.ts';
import { parseJsonBodies, validateByContract } from '../http/request-input.ts';
import { enableCors, securityHeaders } from '../http/security-headers.ts';
import { serveClient } from '../http/static-client.ts';
import { photoRoutes } from '../journal/photos/routes.ts';
import { journalRoutes } from '../journal/routes.ts';
import { createLive, type LiveLimits } from '../live/live.ts';
import { announceWrites, liveRoutes } from '../live/routes.ts';
import { plantRoutes } from '../plants/routes.ts';
import { logRoutes } from '../readings/routes.ts';
import { calendarFeedRoute } from '../reminders/calendar/feed.ts';
import { calendarRoutes } from '../reminders/calendar/routes.ts';
import { type ReminderOptions, reminderDefaults } from '../reminders/options.ts';
import { reminderRoutes } from '../reminders/routes.ts';
import { unsubscribeRoutes } from '../reminders/unsubscribe.ts';
import { wateringRoutes } from '../watering/routes.ts';

export interface AppOptions {
  db: Database;
  clock: Clock;
  hasher: Hasher;
  jwtSecret: string;
  /** Folder of the built client; null to serve the API only. */
  clientDir: string | null;
  publicUrl: AppDeps['publicUrl'];
  emailQueued: AppDeps['emailQueued'];
  emailTransport: AppDeps['emailTransport'];
  authRateLimit: AppDeps['authRateLimit'];
  /** Proxies whose X-Forwarded-For header is trusted: their number or their IP addresses. */
  trustProxy: number | string[];
  /** Other origins whose pages may call the API. */
  corsOrigins: string[];
  /** Maximum number of requests in progress, beyond which requests are refused; 0 (default): no limit. */
  maxRequests?: number;
  live?: Partial<LiveLimits>;
  photoLimits?: AppDeps['photoLimits'];
  reminders?: Partial<ReminderOptions>;
  /** Serve the API reference page, for development. */
  apiPage?: boolean;
  pause?: AppDeps['pause'];
  logger?: FastifyServerOptions['logger'];
}

/** The complete HTTP app. main.ts lets it listen on a port; tests inject requests. */
export async function createApp(options: AppOptions): Promise<App> {
  const app = fastify({
    logger: options.logger ?? false,
    trustProxy: trustedProxies(options.trustProxy),
    bodyLimit: 64 * 1024,
    forceCloseConnections: true,
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    // Node's maximum size of the request headers, so that even the longest id gets a 404 like other unknown ids.
    routerOptions: { maxParamLength: 16 * 1024 },
    frameworkErrors: handleMalformedUrl,
    clientErrorHandler: handleClientError,
    requestTimeout: requestTimeoutMs,
    // Fastify also applies this to each step of closing: if draining took longer, close() would reject.
    pluginTimeout: 3 * closeGraceMs,
    http: { requireHostHeader: false },
  }).withTypeProvider<ContractTypes>();
  const live = createLive(options, options.live);
  const deps: AppDeps = {
    pause: sleep,
    photoLimits,
    ...options,
    reminders: { ...reminderDefaults, ...options.reminders },
    announcer: live.announcer,
    unusablePasswordHash: unusablePasswordHash(options.hasher),
  };

  // Live streams never end by themselves, so they are ended first. Announcing stops last, so that changes made by the
  // remaining requests are still announced.
  app.addHook('preClose', live.endStreams);
  drainBeforeClose(app);
  app.addHook('preClose', live.stop);
  parseJsonBodies(app);
  validateByContract(app);
  handleErrors(app, options.db);
  await enableCors(app, options.corsOrigins);
  limitLoad(app, options.maxRequests ?? 0);
  handleUnusualRequests(app);
  await app.register(helmet, securityHeaders);
  await app.register(compress, {
    global: true,
    encodings: ['br', 'gzip'],
    threshold: 1024,
  });
  await registerTokens(app, options.jwtSecret);

  healthRoute(app, deps);
  apiDocumentRoutes(app, { withPage: options.apiPage ?? false });
  publicAuthRoutes(app, deps);
  registrationRoutes(app, deps);
  passwordResetRoutes(app, deps);
  confirmEmailRoute(app, deps);
  calendarFeedRoute(app, deps);
  await app.register((scope: App) => unsubscribeRoutes(scope, deps));
  await app.register((scope: App) => sessionRoutes(scope, deps));
  await app.register(async (scope: App) => {
    await requireSession(scope, deps.db, deps.clock);
    announceWrites(scope, live.announcer);
    plantRoutes(scope, deps);
    wateringRoutes(scope, deps);
    journalRoutes(scope, deps);
    await photoRoutes(scope, deps);
    logRoutes(scope, deps);
    deviceTokenRoutes(scope, deps);
    reminderRoutes(scope, deps);
    calendarRoutes(scope, deps);
    batchRoutes(scope);
    liveRoutes(scope, live);
  });
  if (options.clientDir) await serveClient(app, options.clientDir);
  else app.setNotFoundHandler(handleUnknownPath);
  return app;
}
