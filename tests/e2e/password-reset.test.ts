import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AppServer, openAppServer } from './support/app-server.ts';
import { openPhone, type Phone } from './support/browser.ts';
import { demo, fillSignIn } from './support/garden.ts';
import { mailedLink } from './support/mailbox.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  server = await openAppServer();
  await server.start();
});
afterAll(() => server.close());
beforeEach(async () => {
  phone = await openPhone(server.url);
});
afterEach(() => phone.close());

const button = (name: string) => phone.page.getByRole('button', { name, exact: true });

async function askForLink(email: string): Promise<void> {
  await phone.page.goto('/forgot-password');
  await phone.page.getByLabel('Email address').fill(email);
  await button('Send Reset Link').click();
  await phone.page.getByRole('heading', { name: 'Password reset email sent' }).waitFor();
}

async function choose(password: string): Promise<void> {
  await phone.page.getByLabel('New password', { exact: true }).fill(password);
  await phone.page.getByLabel('Confirm new password', { exact: true }).fill(password);
  await button('Update Password').click();
}

test('a forgotten password is replaced by way of the mailed link, which works once', async () => {
  const { page } = phone;
  await askForLink(demo.email);
  await page
    .getByText(
      `If an account exists for ${demo.email}, you will receive an email with instructions to reset your password.`,
    )
    .waitFor();
  const link = await mailedLink(server, demo.email, '/reset-password');
  await page.goto(link);
  await choose('another-garden');
  await page.getByRole('heading', { name: 'Password Updated Successfully' }).waitFor();
  await page
    .getByText("Your password has been reset. You'll be redirected to the login page shortly.")
    .waitFor();
  await page.waitForURL('**/signin');

  await page.goto(link);
  await choose('yet-another-garden');
  await page.getByRole('alert').waitFor();
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await page.waitForURL('**/forgot-password');

  await page.goto('/signin');
  await fillSignIn(page, { ...demo, password: 'another-garden' });
  await button('Sign In').click();
  await page.waitForURL('**/dashboard');
  expect(phone.problems).toEqual([]);
});

test('who has no account is told the same', async () => {
  await askForLink('nobody@garden.org');
  await phone.page.getByText('If an account exists for nobody@garden.org, you will').waitFor();
});

test('a server out of reach is said, and the address stays', async () => {
  const { page } = phone;
  await page.goto('/forgot-password');
  await page.getByLabel('Email address').fill(demo.email);
  await phone.context.route('**/auth/forgot-password', (route) => route.abort());
  await button('Send Reset Link').click();
  await page.getByText('An unknown error occurred').waitFor();
  expect(await page.getByLabel('Email address').inputValue()).toBe(demo.email);
});
