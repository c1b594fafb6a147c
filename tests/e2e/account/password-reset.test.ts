import { beforeAll, beforeEach, expect, test } from 'vitest';
import { smallTargets } from '../../support/layout.ts';
import { barriersInBothThemes } from '../support/phone/accessibility.ts';
import { forgetAll, type Phone } from '../support/phone/browser.ts';
import { isFocused } from '../support/phone/focus.ts';
import { button, password, submitTwice } from '../support/screens/account-form.ts';
import { fillSignIn, signIn } from '../support/screens/garden.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { mailedLink } from '../support/server/mailbox.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp();
  ({ server, phone } = made);
  return made.close;
});
beforeEach(() => forgetAll(phone));

const email = () => phone.page.getByLabel('Email address');
const link = (name: string) => phone.page.getByRole('link', { name, exact: true });
const attempted = encodeURIComponent('/dashboard/schedule');
const update = () => button(phone.page, 'Update Password').click();

async function fillPasswords(text: string): Promise<void> {
  await password(phone.page, 'New password').fill(text);
  await password(phone.page, 'Confirm new password').fill(text);
}

/** Requests a link; the email address has spaces around it, as when it is pasted. */
async function requestLink(address: string): Promise<void> {
  const { page } = phone;
  await page.goto('/forgot-password');
  await email().fill(` ${address} `);
  await submitTwice(page, '/auth/forgot-password', 'Sending...');
  const heading = page.getByRole('heading', { name: 'Password reset email sent' });
  await heading.waitFor();
  await expect.poll(() => isFocused(heading)).toBe(true);
  const sentence = `If an account exists for ${address}, you will receive an email with instructions to reset your password.`;
  await page.getByText(sentence, { exact: true }).waitFor();
}

/** Checks title, heading, accessibility and touch targets of a screen that replaced a form. */
async function expectWellMade(title: string): Promise<void> {
  const { page } = phone;
  expect(await page.title()).toBe(`${title} · Sprig`);
  expect(await page.locator('h1').count()).toBe(1);
  expect(await barriersInBothThemes(page)).toEqual([]);
  expect(await page.evaluate(smallTargets)).toEqual([]);
}

test('an unknown email address gets the same accessible confirmation as a known one', async () => {
  await requestLink('nobody@garden.org');
  await expectWellMade('Forgot Password');
  await link('Back to sign in').click();
  await phone.page.waitForURL('**/signin');
});

test('the message that confirms a new password is accessible', async () => {
  const { page } = phone;
  await page.goto('/reset-password?token=from-a-mail');
  await fillPasswords('12345678');
  await page.route('**/auth/reset-password', (route) => route.fulfill({ json: {} }));
  await page.evaluate(stayHere);
  await update();
  await page.getByRole('heading', { name: 'Password Updated Successfully' }).waitFor();
  await expectWellMade('Reset Password');
  await page.unroute('**/auth/reset-password');
});

/** Runs in the page: stops the redirect, but no other timer, because axe needs them. */
function stayHere(): void {
  const { setTimeout } = window;
  const without3Seconds = (run: () => void, ms?: number) =>
    ms === 3_000 ? 0 : setTimeout(run, ms);
  Object.assign(window, { setTimeout: without3Seconds });
}

test('an emailed link shows the form although a session that has ended is stored; a current session leads to the dashboard', async () => {
  const { page } = phone;
  await signIn(page);
  await page.goto('/reset-password?token=from-a-mail');
  await page.waitForURL('**/dashboard');
  await page.goto('about:blank');
  await server.query('DELETE FROM sessions');
  await page.goto('/reset-password?token=from-a-mail');
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
  expect(new URL(page.url()).search).toBe('?token=from-a-mail');
});

/** Not the demo account, because other tests sign in with its password. */
const rosa = { email: 'rosa@garden.org', password: 'Rose-garden-1' };

async function signUpRosa(): Promise<void> {
  await fetch(`${server.url}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'Rosa', ...rosa }),
  });
  await fetch(server.url + (await mailedLink(server, rosa.email, '/auth/verify-email')));
}

test('an emailed link sets a new password once, and 3 seconds later sign-in opens', async () => {
  const { page } = phone;
  await signUpRosa();
  await requestLink(rosa.email);
  const mailed = await mailedLink(server, rosa.email, '/reset-password');
  await page.clock.install();
  await page.goto(`${mailed}&from=${attempted}`);
  await fillPasswords('another-garden');
  await page.clock.pauseAt(Date.now() + 60_000);
  await submitTwice(page, '/auth/reset-password', 'Updating Password...');
  await page.getByRole('heading', { name: 'Password Updated Successfully' }).waitFor();
  await page
    .getByText("Your password has been reset. You'll be redirected to the login page shortly.")
    .waitFor();
  expect(await page.title()).toBe('Reset Password · Sprig');
  expect(await page.locator('h1').count()).toBe(1);
  expect(await link('Sign in now').getAttribute('href')).toBe(`/login?from=${attempted}`);
  await page.clock.runFor(2_999);
  expect(new URL(page.url()).pathname).toBe('/reset-password');
  await page.clock.runFor(1);
  await page.waitForURL(`**/signin?from=${attempted}`);
  await page.clock.resume();

  await page.goto(`${mailed}&from=${encodeURIComponent('//elsewhere.example')}`);
  await fillPasswords('yet-another-garden');
  await update();
  await page.getByRole('alert').waitFor();
  await link('Request a new link').click();
  await page.waitForURL('**/forgot-password');

  await page.goto('/signin');
  await fillSignIn(page, { ...rosa, password: 'another-garden' });
  await button(page, 'Sign In').click();
  await page.waitForURL('**/dashboard');
  expect(phone.problems).toEqual([]);
});
