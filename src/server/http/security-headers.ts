import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { headers } from '#contract/headers.ts';

/** No inline scripts and no foreign origins. Inline styles are allowed because dialogs set them to lock scrolling. */
export const securityHeaders: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      connectSrc: ["'self'"],
      workerSrc: ["'self'"],
      manifestSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  frameguard: { action: 'deny' },
  referrerPolicy: { policy: 'same-origin' },
  // Browsers ignore this header over plain http, so it can always be sent. Subdomains are left out, because
  // other programs without https may run there.
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
};

/** Lets pages of the given origins call the API, without cookies. With an empty list only same-origin calls work. */
export async function enableCors(app: FastifyInstance, origins: string[]): Promise<void> {
  if (origins.length === 0) return;
  const allowed: FastifyCorsOptions = {
    origin: origins,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      headers.idempotencyKey,
      headers.ifMatch,
      headers.ifNoneMatch,
      headers.aIm,
    ],
    exposedHeaders: [
      headers.etag,
      headers.idempotentReplayed,
      headers.im,
      headers.deltaBase,
      'retry-after',
      'date',
    ],
    // Two hours, the longest that Chromium caches a preflight response.
    maxAge: 7_200,
  };
  await app.register(fastifyCors, {
    delegator: async ({ url }: FastifyRequest): Promise<FastifyCorsOptions> =>
      /^\/(api|auth)(\/|\?|$)/.test(url) ? allowed : { origin: false },
  });
}
