import { hasFormInput } from '#client/features/pwa/update/form-input.ts';
import { getSession } from '#client/session/session.ts';

const triedKey = 'sprig.reloaded-from';

/** Looking whether to reload may need a part that is lost as well: that is no second loss. */
let isRecovering = false;

/**
 * When a part of the app cannot be loaded, e.g. because the server has a newer version and this tab is old, the page
 * reloads: once for each version of the app and tab, never over a form that somebody fills in nor while a change is sent,
 * and not into nowhere.
 */
export function recoverLostParts(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    // The router recognizes the browsers' messages and would reload without these checks, so change them.
    payload.message = `A part is missing: ${payload.message}`;
    if (isRecovering) return;
    isRecovering = true;
    void recover().finally(() => {
      isRecovering = false;
    });
  });
}

async function recover(): Promise<void> {
  if (!navigator.serviceWorker?.controller && !(await canReachServer())) {
    window.addEventListener('online', () => void recover(), { once: true });
  } else if ((await mayReload()) && isFirstTry()) window.location.reload();
}

/** Only a signed-in page has unsent changes; the code that checks for them may fail to load too. */
async function mayReload(): Promise<boolean> {
  if (hasFormInput()) return false;
  if (getSession().status !== 'signed-in') return true;
  const code = await import('#client/features/pwa/update/reload-safety.ts').catch(() => null);
  return !code || code.canReloadSafely();
}

/** This file's URL identifies the version of the app. Without storage there is no reload, which could loop. */
function isFirstTry(): boolean {
  try {
    const tried = window.sessionStorage.getItem(triedKey) ?? '';
    window.sessionStorage.setItem(triedKey, `${tried} ${import.meta.url}`);
    return !tried.includes(import.meta.url);
  } catch {
    return false;
  }
}

function canReachServer(): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = new Image();
    probe.onload = () => resolve(true);
    probe.onerror = () => resolve(false);
    probe.src = `/icons/favicon.svg?${Date.now()}`;
  });
}
