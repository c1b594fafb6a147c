import type { Socket } from 'node:net';
import type { ConnectionError, FastifyInstance } from 'fastify';
import type { ErrorBody } from '#contract/errors.ts';
import { ApiError } from './api-error.ts';

/** Whoever needs longer to send a request keeps a connection from others. */
export const requestTimeoutMs = 60_000;

const refusals: Record<string, readonly [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too long'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'The request is too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long'],
};
const noHttp = ['400 Bad Request', 'The request is not valid HTTP'] as const;

/** What breaks HTTP reaches no route and no error handler; it is refused in the same words all the same. */
export function answerBrokenHttp({ code }: ConnectionError, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const [status, message] = refusals[code] ?? noHttp;
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

/** Two refusals that Node would make by itself, without a word; goes with requireHostHeader: false. */
export function answerOddHttp(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
      throw new ApiError(400, 'invalid', 'The request names no host');
    }
  });
  // An expectation that nobody knows may be passed over.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
}
