import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import type { Phone } from './support/browser.ts';
import { forgetShell } from './support/forget-shell.ts';
import { signIn } from './support/garden.ts';
import { setUp } from './support/set-up.ts';

let phone: Phone;
beforeAll(async () => {
  const made = await setUp();
  ({ phone } = made);
  return made.close;
});

/** Gzipped size of every script that the page itself loads while `visit` runs. */
async function scriptBytes(visit: () => Promise<void>): Promise<number> {
  const bodies: Promise<Buffer>[] = [];
  const hear = (response: import('playwright').Response) => {
    const request = response.request();
    const isPageScript =
      request.resourceType() === 'script' && !/\/(sw|worker)/.test(request.url());
    if (isPageScript) bodies.push(response.body());
  };
  phone.page.on('response', hear);
  await visit();
  // What comes after the first paint counts too, e.g. the registration of the service worker.
  await phone.page.waitForLoadState('networkidle');
  phone.page.off('response', hear);
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body, { level: 9 }).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('the scripts of a cold visit stay within their budgets', async () => {
  const landing = await scriptBytes(async () => {
    await phone.page.goto('/landing');
    await phone.page.getByRole('link', { name: 'Get Started' }).waitFor();
  });
  await forgetShell(phone.page);
  const signInPage = await scriptBytes(async () => {
    await phone.page.goto('/signin');
    await phone.page.getByRole('button', { name: 'Sign In' }).waitFor();
  });
  await signIn(phone.page);
  await forgetShell(phone.page);
  const dashboard = await scriptBytes(async () => {
    await phone.page.goto('/dashboard');
    await phone.page.getByRole('article').first().waitFor();
  });
  console.log(
    `Scripts, gzip: landing ${landing} B, sign-in ${signInPage} B, dashboard ${dashboard} B`,
  );
  expect(landing).toBeGreaterThan(1_000);
  expect(landing).toBeLessThanOrEqual(6_000);
  expect(signInPage).toBeGreaterThan(50_000);
  expect(signInPage).toBeLessThanOrEqual(124_700);
  expect(dashboard).toBeGreaterThan(signInPage);
  expect(dashboard).toBeLessThanOrEqual(180_600);
});

test('the plant dialog with its charts weighs at most 47 kB more', async () => {
  const dialog = await scriptBytes(async () => {
    await phone.page.getByRole('link', { name: 'Details of Monty' }).click();
    await phone.page.getByRole('tab', { name: 'Sensor Data' }).click();
    await phone.page.getByRole('slider').first().waitFor();
  });
  console.log(`Scripts, gzip: plant dialog ${dialog} B`);
  expect(dialog).toBeGreaterThan(30_000);
  expect(dialog).toBeLessThanOrEqual(47_250);
});
