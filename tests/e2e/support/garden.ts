import type { Locator, Page } from 'playwright';

export const demo = { email: 'demo@sprig.local', password: 'demo-garden' };

export async function fillSignIn(page: Page, { email, password } = demo): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
}

/**
 * Signs an account in, remembered, and waits for its plants: by what the form leaves on the device, for tests of what
 * comes after. The sidebar, open on the first visit and over a phone's screen, has been closed.
 */
export async function signIn(page: Page, path = '/dashboard', account = demo): Promise<void> {
  // A page of the origin without the app.
  await page.goto('/healthz');
  await page.evaluate(async ({ email, password }) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ username_or_email: email, password, rememberMe: true });
    const login = await fetch('/auth/login', { method: 'POST', headers, body });
    const { access_token: token } = await login.json();
    const me = await fetch('/auth/me', { headers: { authorization: `Bearer ${token}` } });
    window.localStorage.setItem('sprig.token', token);
    window.localStorage.setItem('sprig.profile', await me.text());
    window.localStorage.setItem('sprig.sidebar-open', '0');
  }, account);
  await page.goto(path);
  await page.getByRole('article').first().waitFor();
}

/** The same by the form, as a person does it. */
export async function signInByForm(page: Page, path = '/dashboard', account = demo): Promise<void> {
  await page.goto(path);
  await fillSignIn(page, account);
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

/** The service worker controls the page and holds the whole shell. */
export async function untilInstalled(page: Page): Promise<void> {
  // Playwright's waitForFunction would take the promise itself for a yes.
  await page.evaluate(async () => {
    const { serviceWorker } = navigator;
    const controlled = new Promise((resolve) => {
      serviceWorker.addEventListener('controllerchange', resolve);
    });
    const { active } = await serviceWorker.ready;
    if (!serviceWorker.controller) await controlled;
    if (active?.state === 'activated') return;
    await new Promise((resolve) => active?.addEventListener('statechange', resolve));
  });
}

/** Chromium writes a new registration to disk a moment later; a browser killed before that forgets it. */
const flushMs = 1_500;

/** The same, and it outlives the browser. */
export async function untilInstalledForGood(page: Page): Promise<void> {
  await untilInstalled(page);
  await page.waitForTimeout(flushMs);
}

/** What stands above the plants while nobody answers. A machine without any network is itself offline. */
export const stale = /^(Server not reachable|Offline). Last updated/;
