import { Workbox } from 'workbox-window';

/** Installs the service worker, looks for newer ones whenever somebody comes back, and has them offered. */
export async function followUpdates(offerUpdate: () => void): Promise<void> {
  const link = new Workbox('/sw.js');
  const { serviceWorker } = navigator;
  let isControlled = serviceWorker.controller !== null;
  link.addEventListener('waiting', offerUpdate);
  serviceWorker.addEventListener('controllerchange', () => {
    // Another tab has accepted the update; the first worker of all is none.
    if (isControlled) offerUpdate();
    isControlled = true;
  });
  const look = () => void lookForUpdate(link);
  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', look);
  await link.register();
}

/** An installation that lost the network on its way goes on where it was. Without a network nothing is found. */
async function lookForUpdate(link: Workbox): Promise<void> {
  if (document.visibilityState === 'hidden') return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (registration ? registration.update() : link.register()).catch(() => undefined);
}
