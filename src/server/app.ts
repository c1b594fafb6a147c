import { setTimeout as sleep } from 'node:timers/promises';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import fastify, { type FastifyServerOptions, LogController } from 'fastify';
import { openAuthRoutes, ownAuthRoutes } from './accounts/auth-routes.ts';
import type { Hasher } from './accounts/password.ts';
import { passwordResetRoutes } from './accounts/password-reset.ts';
import { registrationRoutes } from './accounts/registration.ts';
import type { Clock } from './clock.ts';
import type { Database } from './database/database.ts';
import type { AppDeps } from './deps.ts';
import { deviceTokenRoutes } from './devices/routes.ts';
import { answerBrokenHttp, answerOddHttp, requestTimeoutMs } from './http/broken-http.ts';
import { trustedProxies } from './http/client-address.ts';
import { allowOrigins } from './http/cors.ts';
import { answerBadAddress, answerErrors, answerUnknownPath } from './http/error-answers.ts';
import { answerBeforeClosing } from './http/graceful-close.ts';
import { readJsonBodies } from './http/json-body.ts';
import { securityHeaders } from './http/security-headers.ts';
import { registerTokens, requireSession } from './http/session.ts';
import { serveClient } from './http/static-client.ts';
import { type App, type ContractTypes, validateByContract } from './http/validation.ts';
import { onceMade } from './once-made.ts';
import { apiReferenceRoutes } from './openapi/api-reference.ts';
import { healthzRoute } from './openapi/healthz.ts';
import { plantRoutes } from './plants/routes.ts';
import { logRoutes } from './readings/routes.ts';
import { wateringRoutes } from './watering/routes.ts';

export interface AppOptions {
  db: Database;
  clock: Clock;
  hasher: Hasher;
  jwtSecret: string;
  /** The built client's folder; null serves the API alone. */
  clientDir: string | null;
  publicUrl: AppDeps['publicUrl'];
  mailQueued: AppDeps['mailQueued'];
  authRateLimit: AppDeps['authRateLimit'];
  /** Whose forwarding headers say where a request comes from. */
  trustProxy: number | string[];
  /** Origins whose pages may call the API from another host. */
  corsOrigins: string[];
  /** Also a page that shows the API, for development. */
  apiPage?: boolean;
  pause?: AppDeps['pause'];
  logger?: FastifyServerOptions['logger'];
}

/** The whole server but its port: main listens on it, tests inject into it. */
export async function createApp(options: AppOptions): Promise<App> {
  const app = fastify({
    logger: options.logger ?? false,
    trustProxy: trustedProxies(options.trustProxy),
    bodyLimit: 64 * 1024,
    forceCloseConnections: true,
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    // As long as a header may be: an id of any length is looked up and not found.
    routerOptions: { maxParamLength: 16 * 1024 },
    frameworkErrors: answerBadAddress,
    clientErrorHandler: answerBrokenHttp,
    requestTimeout: requestTimeoutMs,
    http: { requireHostHeader: false },
  }).withTypeProvider<ContractTypes>();
  const deps: AppDeps = {
    pause: sleep,
    ...options,
    absentAccountHash: onceMade(() => options.hasher.hash('no account has this password')),
  };

  answerBeforeClosing(app);
  readJsonBodies(app);
  validateByContract(app);
  answerErrors(app, options.db);
  await allowOrigins(app, options.corsOrigins);
  answerOddHttp(app);
  await app.register(helmet, securityHeaders);
  await app.register(compress, {
    global: true,
    encodings: ['br', 'gzip'],
    threshold: 1024,
  });
  await registerTokens(app, options.jwtSecret);

  healthzRoute(app, deps);
  apiReferenceRoutes(app, { withPage: options.apiPage ?? false });
  openAuthRoutes(app, deps);
  registrationRoutes(app, deps);
  passwordResetRoutes(app, deps);
  await app.register((scope: App) => ownAuthRoutes(scope, deps));
  await app.register(async (scope: App) => {
    await requireSession(scope, deps.db, deps.clock);
    plantRoutes(scope, deps);
    wateringRoutes(scope, deps);
    logRoutes(scope, deps);
    deviceTokenRoutes(scope, deps);
  });
  if (options.clientDir) await serveClient(app, options.clientDir);
  else app.setNotFoundHandler(answerUnknownPath);
  return app;
}
