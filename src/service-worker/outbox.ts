import { sendInBackground } from '#client/sync/background/background.ts';
import { browserContext } from '#client/sync/context.ts';
import { tryWebLock } from '#client/sync/lock.ts';

const maxSendMs = 120_000;

/**
 * Sends the outbox of an account. 'later': ops are still waiting, or a page holds the lock. 'done' also if there is no
 * session to send them with.
 */
export function sendOutbox(dbName: string): Promise<'done' | 'later'> {
  return sendInBackground(dbName, tryWebLock, {
    ...browserContext,
    signal: AbortSignal.timeout(maxSendMs),
  });
}
