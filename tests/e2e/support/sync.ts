import type { Locator, Page } from 'playwright';
import type { Phone } from './browser.ts';

/** The header's word on sync. */
export function indicator(page: Page): Locator {
  return page.getByRole('button', { name: /Sync details$/, includeHidden: true });
}

/** The card at the edge of the screen that says what happened behind the person's back. */
export function notice(page: Page): Locator {
  return page.locator('section[aria-label="Notice"]');
}

export async function openChanges(page: Page): Promise<void> {
  await indicator(page).click();
  await page.getByRole('dialog', { name: 'Changes' }).waitFor();
}

/** What a page does while nobody answers the API; then the network is back. */
export async function withoutApi(phone: Phone, act: () => Promise<void>): Promise<void> {
  await phone.context.route('**/api/**', (route) => route.abort());
  await act();
  await phone.context.unrouteAll();
  await phone.page.evaluate(() => window.dispatchEvent(new Event('online')));
}
