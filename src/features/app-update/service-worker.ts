import { Workbox } from 'workbox-window';

export interface ServiceWorkerLink {
  onWaiting: (react: () => void) => void;
  /** Lets the waiting version take over; the page reloads once it has. */
  accept: () => void;
}

let link: ServiceWorkerLink | null = null;

/** Registers the service worker of a build, where the browser and the address allow one. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const workbox = new Workbox('/sw.js');
  link = {
    onWaiting: (react) => workbox.addEventListener('waiting', react),
    accept: () => {
      workbox.addEventListener('controlling', () => window.location.reload());
      workbox.messageSkipWaiting();
    },
  };
  workbox.register().catch((error: Error) => {
    console.warn('Offline start is not available:', error.message);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void workbox.update().catch(() => undefined);
  });
}

export function serviceWorkerLink(): ServiceWorkerLink | null {
  return link;
}
