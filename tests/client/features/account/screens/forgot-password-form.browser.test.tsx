import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type FakeApi, fakeApi } from '../../../../support/component/api.ts';
import {
  button,
  fieldErrors,
  fieldHints,
  submitRepeatedly,
} from '../../../../support/component/form.ts';
import { openApp } from '../../../../support/component/open-app.tsx';

const forgotPassword = 'POST /auth/forgot-password';

let api: FakeApi;
beforeEach(async () => {
  api = fakeApi();
  await openApp('/forgot-password?from=%2Fdashboard%2Fschedule');
});

const email = () => page.getByLabelText('Email address');

test('the field has the attributes for phone keyboards and password managers', () => {
  expect(fieldHints()).toEqual(['email username send email']);
});

test('reports a missing or malformed email address and focuses the field', async () => {
  await button('Send Reset Link').click();
  expect(fieldErrors()).toEqual([['Email address', 'Email is required']]);
  await expect.element(email()).toHaveFocus();
  await email().fill('rosa');
  expect(fieldErrors()).toEqual([]);
  await button('Send Reset Link').click();
  expect(fieldErrors()).toEqual([['Email address', 'Please enter a valid email address']]);
  expect(api.calls).toEqual([]);
});

test('when the server is not reached, keeps the email address and shows an error until the person types', async () => {
  await email().fill('rosa@garden.org');
  await button('Send Reset Link').click();
  const alert = page.getByRole('alert');
  await expect.element(alert).toHaveTextContent('An unknown error occurred');
  await expect.element(email()).toHaveValue('rosa@garden.org');
  await email().fill('nobody@garden.org');
  await expect.element(alert).not.toBeInTheDocument();
});

test('sends one request with the trimmed email address, then focuses a heading that says that the email was sent', async () => {
  await email().fill(' rosa@garden.org ');
  await submitRepeatedly(api, forgotPassword, 'Sending...', { status: 200, json: {} });
  const heading = page.getByRole('heading', { name: 'Password reset email sent' });
  await expect.element(heading).toHaveFocus();
  const sentence =
    'If an account exists for rosa@garden.org, you will receive an email with instructions to reset your password.';
  await expect.element(page.getByText(sentence, { exact: true })).toBeVisible();
  expect(document.title).toBe('Forgot Password · Sprig');
  expect(api.calls).toEqual([
    { route: forgotPassword, body: { username_or_email: 'rosa@garden.org' } },
  ]);
});

test('the link back to sign-in keeps the requested screen', async () => {
  await expect
    .element(page.getByRole('link', { name: 'Back to sign in' }))
    .toHaveAttribute('href', '/signin?from=%2Fdashboard%2Fschedule');
});
