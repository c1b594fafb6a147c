import { Workbox } from 'workbox-window';

/**
 * Registers the service worker and checks for a new version whenever the person comes back to the page or the browser
 * reports a network. Calls `offerUpdate` when one is waiting, or when another tab has already accepted it.
 */
export async function checkForUpdates(offerUpdate: () => void): Promise<void> {
  const workbox = new Workbox('/sw.js');
  const { serviceWorker } = navigator;
  let isControlled = serviceWorker.controller !== null;
  workbox.addEventListener('waiting', offerUpdate);
  serviceWorker.addEventListener('controllerchange', () => {
    // The very first install is not an update.
    if (isControlled) offerUpdate();
    isControlled = true;
  });
  const check = () => void checkNow(workbox);
  document.addEventListener('visibilitychange', check);
  window.addEventListener('online', check);
  await workbox.register();
}

/** Checks for a new version, which also resumes an installation that lost the network. Ignores a failed check. */
async function checkNow(workbox: Workbox): Promise<void> {
  if (document.visibilityState === 'hidden') return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (registration ? registration.update() : workbox.register()).catch(() => undefined);
}

/** Activates the waiting version, unless another tab has done so, and reloads the page into it. */
export async function activateUpdate(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.getRegistration();
  if (!registration?.waiting) return window.location.reload();
  serviceWorker.addEventListener('controllerchange', () => window.location.reload());
  registration.waiting.postMessage({ type: 'SKIP_WAITING' });
}
