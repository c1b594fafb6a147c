import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isConnectionLost, tookTooLong } from '../database/connection-lost.ts';
import type { Database } from '../database/database.ts';
import { ApiError, unauthorized, unavailable } from './api-error.ts';

/** Turns every thrown error into a `{code, message}` response that contains no stack, SQL or token. */
export function handleErrors(app: FastifyInstance, db: Database): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = toApiError(error, db);
    if (!known) {
      // Log the route's pattern, not its URL: a query may contain a token.
      request.log.error({ err: error, route: request.routeOptions.url }, 'unexpected error');
    }
    return sendError(reply, known ?? new ApiError(500, 'internal', 'Something went wrong'));
  });
}

function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  return reply
    .status(error.status)
    .headers(error.headers)
    .type('application/json; charset=utf-8')
    .send(error.currentJson ?? JSON.stringify(error.body));
}

function toApiError(error: FastifyError, db: Database): ApiError | null {
  if (error instanceof ApiError) return error;
  if (isConnectionLost(error)) {
    db.recover();
    return unavailable('The database is not reachable');
  }
  if (tookTooLong(error)) return unavailable('The database is too busy');
  switch (error.statusCode) {
    case 400:
      return new ApiError(400, 'invalid', 'The request is not valid JSON');
    case 401:
      return unauthorized();
    case 413:
      return new ApiError(413, 'body_too_large', 'The request is too large');
    case 415:
      return new ApiError(415, 'invalid', 'The request must be JSON');
    default:
      return isClientError(error) ? new ApiError(400, 'invalid', 'The request is not valid') : null;
  }
}

/** Refusals by Fastify or a plugin, such as a path that leaves the client's folder. */
function isClientError({ statusCode = 500 }: FastifyError): boolean {
  return statusCode >= 400 && statusCode < 500;
}

/** A URL that cannot be decoded reaches no route, and Fastify's own response would repeat the URL. */
export function handleMalformedUrl(
  _error: FastifyError,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  sendError(reply, new ApiError(400, 'invalid', 'The address is not valid'));
}

export function handleUnknownPath(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendError(reply, new ApiError(404, 'not_found', `No such address: ${request.method}`));
}
