import { sendInBackground } from '#client/sync/background/background.ts';
import { browserContext } from '#client/sync/context.ts';
import { tryWebLock } from '#client/sync/lock.ts';
import { isWebLockAwaited } from './lock-awaited.ts';

const maxSendMs = 120_000;

/**
 * Sends the outbox of an account. 'later': ops are still waiting, or a page holds the lock or waits for it. 'done' also
 * if there is no session to send them with.
 */
export function sendOutbox(dbName: string): Promise<'done' | 'later'> {
  return sendInBackground(dbName, {
    ...browserContext,
    tryLock: tryWebLock,
    isLockAwaited: isWebLockAwaited,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    signal: AbortSignal.timeout(maxSendMs),
  });
}
