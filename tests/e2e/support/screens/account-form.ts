import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { deferred } from '../../../support/deferred.ts';

export function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

export function password(page: Page, label = 'Password'): Locator {
  return page.getByLabel(label, { exact: true });
}

/**
 * Submits the form twice at once, like two quick taps, and again before the response. Checks that only one request is
 * sent, and that until its response the button shows `progress` and is disabled.
 */
export async function submitTwice(page: Page, path: string, progress: string): Promise<void> {
  const { promise, resolve } = deferred();
  let calls = 0;
  await page.route(`**${path}`, async (route) => {
    calls += 1;
    await promise;
    await route.continue();
  });
  await page.locator('form').evaluate((form: HTMLFormElement) => {
    form.requestSubmit();
    form.requestSubmit();
  });
  await button(page, progress).waitFor();
  expect(await button(page, progress).isDisabled()).toBe(true);
  await page.locator('form').evaluate((form: HTMLFormElement) => form.requestSubmit());
  const answered = page.waitForResponse(`**${path}`);
  resolve();
  await answered;
  await page.unroute(`**${path}`);
  expect(calls).toBe(1);
}

/** The errors of all invalid fields in order, found by aria-invalid and aria-describedby. */
export async function faults(page: Page): Promise<[label: string, fault: string][]> {
  return page.locator('form [aria-invalid="true"]').evaluateAll((fields) =>
    fields.map((field) => {
      const { labels } = field as HTMLInputElement;
      const message = document.getElementById(field.getAttribute('aria-describedby') ?? '');
      return [labels?.[0]?.textContent ?? '', message?.textContent ?? ''];
    }),
  );
}

/** The attributes of the fields for phone keyboards and password managers. */
export async function fieldKinds(page: Page): Promise<string[]> {
  const fields = page.locator('form input:not([type="checkbox"])');
  await fields.first().waitFor();
  return fields.evaluateAll((all) =>
    all.map((field) => {
      const { autocomplete, enterKeyHint, inputMode, type } = field as HTMLInputElement;
      return [type, autocomplete, enterKeyHint, inputMode].filter(Boolean).join(' ');
    }),
  );
}

/** Shows a password and hides it again. */
export async function lookAt(page: Page, label: string): Promise<void> {
  const field = password(page, label);
  const name = label.toLowerCase();
  expect(await field.getAttribute('type')).toBe('password');
  await button(page, `Show ${name}`).click();
  expect(await field.getAttribute('type')).toBe('text');
  await button(page, `Hide ${name}`).click();
  expect(await field.getAttribute('type')).toBe('password');
}
