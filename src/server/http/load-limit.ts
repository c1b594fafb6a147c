import type { FastifyInstance, FastifyRequest } from 'fastify';
import { livePath } from '#contract/live.ts';
import { ApiError } from './api-error.ts';
import { rateLimitAddress } from './client-address.ts';
import { servicePaths } from './openapi/service-paths.ts';
import { onceEnded } from './request-end.ts';

/** A health check must not fail because of load, and live streams stay open and have a limit of their own. */
const exempt = new Set<string | undefined>([servicePaths.health, livePath]);

/** Seconds. Random, so that clients that were refused at the same time do not retry at the same time. */
const retryAfter = { least: 2, spread: 4 };

/**
 * Refuses requests with a 503 while `maxRequests` are in progress, before their route does anything. A request waits
 * for the database or for the processor; either way a process at its limit has more of them in progress. So their
 * number limits the time that a request takes and the memory that requests need. 0: no limit.
 *
 * A request whose body is still arriving waits for its client, so it is not in progress: otherwise a few slow clients
 * could use up the limit for everybody. As the part that has arrived needs memory, as many bodies of one address may
 * arrive at a time as requests may be in progress.
 */
export function limitLoad(app: FastifyInstance, maxRequests: number): void {
  if (maxRequests === 0) return;
  const inProgress = new Set<FastifyRequest>();
  const arriving = arrivingBodies(maxRequests);
  const enter = (request: FastifyRequest) => {
    if (inProgress.size >= maxRequests) throw overloaded();
    inProgress.add(request);
  };

  app.addHook('onRequest', async (request, reply) => {
    if (exempt.has(request.routeOptions.url)) return;
    enter(request);
    onceEnded(request, reply, () => {
      inProgress.delete(request);
      arriving.remove(request);
    });
  });

  app.addHook('preParsing', async (request) => {
    // Undefined for an injected request, whose body is there.
    if (request.raw.complete !== false || !inProgress.delete(request)) return;
    arriving.add(request);
  });

  app.addHook('preValidation', async (request) => {
    if (arriving.remove(request)) enter(request);
  });
}

/** The requests whose bodies are arriving, at most `maxPerAddress` of one address. */
function arrivingBodies(maxPerAddress: number) {
  const addressOf = new Map<FastifyRequest, string>();
  const countOf = new Map<string, number>();
  return {
    /** Throws a 503 if too many bodies of the request's address are arriving. */
    add: (request: FastifyRequest): void => {
      const address = rateLimitAddress(request.ip);
      const count = countOf.get(address) ?? 0;
      if (count >= maxPerAddress) throw overloaded();
      countOf.set(address, count + 1);
      addressOf.set(request, address);
    },
    /** False if the request's body was not arriving. */
    remove: (request: FastifyRequest): boolean => {
      const address = addressOf.get(request);
      if (address === undefined) return false;
      addressOf.delete(request);
      const count = (countOf.get(address) ?? 0) - 1;
      if (count > 0) countOf.set(address, count);
      else countOf.delete(address);
      return true;
    },
  };
}

function overloaded(): ApiError {
  const seconds = retryAfter.least + Math.floor(Math.random() * retryAfter.spread);
  return new ApiError(503, 'unavailable', 'The server is busy', {
    headers: { 'retry-after': String(seconds) },
  });
}
