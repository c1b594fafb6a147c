import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import type { Phone } from './browser.ts';
import { rowsOf } from './device-db.ts';

/** A change whose sending has failed several times is sent again after up to a minute. */
export const retryTimeout = { timeout: 90_000 };

/** The header's sync status. */
export function indicator(page: Page): Locator {
  return page.getByRole('button', { name: /Sync details$/, includeHidden: true });
}

/**
 * Waits until the outbox is empty and a pull has completed. Reads the outbox too, because the status is updated up to
 * half a second after a change: "All saved" may still be the status before the change.
 */
export async function untilSynced(page: Page, options: { timeout?: number } = {}): Promise<void> {
  await expect.poll(() => rowsOf(page, 'outbox'), options).toEqual([]);
  const saved = page.getByRole('button', {
    name: /^All saved.*Sync details$/,
    includeHidden: true,
  });
  await saved.waitFor({ state: 'attached', ...options });
}

/**
 * Opens a screen and waits until its sync worker has received the list of plants. Call it before a route is set, because
 * requests of a worker that is just being started are not intercepted.
 */
export async function openAndPull(page: Page, url: string): Promise<void> {
  const pulled = page.context().waitForEvent('response', (response) => {
    return response.url().endsWith('/api/plants/with-latest-readings');
  });
  await page.goto(url);
  await pulled;
}

/** The notice at the edge of the screen. */
export function notice(page: Page): Locator {
  return page.locator('section[aria-label="Notice"]');
}

export async function openChanges(page: Page): Promise<void> {
  await indicator(page).click();
  await page.getByRole('dialog', { name: 'Changes' }).waitFor();
}

/** Blocks the stream of live changes, a request that never ends, so that a page's network can become idle. */
export async function withoutLive(phone: Phone): Promise<void> {
  await phone.context.route('**/api/live*', (route) => route.abort());
}

/**
 * Runs `act` while API requests fail. Then removes all routes of the phone and dispatches `online`, so that the app
 * retries at once.
 */
export async function withoutApi(phone: Phone, act: () => Promise<void>): Promise<void> {
  await phone.context.route('**/api/**', (route) => route.abort());
  try {
    await act();
  } finally {
    await phone.context.unrouteAll();
  }
  await phone.page.evaluate(() => window.dispatchEvent(new Event('online')));
}
