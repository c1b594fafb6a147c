import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
 * Refuses requests with a 503 while `maxRequests` are in progress, before their route does anything. When the database
 * or the processor is overloaded, requests take longer and more of them are in progress. So limiting their number
 * limits the time that a request takes and the memory that requests need. 0: no limit.
 *
 * A request does not count as in progress while the server waits for its client: while its body is arriving, or while
 * its response is not read. Otherwise a few slow clients could use up the limit for everybody. As such requests need
 * memory, `maxRequests` also limits each of these two kinds for each IP address.
 */
export function limitLoad(app: FastifyInstance, maxRequests: number): void {
  if (maxRequests === 0) return;
  const inProgress = requestsInProgress(maxRequests);
  const arriving = arrivingBodies(maxRequests);

  app.addHook('onRequest', async (request, reply) => {
    if (exempt.has(request.routeOptions.url)) return;
    inProgress.add(request, reply);
    onceEnded(request, reply, () => {
      inProgress.remove(request);
      arriving.remove(request);
    });
  });

  app.addHook('preParsing', async (request) => {
    // Undefined for an injected request, whose body is complete from the start.
    if (request.raw.complete !== false || !inProgress.remove(request)) return;
    arriving.add(request);
  });

  app.addHook('preValidation', async (request, reply) => {
    if (arriving.remove(request)) inProgress.add(request, reply);
  });
}

/**
 * The requests that are in progress, and those whose response is not read. Refuses a request if `max` are in progress,
 * or if `max` responses to its address are not read.
 */
function requestsInProgress(max: number) {
  const all = new Map<FastifyRequest, { response: ServerResponse; address: string }>();
  return {
    /** Throws a 503 if there are too many. */
    add: (request: FastifyRequest, { raw: response }: FastifyReply): void => {
      const address = rateLimitAddress(request.ip);
      if (all.size >= max) {
        const unread = [...all.values()].filter(isUnread);
        const ofAddress = unread.filter((one) => one.address === address);
        if (all.size - unread.length >= max || ofAddress.length >= max) throw overloaded();
      }
      all.set(request, { response, address });
    },
    /** False if the request was not there. */
    remove: (request: FastifyRequest): boolean => all.delete(request),
  };
}

/** Whether the server waits for the client to read: the response is complete, or the connection's buffer is full. */
function isUnread({ response }: { response: ServerResponse }): boolean {
  return response.writableEnded || response.writableNeedDrain;
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
