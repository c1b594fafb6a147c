import type { FastifyInstance } from 'fastify';
import { headers } from '#contract/headers.ts';

/**
 * Makes this server one that knows neither keys nor versions, as a foreign one may be: to prove what the client keeps
 * there too.
 */
export function withoutExtras(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers: sent }) => {
    delete sent[headers.idempotencyKey];
    delete sent[headers.ifMatch];
    delete sent[headers.ifNoneMatch];
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.removeHeader(headers.etag);
  });
}
