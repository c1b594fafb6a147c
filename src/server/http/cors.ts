import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { headers } from '#contract/headers.ts';

/** Lets pages of these origins call the API; without any, it answers its own pages alone. No cookies, ever. */
export async function allowOrigins(app: FastifyInstance, origins: string[]): Promise<void> {
  if (origins.length === 0) return;
  const open: FastifyCorsOptions = {
    origin: origins,
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      headers.idempotencyKey,
      headers.ifMatch,
      headers.ifNoneMatch,
    ],
    exposedHeaders: [headers.etag, headers.idempotentReplayed, 'retry-after', 'date'],
    // Two hours: browsers remember it no longer.
    maxAge: 7_200,
  };
  await app.register(fastifyCors, {
    delegator: async ({ url }: FastifyRequest): Promise<FastifyCorsOptions> =>
      /^\/(api|auth)(\/|\?|$)/.test(url) ? open : { origin: false },
  });
}
