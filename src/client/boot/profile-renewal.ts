import { refreshProfile } from '#client/session/session.ts';

const minIntervalMs = 5 * 60_000;

/**
 * Renews the profile when the person comes back to the page or the browser reports a network, at most every five
 * minutes, because it may have been changed on another device. The start has just requested it.
 */
export function renewProfileOnReturn(): void {
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
