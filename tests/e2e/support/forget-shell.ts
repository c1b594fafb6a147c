import type { Page } from 'playwright';

/** The next visit is a first one again: what is not yet on the device comes from the server. */
export async function forgetShell(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const registration of await navigator.serviceWorker.getRegistrations()) {
      await registration.unregister();
    }
    for (const name of await caches.keys()) await caches.delete(name);
  });
}
