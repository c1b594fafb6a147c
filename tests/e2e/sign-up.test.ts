import { beforeAll, beforeEach, expect, test } from 'vitest';
import { button, password, submitTwice } from './support/account-form.ts';
import type { AppServer } from './support/app-server.ts';
import type { Phone } from './support/browser.ts';
import { fillSignIn } from './support/garden.ts';
import { mailedLink } from './support/mailbox.ts';
import { setUp } from './support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp();
  ({ server, phone } = made);
  return made.close;
});
beforeEach(() => phone.page.goto('/signup'));

const newcomer = {
  name: 'وردة 🌱 Rosa O’Gärtner',
  email: 'rosa@garden.org',
  password: 'Rose-garden-1',
};
const name = () => phone.page.getByLabel('Full name');
const submit = () => button(phone.page, 'Create Account').click();

async function fillSignUp(person = newcomer): Promise<void> {
  const { page } = phone;
  await name().fill(person.name);
  await page.getByLabel('Email address').fill(person.email);
  await password(page).fill(person.password);
  await password(page, 'Confirm password').fill(person.password);
  await page.getByRole('checkbox').check();
}

test('a name of 10,000 characters is rejected with a message and kept', async () => {
  const { page } = phone;
  const long = 'وردة🌱 '.repeat(1_430).slice(0, 10_000);
  await fillSignUp({ ...newcomer, name: long });
  await submit();
  await page.getByRole('alert').getByText('username: Must be at most 200 characters').waitFor();
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
  expect(signInAddress).toBe(`${server.url}/signin?from=%2Fdashboard%2Fschedule`);
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
