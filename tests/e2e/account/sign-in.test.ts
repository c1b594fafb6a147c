import type { Locator } from 'playwright';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { appUrl, forgetAll, type Phone } from '../support/phone/browser.ts';
import { isFocused } from '../support/phone/focus.ts';
import { button, password, submitTwice } from '../support/screens/account-form.ts';
import { demo, fillSignIn } from '../support/screens/garden.ts';
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
beforeEach(async () => {
  await forgetAll(phone);
  await phone.page.goto('/signin');
});

const email = () => phone.page.getByLabel('Email address');
const submit = () => button(phone.page, 'Sign In').click();

test('sign-in shows the result of an emailed verification link until the person types or submits, and not again after a reload', async () => {
  const { page } = phone;
  await page.goto('/auth/verify-email?token=used-or-never-issued');
  const used = page.getByText('This verification link has been used or has expired.');
  await used.waitFor();
  await submit();
  await used.waitFor({ state: 'detached' });
  await page.goto('/signin?verified=1&from=%2Fdashboard%2Fplants');
  const verified = page.getByText('Your email is verified. You can sign in now.');
  await verified.waitFor();
  await email().fill('d');
  await verified.waitFor({ state: 'detached' });
  await page.reload();
  // The button is enabled once the app has loaded. Only the app could show the message again.
  await expect.poll(() => button(page, 'Sign In').isEnabled()).toBe(true);
  expect(await verified.count()).toBe(0);
  expect(new URL(page.url()).searchParams.get('from')).toBe('/dashboard/plants');
});

test('signing in and out works with the keyboard alone', async () => {
  const { page } = phone;
  // The prerendered button is disabled until the app has loaded, and Tab skips it.
  await expect.poll(() => button(page, 'Sign In').isEnabled()).toBe(true);
  await tabTo(email());
  await page.keyboard.type(demo.email);
  await tabTo(password(page));
  await page.keyboard.type(demo.password);
  await tabTo(page.getByLabel('Remember me'));
  await page.keyboard.press('Space');
  expect(await page.getByLabel('Remember me').isChecked()).toBe(true);
  await tabTo(button(page, 'Sign In'));
  await page.keyboard.press('Enter');
  await page.getByRole('article').first().waitFor();
  expect(await page.evaluate(() => localStorage.getItem('sprig.token'))).toMatch(/\./);
  // The sidebar, which is open on a first visit, stays open.
  expect(await button(page, 'Toggle sidebar').getAttribute('aria-expanded')).toBe('true');
  const first = page.getByRole('link', { name: 'Dashboard' }).first();
  await expect.poll(() => isFocused(first)).toBe(true);
  await tabTo(button(page, 'User menu'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await tabTo(button(page, 'Sign Out'));
  await page.keyboard.press('Enter');
  await email().waitFor();
});

/** Presses the key until the target has the focus, at most 20 times. */
async function tabTo(target: Locator, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 20 && !(await isFocused(target)); presses++) {
    await phone.page.keyboard.press(key);
  }
  expect(await isFocused(target)).toBe(true);
}

const newcomer = {
  name: 'وردة 🌱 Rosa O’Gärtner',
  email: 'rosa@garden.org',
  password: 'Rose-garden-1',
};
const name = () => phone.page.getByLabel('Full name');
const create = () => button(phone.page, 'Create Account').click();

async function fillSignUp(person = newcomer): Promise<void> {
  const { page } = phone;
  await name().fill(person.name);
  await page.getByLabel('Email address').fill(person.email);
  await password(page).fill(person.password);
  await password(page, 'Confirm password').fill(person.password);
  await page.getByRole('checkbox').check();
}

test('a name of 10,000 characters is rejected with a message and stays in the form', async () => {
  const { page } = phone;
  await page.goto('/signup');
  const long = 'وردة🌱 '.repeat(1_430).slice(0, 10_000);
  await fillSignUp({ ...newcomer, name: long });
  await create();
  await page.getByText('Must be at most 200 characters', { exact: true }).waitFor();
  expect(await name().inputValue()).toBe(long);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('signing up, following the emailed link and signing in lead to the screen that was opened first', async () => {
  const { page } = phone;
  await page.goto('/dashboard/schedule');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await page.getByRole('link', { name: 'Sign up' }).click();
  await fillSignUp();
  await submitTwice(page, '/auth/register', 'Creating account...');
  const created = page.getByText(
    'Account created successfully! Please check your email to verify your account.',
  );
  await created.waitFor();
  const signInAddress = page.url();
  expect(signInAddress).toBe(`${appUrl}/signin?from=%2Fdashboard%2Fschedule`);
  await fillSignIn(page, newcomer);
  await created.waitFor({ state: 'detached' });
  await button(page, 'Sign In').click();
  await page
    .getByText('Email not verified. Please check your email for a verification link.')
    .waitFor();
  await page.goto(await mailedLink(server, newcomer.email, '/auth/verify-email'));
  await page.getByText('Your email is verified. You can sign in now.').waitFor();
  await page.goto(signInAddress);
  await fillSignIn(page, newcomer);
  await button(page, 'Sign In').click();
  await page.waitForURL('**/dashboard/schedule');
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByText(newcomer.name, { exact: true }).waitFor();
  expect(phone.problems).toEqual([]);
});
