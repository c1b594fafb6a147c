import type { FastifyInstance } from 'fastify';
import { livePath } from '#contract/live.ts';
import { ApiError } from './api-error.ts';
import { servicePaths } from './openapi/service-paths.ts';
import { onceEnded } from './request-end.ts';

/** A health check must not fail because of load, and live streams stay open and have a limit of their own. */
const exempt = new Set<string | undefined>([servicePaths.health, livePath]);

/** Seconds. Random, so that clients that were refused at the same time do not retry at the same time. */
const retryAfter = { least: 2, spread: 4 };

/**
 * Refuses requests with a 503 while `maxRequests` are in progress, before anything is done for them. A request waits
 * for the database or for the processor; either way a process at its limit has more of them in progress. So their
 * number limits the time that a request takes and the memory that requests need. 0: no limit.
 */
export function limitLoad(app: FastifyInstance, maxRequests: number): void {
  if (maxRequests === 0) return;
  let inProgress = 0;
  app.addHook('onRequest', async (request, reply) => {
    if (exempt.has(request.routeOptions.url)) return;
    if (inProgress >= maxRequests) throw overloaded();
    inProgress += 1;
    onceEnded(request, reply, () => {
      inProgress -= 1;
    });
  });
}

function overloaded(): ApiError {
  const seconds = retryAfter.least + Math.floor(Math.random() * retryAfter.spread);
  return new ApiError(503, 'unavailable', 'The server is busy', {
    headers: { 'retry-after': String(seconds) },
  });
}
