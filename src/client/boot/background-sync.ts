import { backgroundTagOf } from '#client/sync/background/tag.ts';

/** Not in every browser, and not among the types. */
interface SyncRegistration extends ServiceWorkerRegistration {
  sync?: { register: (tag: string) => Promise<void> };
}

/** Asks the browser to have the service worker send what waits once there is a network, be this page gone or not. */
export async function askForBackgroundSync(dbName: string): Promise<void> {
  const registration: SyncRegistration | undefined =
    await navigator.serviceWorker?.getRegistration();
  // A person may have forbidden it: then what waits is sent when they come back.
  await registration?.sync?.register(backgroundTagOf(dbName)).catch(() => null);
}
