import type { FastifyInstance } from 'fastify';
import { unavailable } from './api-error.ts';

const longestWaitMs = 10_000;

/**
 * Lets close() wait for the answers that are being made, and for nothing else: kept-alive and merely opened
 * connections would hold it up for a minute. Goes with forceCloseConnections, which cuts those off afterwards, and
 * with return503OnClosing: false, since the framework's own refusal has no code.
 */
export function answerBeforeClosing(app: FastifyInstance): void {
  let isClosing = false;
  let inFlight = 0;
  let lastAnswered: (() => void) | null = null;

  app.addHook('onRequest', async (_request, reply) => {
    inFlight += 1;
    reply.raw.once('close', () => {
      inFlight -= 1;
      if (inFlight === 0) lastAnswered?.();
    });
    if (isClosing) throw unavailable('The server is stopping');
  });

  app.addHook('preClose', async () => {
    isClosing = true;
    if (inFlight === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, longestWaitMs);
      lastAnswered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  });
}
