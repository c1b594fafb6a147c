import type { FastifyInstance } from 'fastify';

const longestWaitMs = 10_000;

/**
 * Lets close() wait for the answers that are being made, and for nothing else: kept-alive and merely opened
 * connections would hold it up for a minute. Goes with forceCloseConnections, which cuts those off afterwards.
 */
export function answerBeforeClosing(app: FastifyInstance): void {
  let inFlight = 0;
  let lastAnswered: (() => void) | null = null;

  app.addHook('onRequest', async (_request, reply) => {
    inFlight += 1;
    reply.raw.once('close', () => {
      inFlight -= 1;
      if (inFlight === 0) lastAnswered?.();
    });
  });

  app.addHook('preClose', async () => {
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
