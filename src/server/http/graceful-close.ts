import type { FastifyInstance } from 'fastify';
import { unavailable } from './api-error.ts';
import { onceEnded } from './request-end.ts';

/** How long closing waits for responses. Must be well below Fastify's pluginTimeout, which also limits closing. */
export const closeGraceMs = 10_000;

/**
 * Makes app.close() wait up to 10 s for the responses in progress. It does not wait for idle keep-alive connections,
 * which would delay it by a minute. Requires `forceCloseConnections: true`, which afterwards closes every connection
 * that is still open. Requires `return503OnClosing: false`, because Fastify's own 503 has no error code.
 */
export function drainBeforeClose(app: FastifyInstance): void {
  let isClosing = false;
  let inFlight = 0;
  let onDrained: (() => void) | null = null;

  app.addHook('onRequest', async (request, reply) => {
    inFlight += 1;
    onceEnded(request, reply, () => {
      inFlight -= 1;
      if (inFlight === 0) onDrained?.();
    });
    if (isClosing) throw unavailable('The server is stopping');
  });

  app.addHook('preClose', async () => {
    isClosing = true;
    if (inFlight === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, closeGraceMs);
      onDrained = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  });
}
