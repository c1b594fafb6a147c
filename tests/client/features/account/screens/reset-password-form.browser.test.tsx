import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { type FakeApi, fakeApi } from '../../../../support/component/api.ts';
import { stopTimers } from '../../../../support/component/clock.ts';
import {
  button,
  fieldErrors,
  fieldHints,
  fieldValues,
  submitRepeatedly,
  togglePassword,
} from '../../../../support/component/form.ts';
import { type OpenApp, openApp } from '../../../../support/component/open-app.tsx';

const resetPassword = 'POST /auth/reset-password';
const from = 'from=%2Fdashboard%2Fschedule';

let api: FakeApi;
beforeEach(() => {
  api = fakeApi();
});

const openForm = (): Promise<OpenApp> => openApp(`/reset-password?token=from-a-mail&${from}`);

async function fillIn(text: string): Promise<void> {
  await page.getByLabelText('New password', { exact: true }).fill(text);
  await page.getByLabelText('Confirm new password', { exact: true }).fill(text);
}

test('reports what is wrong with a new password and focuses the first field', async () => {
  await openForm();
  expect(fieldHints()).toEqual(['password new-password next', 'password new-password done']);
  await button('Update Password').click();
  expect(fieldErrors()).toEqual([['New password', 'Password is required']]);
  const field = page.getByLabelText('New password', { exact: true });
  await expect.element(field).toHaveFocus();
  await field.fill('1234567');
  await button('Update Password').click();
  expect(fieldErrors()).toEqual([
    ['New password', 'Password must be at least 8 characters long'],
    ['Confirm new password', 'Passwords do not match'],
  ]);
  await fillIn('12345678');
  expect(fieldErrors()).toEqual([]);
});

test('both passwords can be shown', async () => {
  await openForm();
  await togglePassword('New password');
  await togglePassword('Confirm new password');
});

test('keeps both passwords when the server is not reached', async () => {
  await openForm();
  await fillIn('12345678');
  await button('Update Password').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('An unknown error occurred');
  expect(fieldValues()).toEqual(['12345678', '12345678']);
});

test('after a lost response, says that the new password may be in use and leads to the sign-in', async () => {
  await openForm();
  await fillIn('12345678');
  const hint = 'The new password may be in use already.';
  const signIn = page.getByRole('link', { name: 'Try to sign in' });
  api.respond(resetPassword, { status: 422, json: { message: 'Too common' } });
  await button('Update Password').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Too common');
  await expect.element(signIn).not.toBeInTheDocument();
  for (const response of ['unreachable', { status: 400, json: { message: 'Expired' } }] as const) {
    api.respond(resetPassword, response);
    await button('Update Password').click();
    await expect.poll(() => api.calls.length).toBe(response === 'unreachable' ? 2 : 3);
    await expect.element(page.getByRole('alert')).toHaveTextContent(hint);
    await expect.element(signIn).toHaveAttribute('href', `/signin?${from}`);
    // The link is as high as a touch target, so inside the sentence it would push its lines apart.
    const [sentence, link] = [page.getByText(hint), signIn].map((part) =>
      part.element().getBoundingClientRect(),
    );
    expect(link?.top).toBeGreaterThanOrEqual(sentence?.bottom ?? Number.NaN);
  }
  await expect.element(page.getByRole('alert')).toHaveTextContent('Expired');
});

test('offers a new link only when the server rejects the token', async () => {
  await openForm();
  await fillIn('12345678');
  const newLink = page.getByRole('link', { name: 'Request a new link' });
  api.respond(resetPassword, { status: 422, json: { message: 'Too common' } });
  await button('Update Password').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Too common');
  await expect.element(newLink).not.toBeInTheDocument();
  api.respond(resetPassword, { status: 400, json: { message: 'Expired' } });
  await button('Update Password').click();
  await expect.element(newLink).toHaveAttribute('href', `/forgot-password?${from}`);
});

test('sets the password once and confirms it in a focused heading', async () => {
  // The confirmation stays.
  stopTimers(3_000);
  await openForm();
  await fillIn('another-garden');
  await submitRepeatedly(api, resetPassword, 'Updating Password...', { status: 200, json: {} });
  const heading = page.getByRole('heading', { name: 'Password Updated Successfully' });
  await expect.element(heading).toHaveFocus();
  await expect
    .element(page.getByRole('main'))
    .toHaveTextContent(
      "Your password has been reset. You'll be redirected to the login page shortly.",
    );
  expect(document.title).toBe('Reset Password · Sprig');
  const signIn = page.getByRole('link', { name: 'Sign in now' });
  await expect.element(signIn).toHaveAttribute('href', `/login?${from}`);
  expect(api.calls).toEqual([
    { route: resetPassword, body: { token: 'from-a-mail', password: 'another-garden' } },
  ]);
});

test('after Sign in now, Back leads to the screen before the form, whose link is used up', async () => {
  // The confirmation stays.
  stopTimers(3_000);
  const app = await openApp('/about-us');
  await app.navigate(`/reset-password?token=from-a-mail&${from}`);
  await fillIn('another-garden');
  api.respond(resetPassword, { status: 200, json: {} });
  await button('Update Password').click();
  await page.getByRole('link', { name: 'Sign in now' }).click();
  await expect.poll(app.url).toBe(`/signin?${from}`);
  app.goBack();
  await expect.poll(app.url).toBe('/about-us');
});

test('a person who leaves the confirmation is not sent to the sign-in later', async () => {
  const app = await openForm();
  await fillIn('another-garden');
  api.respond(resetPassword, { status: 200, json: {} });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await button('Update Password').click();
  await expect
    .element(page.getByRole('heading', { name: 'Password Updated Successfully' }))
    .toBeVisible();
  await app.navigate('/about-us');
  await expect.element(page.getByRole('heading', { name: 'About Us' })).toBeVisible();
  vi.advanceTimersByTime(3_000);
  await new Promise(requestAnimationFrame);
  expect(app.url()).toBe('/about-us');
});

test.each(['', '?token=', '?token=%20', '?other=1'])(
  'a reset link without a token (%s) is reported as invalid',
  async (query) => {
    await openApp(`/reset-password${query}`);
    const heading = page.getByRole('heading', { name: 'Invalid Reset Link', exact: true });
    await expect.element(heading).toBeVisible();
    for (const text of [
      'The password reset link is invalid or has expired.',
      'Invalid or missing reset token',
    ]) {
      await expect.element(page.getByText(text, { exact: true })).toBeVisible();
    }
  },
);

test('the links on the page for an invalid reset link keep the requested screen in ?from=', async () => {
  const app = await openApp(`/reset-password?${from}`);
  const back = page.getByRole('link', { name: 'Back to sign in' });
  await expect.element(back).toHaveAttribute('href', `/signin?${from}`);
  await page.getByRole('link', { name: 'Request New Link' }).click();
  await expect.poll(app.url).toBe(`/forgot-password?${from}`);
});
