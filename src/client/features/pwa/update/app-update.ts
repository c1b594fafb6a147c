/** The versions that were offered. */
const offered = new WeakSet<ServiceWorker>();

/**
 * Registers the service worker and checks for a new version whenever the person comes back to the page or the browser
 * reports a network. Calls `offerUpdate` once for each version that waits, and when another tab has activated one.
 */
export async function checkForUpdates(offerUpdate: () => void): Promise<void> {
  const { serviceWorker } = navigator;
  let isControlled = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    // The very first install is not an update.
    if (isControlled) offerUpdate();
    isControlled = true;
  });
  const check = () => void checkNow(offerUpdate);
  document.addEventListener('visibilitychange', check);
  window.addEventListener('online', check);
  await register(offerUpdate);
}

/** Checks for a new version, which also resumes an installation that lost the network. Ignores a failed check. */
async function checkNow(offerUpdate: () => void): Promise<void> {
  if (document.visibilityState === 'hidden') return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (registration ? registration.update() : register(offerUpdate)).catch(() => undefined);
}

async function register(offerUpdate: () => void): Promise<void> {
  const registration = await navigator.serviceWorker.register('/sw.js');
  const offer = () => {
    const { active, waiting } = registration;
    // Without an active version the waiting one is not an update.
    if (!active || !waiting || offered.has(waiting)) return;
    offered.add(waiting);
    offerUpdate();
  };
  const followInstallation = () => registration.installing?.addEventListener('statechange', offer);
  registration.addEventListener('updatefound', followInstallation);
  followInstallation();
  offer();
}

/** Activates the waiting version, unless another tab has done so, and reloads the page into it. */
export async function activateUpdate(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.getRegistration();
  if (!registration?.waiting) return window.location.reload();
  serviceWorker.addEventListener('controllerchange', () => window.location.reload());
  registration.waiting.postMessage({ type: 'SKIP_WAITING' });
}
