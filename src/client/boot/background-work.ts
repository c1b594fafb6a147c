import { registerServiceWorker } from '#client/features/pwa/update/service-worker.ts';
import { getSession, refreshProfile, subscribeSession } from '#client/session/session.ts';
import { readStoredSession } from '#client/session/stored-session.ts';
import { whenIdle } from '#client/session/when-idle.ts';
import { linkSync } from './sync-link.ts';

/**
 * Starts the work of a page that shows nothing: sync, service worker, renewals and snapshots. Call it once, after the
 * first frame. `build` identifies the app's version.
 */
export function startBackgroundWork(build: string): void {
  reloadAfterSessionChange();
  linkSync();
  registerServiceWorker();
  renewPushSubscription();
  refreshProfileOnReturn();
  saveSnapshotsOnceSignedIn(build);
}

/**
 * When the browser shows a page again that it has kept for Back or Forward, reloads it if somebody signed in or out
 * meanwhile: such a page gets no events of other pages.
 */
export function reloadAfterSessionChange(): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    const session = getSession();
    const token = session.status === 'signed-in' ? session.token : null;
    if ((readStoredSession()?.token ?? null) !== token) window.location.reload();
  });
}

/**
 * Renews the browser's push subscription at the start and after every sign-in, where the person allowed notifications.
 */
function renewPushSubscription(): void {
  let known: string | null = null;
  const follow = () => {
    const session = getSession();
    const token = session.status === 'signed-in' ? session.token : null;
    if (token === known) return;
    known = token;
    // Loaded lazily, because most people never need it.
    if (token === null || !isAllowed()) return;
    whenIdle(() => {
      import('#client/session/push-subscription.ts').then(
        ({ renewPush }) => renewPush(),
        () => undefined,
      );
    });
  };
  follow();
  subscribeSession(follow);
}

function isAllowed(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}

const minIntervalMs = 5 * 60_000;

/**
 * Refreshes the profile when the person comes back to the page or the browser reports a network, at most every five
 * minutes, because it may have been changed on another device. The start has just requested it.
 */
export function refreshProfileOnReturn(): void {
  let requestedAt = Date.now();
  const check = () => {
    if (document.visibilityState === 'hidden' || !navigator.onLine) return;
    const passedMs = Date.now() - requestedAt;
    // Negative after the device's clock was set back.
    if (passedMs >= 0 && passedMs < minIntervalMs) return;
    requestedAt = Date.now();
    void refreshProfile();
  };
  document.addEventListener('visibilitychange', check);
  window.addEventListener('online', check);
}

/**
 * Saves garden snapshots for the next start. Loads the code only for a signed-in person. If that fails, the next start is
 * only a little slower.
 */
function saveSnapshotsOnceSignedIn(build: string): void {
  let isStarted = false;
  const follow = () => {
    if (isStarted || getSession().status !== 'signed-in') return;
    isStarted = true;
    import('#client/session/garden-snapshot-writer.ts').then(
      ({ startSavingSnapshots }) => startSavingSnapshots(build),
      () => undefined,
    );
  };
  follow();
  subscribeSession(follow);
}
