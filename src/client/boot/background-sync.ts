import { backgroundTagOf } from '#client/sync/background/tag.ts';

/** Not in every browser, and missing from TypeScript's library. */
interface SyncRegistration extends ServiceWorkerRegistration {
  sync?: { register: (tag: string) => Promise<void> };
}

/** Registers a background sync: the service worker sends waiting ops when online, even if this page is closed. */
export async function askForBackgroundSync(dbName: string): Promise<void> {
  const registration: SyncRegistration | undefined =
    await navigator.serviceWorker?.getRegistration();
  // The person may have denied it: then waiting ops are sent when the app is opened again.
  await registration?.sync?.register(backgroundTagOf(dbName)).catch(() => null);
}
