import { setTimeout as sleep } from 'node:timers/promises';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import fastify, { type FastifyServerOptions, LogController } from 'fastify';
import { publicAuthRoutes, sessionRoutes } from './accounts/auth-routes.ts';
import { dummyPasswordHash, type Hasher } from './accounts/password.ts';
import { passwordResetRoutes } from './accounts/password-reset.ts';
import { registrationRoutes } from './accounts/registration.ts';
import { registerTokens, requireSession } from './accounts/session.ts';
import type { Database } from './database/database.ts';
import type { AppDeps, Clock } from './deps.ts';
import { deviceTokenRoutes } from './devices/routes.ts';
import { handleClientError, handleUnusualRequests, requestTimeoutMs } from './http/broken-http.ts';
import { trustedProxies } from './http/client-address.ts';
import { handleErrors, handleMalformedUrl, handleUnknownPath } from './http/error-responses.ts';
import type { App, ContractTypes } from './http/fastify-app.ts';
import { closeGraceMs, drainBeforeClose } from './http/graceful-close.ts';
import { parseJsonBodies, validateByContract } from './http/request-input.ts';
import { enableCors, securityHeaders } from './http/security-headers.ts';
import { serveClient } from './http/static-client.ts';
import { apiDocumentRoutes, healthRoute } from './openapi/routes.ts';
import { plantRoutes } from './plants/routes.ts';
import { logRoutes } from './readings/routes.ts';
import { wateringRoutes } from './watering/routes.ts';

export interface AppOptions {
  db: Database;
  clock: Clock;
  hasher: Hasher;
  jwtSecret: string;
  /** Folder of the built client; null to serve the API only. */
  clientDir: string | null;
  publicUrl: AppDeps['publicUrl'];
  emailQueued: AppDeps['emailQueued'];
  authRateLimit: AppDeps['authRateLimit'];
  /** Proxies whose X-Forwarded-For header is trusted: their number or their addresses. */
  trustProxy: number | string[];
  /** Other origins whose pages may call the API. */
  corsOrigins: string[];
  /** Serve the API reference page, for development. */
  apiPage?: boolean;
  pause?: AppDeps['pause'];
  logger?: FastifyServerOptions['logger'];
}

/** The complete HTTP app. main.ts makes it listen; tests inject requests. */
export async function createApp(options: AppOptions): Promise<App> {
  const app = fastify({
    logger: options.logger ?? false,
    trustProxy: trustedProxies(options.trustProxy),
    bodyLimit: 64 * 1024,
    forceCloseConnections: true,
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    // The maximum size of a header, so that an id of any length is a 404 like other unknown ids.
    routerOptions: { maxParamLength: 16 * 1024 },
    frameworkErrors: handleMalformedUrl,
    clientErrorHandler: handleClientError,
    requestTimeout: requestTimeoutMs,
    // Also limits each step of closing: if draining takes as long, close() rejects and the process exits with 1.
    pluginTimeout: 3 * closeGraceMs,
    http: { requireHostHeader: false },
  }).withTypeProvider<ContractTypes>();
  const deps: AppDeps = {
    pause: sleep,
    ...options,
    dummyPasswordHash: dummyPasswordHash(options.hasher),
  };

  drainBeforeClose(app);
  parseJsonBodies(app);
  validateByContract(app);
  handleErrors(app, options.db);
  await enableCors(app, options.corsOrigins);
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
  await app.register((scope: App) => sessionRoutes(scope, deps));
  await app.register(async (scope: App) => {
    await requireSession(scope, deps.db, deps.clock);
    plantRoutes(scope, deps);
    wateringRoutes(scope, deps);
    logRoutes(scope, deps);
    deviceTokenRoutes(scope, deps);
  });
  if (options.clientDir) await serveClient(app, options.clientDir);
  else app.setNotFoundHandler(handleUnknownPath);
  return app;
}
