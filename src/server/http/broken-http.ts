import type { Socket } from 'node:net';
import type { ConnectionError, FastifyInstance } from 'fastify';
import type { ErrorBody } from '#contract/errors.ts';
import { ApiError } from './api-error.ts';

/** A slower client would occupy a connection for too long. */
export const requestTimeoutMs = 60_000;

const refusals: Record<string, readonly [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too long'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'The request is too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long'],
};
const notHttp = ['400 Bad Request', 'The request is not valid HTTP'] as const;

/** Malformed HTTP reaches neither a route nor the error handler; answer it in the API's error format anyway. */
export function handleClientError({ code }: ConnectionError, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const [status, message] = refusals[code] ?? notHttp;
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

/** Handles two cases that Node would refuse with an empty response. Requires `requireHostHeader: false`. */
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
