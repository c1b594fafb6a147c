import type { Page } from 'playwright';

/** Removes the service worker and all caches, so that they do not serve the next visit. */
export async function forgetShell(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const registration of await navigator.serviceWorker.getRegistrations()) {
      await registration.unregister();
    }
    for (const name of await caches.keys()) await caches.delete(name);
  });
}
