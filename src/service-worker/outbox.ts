import { sendInBackground } from '#client/sync/background/background.ts';
import { browserContext } from '#client/sync/context.ts';
import { tryWebLock } from '#client/sync/lock.ts';

const maxSendMs = 120_000;

/** Sends the outbox of an account. Resolves to 'later' if ops are still waiting or a page is sending them. */
export function sendOutbox(dbName: string): Promise<'done' | 'later'> {
  return sendInBackground(dbName, tryWebLock, {
    ...browserContext,
    signal: AbortSignal.timeout(maxSendMs),
  });
}
