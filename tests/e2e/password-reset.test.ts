import { beforeAll, expect, test } from 'vitest';
import { barriersInBothThemes } from './support/accessibility.ts';
import {
  button,
  faults,
  fieldKinds,
  lookAt,
  password,
  submitTwice,
} from './support/account-form.ts';
import type { AppServer } from './support/app-server.ts';
import type { Phone } from './support/browser.ts';
import { isFocused } from './support/focus.ts';
import { demo, fillSignIn } from './support/garden.ts';
import { mailedLink } from './support/mailbox.ts';
import { setUp } from './support/set-up.ts';
import { smallTargets } from './support/small-targets.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp();
  ({ server, phone } = made);
  return made.close;
});

const email = () => phone.page.getByLabel('Email address');
const link = (name: string) => phone.page.getByRole('link', { name, exact: true });
const attempted = encodeURIComponent('/dashboard/schedule');
const sendLink = () => button(phone.page, 'Send Reset Link').click();
const update = () => button(phone.page, 'Update Password').click();

async function fillPasswords(text: string): Promise<void> {
  await password(phone.page, 'New password').fill(text);
  await password(phone.page, 'Confirm new password').fill(text);
}

/** The address is pasted with spaces around it. */
async function askForLink(address: string): Promise<void> {
  const { page } = phone;
  await page.goto('/forgot-password');
  await email().fill(` ${address} `);
  await submitTwice(page, '/auth/forgot-password', 'Sending...');
  const heading = page.getByRole('heading', { name: 'Password reset email sent' });
  await heading.waitFor();
  expect(await isFocused(heading)).toBe(true);
  const sentence = `If an account exists for ${address}, you will receive an email with instructions to reset your password.`;
  await page.getByText(sentence, { exact: true }).waitFor();
}

/** Of a screen that took the place of a form. */
async function expectWellMade(title: string): Promise<void> {
  const { page } = phone;
  expect(await page.title()).toBe(`${title} · Sprig`);
  expect(await page.locator('h1').count()).toBe(1);
  expect(await barriersInBothThemes(page)).toEqual([]);
  expect(await smallTargets(page)).toEqual([]);
}

test('asking for a link says what is missing, and that nobody answers, and keeps the address', async () => {
  const { page } = phone;
  await page.goto('/signin');
  await link('Forgot password?').click();
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/forgot-password');
  expect(await fieldKinds(page)).toEqual(['email username send email']);
  await sendLink();
  expect(await faults(page)).toEqual([['Email address', 'Email is required']]);
  expect(await isFocused(email())).toBe(true);
  await email().fill('rosa');
  expect(await faults(page)).toEqual([]);
  await sendLink();
  expect(await faults(page)).toEqual([['Email address', 'Please enter a valid email address']]);
  await email().fill(demo.email);
  await page.route('**/auth/forgot-password', (route) => route.abort());
  await sendLink();
  const failure = page.getByText('An unknown error occurred', { exact: true });
  await failure.waitFor();
  expect(await email().inputValue()).toBe(demo.email);
  await page.unroute('**/auth/forgot-password');
  await email().fill('nobody@garden.org');
  expect(await failure.count()).toBe(0);
});

test('who has no account is told the same as who has one, in a way that everybody can read', async () => {
  await askForLink('nobody@garden.org');
  await expectWellMade('Forgot Password');
  await link('Back to sign in').click();
  await phone.page.waitForURL('**/signin');
});

test("without a token: 'Invalid Reset Link', and the way to a new one", async () => {
  const { page } = phone;
  for (const query of ['', '?token=', '?token=%20', '?other=1', `?from=${attempted}`]) {
    await page.goto(`/reset-password${query}`);
    await page.getByRole('heading', { name: 'Invalid Reset Link', exact: true }).waitFor();
  }
  await page.getByText('The password reset link is invalid or has expired.').waitFor();
  await page.getByText('Invalid or missing reset token', { exact: true }).waitFor();
  const back = `/signin?from=${attempted}`;
  expect(await link('Back to sign in').getAttribute('href')).toBe(back);
  await link('Request New Link').click();
  await page.waitForURL(`**/forgot-password?from=${attempted}`);
  expect(await link('Back to sign in').getAttribute('href')).toBe(back);
});

test('a new password is checked, can be looked at, is not lost when nobody answers, and everybody can read that it is set', async () => {
  const { page } = phone;
  await page.goto('/reset-password?token=from-a-mail');
  expect(await fieldKinds(page)).toEqual([
    'password new-password next',
    'password new-password done',
  ]);
  await update();
  expect(await faults(page)).toEqual([['New password', 'Password is required']]);
  expect(await isFocused(password(page, 'New password'))).toBe(true);
  await password(page, 'New password').fill('1234567');
  await update();
  expect(await faults(page)).toEqual([
    ['New password', 'Password must be at least 8 characters long'],
    ['Confirm new password', 'Passwords do not match'],
  ]);
  await lookAt(page, 'New password');
  await lookAt(page, 'Confirm new password');
  await fillPasswords('12345678');
  expect(await faults(page)).toEqual([]);
  await page.route('**/auth/reset-password', (route) => route.abort());
  await update();
  await page.getByText('An unknown error occurred', { exact: true }).waitFor();
  expect(await password(page, 'New password').inputValue()).toBe('12345678');
  expect(await password(page, 'Confirm new password').inputValue()).toBe('12345678');
  await page.unroute('**/auth/reset-password');

  await page.route('**/auth/reset-password', (route) => route.fulfill({ json: {} }));
  await page.evaluate(stayHere);
  await update();
  await page.getByRole('heading', { name: 'Password Updated Successfully' }).waitFor();
  await expectWellMade('Reset Password');
  await page.unroute('**/auth/reset-password');
});

/** In the page: the good news stays to be looked at; axe itself needs a clock that runs. */
function stayHere(): void {
  const { setTimeout } = window;
  const without3Seconds = (run: () => void, ms?: number) =>
    ms === 3_000 ? 0 : setTimeout(run, ms);
  Object.assign(window, { setTimeout: without3Seconds });
}

test('a mailed link sets a new password once, and 3 seconds later the login page comes', async () => {
  const { page } = phone;
  await askForLink(demo.email);
  const mailed = await mailedLink(server, demo.email, '/reset-password');
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
  await fillSignIn(page, { ...demo, password: 'another-garden' });
  await button(page, 'Sign In').click();
  await page.waitForURL('**/dashboard');
  expect(phone.problems).toEqual([]);
});
