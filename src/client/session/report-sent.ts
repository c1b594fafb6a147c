import { select } from '#client/store/live-store.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { watchSyncStatus } from '#client/store/sync-status.ts';
import { pushRegistration } from './push-browser.ts';
import { isSignedInWith, subscribeSession } from './session.ts';

let followed: { db: DeviceDb; stop: () => void } | null = null;

/**
 * Reports to the service worker whenever no op of this account waits, so that it updates notifications that say
 * "waiting to be sent". The worker does not notice it by itself if the page sends the ops. Follows one account at a
 * time, until its session ends.
 */
export function reportSentOps(db: DeviceDb): void {
  if (followed?.db === db) return;
  followed?.stop();
  const isSent = select(watchSyncStatus(db), ({ waitingCount }) => waitingCount === 0);
  const { unsubscribe } = isSent.subscribe((sent) => {
    if (sent) void report(db.name).catch(() => undefined);
  });
  const unsubscribeFromSession = subscribeSession(() => {
    if (!isSignedInWith(db)) stop();
  });
  function stop(): void {
    unsubscribe();
    unsubscribeFromSession();
    followed = null;
  }
  followed = { db, stop };
}

/** Does not start the worker if no notification is shown. */
async function report(dbName: string): Promise<void> {
  const registration = await pushRegistration();
  const shown = (await registration?.getNotifications?.()) ?? [];
  if (shown.length > 0) registration?.active?.postMessage({ type: 'OUTBOX_SENT', dbName });
}
