import type { Locator, Page } from 'playwright';

export const demo = { email: 'demo@sprig.local', password: 'demo-garden' };

export async function fillSignIn(page: Page, { email, password } = demo): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
}

/**
 * Signs an account in with the same result as the form with "Remember me", by writing the session to storage. Closes
 * the sidebar, which is open on a first visit and covers a phone's screen. Waits for the plants.
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

/** Signs in through the form, as a person does. */
export async function signInByForm(page: Page, path = '/dashboard', account = demo): Promise<void> {
  await page.goto(path);
  await fillSignIn(page, account);
  await page.getByLabel('Remember me').check();
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('article').first().waitFor();
  await closeSidebar(page);
}

/** Closes the sidebar, which is open on a first visit and covers a phone's screen. */
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

/** Waits until the service worker controls the page and has cached the app. */
export async function untilInstalled(page: Page): Promise<void> {
  // Not waitForFunction: the function must run once and be awaited, not polled until it returns something true.
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

/** Chromium writes a new registration to disk after a delay; a browser that is killed before that loses it. */
const flushMs = 1_500;

/** Waits until the service worker is installed and survives a restart of the browser. */
export async function untilInstalledForGood(page: Page): Promise<void> {
  await untilInstalled(page);
  await page.waitForTimeout(flushMs);
}

/**
 * The line at the end of the screen while the server cannot be reached. It begins with Offline if the browser has no
 * network.
 */
export const lastUpdatedLine = /^(Server not reachable|Offline). Last updated/;
