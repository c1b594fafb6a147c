import type { Workbox } from 'workbox-window';

let workbox: Promise<Workbox> | null = null;

/** Registers the service worker of a build, where the browser and the address allow one. After the page is up. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  workbox = whenLoaded()
    .then(() => import('workbox-window'))
    .then(({ Workbox }) => new Workbox('/sw.js'));
  workbox
    .then((link) => link.register())
    .catch((error: Error) => console.warn('Offline start is not available:', error.message));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void lookForUpdate();
  });
}

/** Calls back once a new version waits on the device. */
export function onUpdateWaiting(react: () => void): void {
  void workbox?.then((link) => link.addEventListener('waiting', react));
}

/** Lets the waiting version take over; the page reloads once it has. */
export function acceptUpdate(): void {
  void workbox?.then((link) => {
    link.addEventListener('controlling', () => window.location.reload());
    link.messageSkipWaiting();
  });
}

/** Without a network there is nothing to find, and that is no news. */
async function lookForUpdate(): Promise<void> {
  const link = await workbox;
  await link?.update().catch(() => undefined);
}

function whenLoaded(): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState === 'complete') resolve();
    else window.addEventListener('load', () => resolve(), { once: true });
  });
}
