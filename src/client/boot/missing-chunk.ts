import { getSession } from '#client/session/session.ts';
import { hasFormInput } from '#client/ui/form/form-input.ts';

const triedKey = 'sprig.reloaded-from';

/** Ignores further errors while recovering: the check before a reload may load a chunk that is missing too. */
let isRecovering = false;

/**
 * Reloads the page when a chunk of the app cannot be loaded, e.g. because the server has a newer version than this tab.
 * It reloads at most once per tab and version of the app. It does not reload while a form contains input, while the app
 * could not be loaded again, or, as far as that can be checked, while a change is being sent.
 */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    // Change the message, because the router recognizes the browsers' messages and would reload without the checks.
    payload.message = `A chunk is missing: ${payload.message}`;
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
  } else if ((await canReload()) && isFirstReload()) window.location.reload();
}

/** Whether a reload loses nothing. Also true if the code that checks for changes being sent cannot be loaded. */
async function canReload(): Promise<boolean> {
  if (hasFormInput()) return false;
  if (getSession().status !== 'signed-in') return true;
  const code = await import('#client/features/pwa/update/reload-safety.ts').catch(() => null);
  return !code || code.canReloadSafely();
}

/**
 * Whether this tab has not reloaded for this version yet. Records the reload, so call it right before one. False
 * without storage, where the page could reload forever.
 */
function isFirstReload(): boolean {
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
