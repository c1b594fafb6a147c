import type { Locator, Page } from 'playwright';

export const demo = { email: 'demo@sprig.local', password: 'demo-garden' };

export async function fillSignIn(page: Page, { email, password } = demo): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
}

/** Signs the demo account in, remembered, and waits for its plants. */
export async function signIn(page: Page, path = '/dashboard'): Promise<void> {
  await page.goto(path);
  await fillSignIn(page);
  await page.getByLabel('Remember me').check();
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('article').first().waitFor();
  await closeSidebar(page);
}

/** It starts open on the first visit and lies over a phone's screen. */
export async function closeSidebar(page: Page): Promise<void> {
  const toggle = page.getByRole('button', { name: 'Toggle sidebar' });
  if ((await toggle.getAttribute('aria-expanded')) === 'true') await toggle.click();
}

export function plantCard(page: Page, nickname: string): Locator {
  return page.getByRole('article', { name: nickname });
}

export function waterNow(page: Page, nickname: string): Locator {
  return plantCard(page, nickname).getByRole('button', { name: /^Water(ing|\s)/ });
}

/** Chromium writes a new registration to disk a moment later; a browser killed before that forgets it. */
const flushMs = 1_500;

/** The service worker controls the page, holds the whole shell and outlives the browser. */
export async function untilInstalled(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return registration?.active?.state === 'activated' && navigator.serviceWorker.controller;
  });
  await page.waitForTimeout(flushMs);
}
