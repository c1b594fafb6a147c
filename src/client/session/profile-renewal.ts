import { fetchCurrentUser } from '#client/api/auth.ts';
import { ApiError } from '#client/api/http.ts';
import { minuteMs } from '#domain/time.ts';
import { getSession, handleUnauthorized, renewProfile } from './session.ts';

const minIntervalMs = 5 * minuteMs;

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
    void renewNow();
  };
  document.addEventListener('visibilitychange', check);
  window.addEventListener('online', check);
}

/** A 401 ends the session; after any other error the profile stays as it is. */
async function renewNow(): Promise<void> {
  const before = getSession();
  if (before.status !== 'signed-in') return;
  const { token, user } = before;
  try {
    const profile = await fetchCurrentUser({ token });
    const now = getSession();
    // The person may have signed out meanwhile, or changed the profile, so that the response may be older.
    if (now.status !== 'signed-in' || now.token !== token || now.user !== user) return;
    await renewProfile(token, profile);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) await handleUnauthorized(token);
  }
}
