import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type {
  ConnectionError,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import type { ErrorBody } from '#contract/errors.ts';
import { photoTimeoutMs } from '#contract/photos.ts';
import type { Database } from '../database/database.ts';
import { isOverloaded, isUnreachable } from '../database/lost-connections.ts';
import { ApiError, unauthorized, unavailable } from './api-error.ts';

/**
 * Turns every thrown error into a response that contains no stack, SQL or token: `{code, message}` and perhaps
 * `detail`, or the current record.
 */
export function handleErrors(app: FastifyInstance, db: Database): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = isIncomplete(request.raw, error) ? incompleteBody : toApiError(error, db);
    if (!known) {
      // Log the route's pattern, not its URL: a query may contain a token.
      request.log.error({ err: error, route: request.routeOptions.url }, 'unexpected error');
    }
    return sendError(reply, known ?? new ApiError(500, 'internal', 'Something went wrong'));
  });
}

function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  // Fastify closes the connection when a body is too large. The client is still sending then and would often get an
  // error instead of the response. Node.js reads and drops the rest of the body, for `requestTimeoutMs` at most.
  if (error.status === 413) reply.removeHeader('connection');
  return reply
    .status(error.status)
    .headers(error.headers)
    .type('application/json; charset=utf-8')
    .send(error.currentJson ?? JSON.stringify(error.body));
}

/** Messages by the error codes of Fastify and of @fastify/compress, which also decompresses requests. */
const bodyErrors: Record<string, string> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The Content-Length is not the length of the body',
  FST_CP_ERR_INVALID_CONTENT_ENCODING: 'The Content-Encoding is not supported',
  FST_CP_ERR_INVALID_CONTENT: 'The request cannot be decompressed',
};

/** Nobody receives it. Its status says that nothing has changed, so that no live stream announces a change. */
const incompleteBody = new ApiError(400, 'invalid', 'The request is incomplete');

/** Whether the client has closed the connection before its body had arrived. The error has a code of lost databases. */
function isIncomplete({ readableAborted }: IncomingMessage, { code }: FastifyError): boolean {
  return readableAborted && code === 'ECONNRESET';
}

function toApiError(error: FastifyError, db: Database): ApiError | null {
  if (error instanceof ApiError) return error;
  if (isOverloaded(error)) return unavailable('The database is too busy');
  if (isUnreachable(error)) {
    db.recover();
    return unavailable('The database is not reachable');
  }
  switch (error.statusCode) {
    case 400:
      return new ApiError(
        400,
        'invalid',
        bodyErrors[error.code] ?? 'The request is not valid JSON',
      );
    case 401:
      return unauthorized();
    case 413:
      return new ApiError(413, 'body_too_large', 'The request is too large');
    case 415:
      return new ApiError(415, 'invalid', bodyErrors[error.code] ?? 'The request must be JSON');
    default:
      return isClientError(error) ? new ApiError(400, 'invalid', 'The request is not valid') : null;
  }
}

/** Whether Fastify or a plugin rejected the request, e.g. for a path outside the folder of static files. */
function isClientError({ statusCode = 500 }: FastifyError): boolean {
  return statusCode >= 400 && statusCode < 500;
}

/**
 * A URL that cannot be decoded reaches no route, and Fastify's own response would repeat the URL. A browser that
 * requests a page is redirected to `/`.
 */
export function handleMalformedUrl(
  _error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (request.headers.accept?.includes('text/html')) reply.redirect('/');
  else sendError(reply, new ApiError(400, 'invalid', 'The URL is not valid'));
}

export function handleUnknownPath(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Without the URL, which may contain a token.
  const message = `This URL does not exist, or does not accept ${request.method} requests`;
  return sendError(reply, new ApiError(404, 'not_found', message));
}

/**
 * A request must arrive within this time, because a slow one occupies a connection. Longer than an app waits, so
 * that no photo on a slow line is cut off by the server.
 */
export const requestTimeoutMs = photoTimeoutMs + 10_000;

const clientErrors: Record<string, readonly [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too long'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'The request is too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long'],
};
const notHttp = ['400 Bad Request', 'The request is not valid HTTP'] as const;

/**
 * Sends a response in the API's error format for a request that Node rejects, for example because it is malformed or
 * takes too long.
 */
export function handleClientError({ code }: ConnectionError, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const [status, message] = clientErrors[code] ?? notHttp;
  const error: ErrorBody = { code: 'invalid', message };
  const body = JSON.stringify(error);
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

/** Handles two cases that Node would reject with an empty response. Requires `requireHostHeader: false`. */
export function handleUnusualRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
      throw new ApiError(400, 'invalid', 'The request names no host');
    }
  });
  // HTTP allows a server to ignore an Expect header that it does not know.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
}
