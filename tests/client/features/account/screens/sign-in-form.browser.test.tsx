import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { closeSession, getSession, handleUnauthorized } from '#client/session/session.ts';
import { type FakeApi, fakeApi } from '../../../../support/component/api.ts';
import {
  button,
  currentForm,
  fieldErrors,
  fieldHints,
  fieldValues,
  submitRepeatedly,
  togglePassword,
} from '../../../../support/component/form.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { deferred } from '../../../../support/deferred.ts';

const login = 'POST /auth/login';
const token = 'e30.e30.x';

let api: FakeApi;
beforeEach(() => {
  api = fakeApi();
});

const email = () => page.getByLabelText('Email address');
const password = () => page.getByLabelText('Password', { exact: true });
const storedTokens = () =>
  [localStorage, sessionStorage].map((storage) => storage.getItem('sprig.token'));

async function fillIn(): Promise<void> {
  await email().fill('rosa@garden.org');
  await password().fill('Rose-garden-1');
}

test('reports missing fields, focuses the first, and clears an error when its field is edited', async () => {
  await openApp('/signin');
  expect(fieldHints()).toEqual(['email username next email', 'password current-password go']);
  await button('Sign In').click();
  expect(fieldErrors()).toEqual([
    ['Email address', 'Email is required'],
    ['Password', 'Password is required'],
  ]);
  await expect.element(email()).toHaveFocus();
  await email().fill('not an address');
  expect(fieldErrors()).toEqual([['Password', 'Password is required']]);
  await password().fill('anything');
  await button('Sign In').click();
  expect(fieldErrors()).toEqual([['Email address', 'Please enter a valid email address']]);
  await email().fill('rosa@garden.org');
  await password().fill('');
  await button('Sign In').click();
  expect(fieldErrors()).toEqual([['Password', 'Password is required']]);
  await expect.element(password()).toHaveFocus();
  await togglePassword('Password');
});

test('after Enter in the invalid field it gets the focus again, so that screen readers read the error', async () => {
  await openApp('/signin');
  await password().fill('anything');
  await email().fill('not an address');
  const onFocus = vi.fn();
  email().element().addEventListener('focus', onFocus);
  await userEvent.keyboard('{Enter}');
  await expect.poll(fieldErrors).toEqual([['Email address', 'Please enter a valid email address']]);
  expect(onFocus).toHaveBeenCalledOnce();
  await expect.element(email()).toHaveFocus();
});

test.each([true, false])(
  'sends whether the person wants to be remembered: %s',
  async (isChosen) => {
    await openApp('/signin');
    await fillIn();
    if (isChosen) await page.getByLabelText('Remember me').click();
    api.respond(login, { status: 401, json: { message: 'Invalid' } });
    await button('Sign In').click();
    await expect.element(page.getByRole('alert')).toBeVisible();
    expect(api.calls[0]?.body).toMatchObject({ rememberMe: isChosen });
  },
);

test('a wrong password shows an error and keeps the input', async () => {
  await openApp('/signin');
  await fillIn();
  await page.getByLabelText('Remember me').click();
  await submitRepeatedly(api, login, 'Signing in...', {
    status: 401,
    json: { message: 'Invalid username/email or password' },
  });
  const alert = page.getByRole('alert');
  await expect.element(alert).toHaveTextContent('Invalid username/email or password');
  expect(fieldValues()).toEqual(['rosa@garden.org', 'Rose-garden-1', true]);
  await password().fill('other');
  await expect.element(alert).not.toBeInTheDocument();
});

const tokenless = 'Invalid response from server';
test.each([
  ['Failed to sign in. Please check your credentials and try again.', 'unreachable'],
  [tokenless, { status: 200, json: { token: 'a.b.c' } }],
  [tokenless, { status: 200, json: { access_token: 'not-a-token' } }],
  ['Login failed with status 500', { status: 500, body: '<h1>Oops</h1>' }],
  ['Slow down, please', { status: 429, json: { message: 'Slow down, please' } }],
] as const)('a failed sign-in keeps the input and says: %s', async (message, response) => {
  await openApp('/signin');
  await fillIn();
  api.respond(login, response);
  await button('Sign In').click();
  const text = page.getByRole('alert').getByText(message, { exact: true });
  await expect.element(text).toBeVisible();
  await expect.element(button('Sign In')).toHaveFocus();
  const unreachable = page.getByText('The server could not be reached.');
  expect(unreachable.elements()).toHaveLength(response === 'unreachable' ? 1 : 0);
  await expect.element(email()).toHaveValue('rosa@garden.org');
  expect(storedTokens()).toEqual([null, null]);
});

test.each([
  ['?verified=1', 'Your email is verified. You can sign in now.'],
  ['?verified=0', 'This verification link has been used or has expired.'],
])('a verification link %s shows its result until the person types', async (query, text) => {
  await openApp(`/signin${query}`);
  await expect.element(page.getByText(text)).toBeVisible();
  await email().fill('r');
  await expect.element(page.getByText(text)).not.toBeInTheDocument();
});

test('the message about an expired session is shown until the person types', async () => {
  await signInAs();
  await openApp('/dashboard/analytics');
  await handleUnauthorized('a.b.c');
  const message = page.getByText('Authentication required');
  await expect.element(message).toBeVisible();
  await email().fill('r');
  await expect.element(message).not.toBeInTheDocument();
});

test('submitting the form hides the message about a verification link', async () => {
  await openApp('/signin?verified=0');
  await button('Sign In').click();
  await expect
    .element(page.getByText('This verification link has been used or has expired.'))
    .not.toBeInTheDocument();
});

test('signs in with autofilled values, without the spaces around the email', async () => {
  const app = await openApp('/signin?from=%2Fdashboard%2Fanalytics');
  api.respond(login, { status: 200, json: { access_token: token } });
  api.respond('GET /auth/me', {
    status: 200,
    json: { username: 'Rosa', email: 'rosa@garden.org', is_verified: true },
  });
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  for (const [name, value] of [
    ['email', ' rosa@garden.org '],
    ['password', 'Rose-garden-1'],
  ] as const) {
    const field = currentForm().elements.namedItem(name);
    set?.call(field, value);
    if (field instanceof HTMLElement) field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  await button('Sign In').click();
  await expect.poll(app.url).toBe('/dashboard/analytics');
  expect(api.calls[0]?.body).toMatchObject({
    username_or_email: 'rosa@garden.org',
    password: 'Rose-garden-1',
  });
  expect(storedTokens()).toEqual([null, token]);
  const session = getSession();
  closeSession();
  if (session.status === 'signed-in') await session.db.delete();
});

test('after a successful sign-in the button stays busy until the next screen is shown', async () => {
  const app = await openApp('/signin?from=%2Fdashboard%2Fanalytics');
  api.respond(login, { status: 200, json: { access_token: token } });
  api.respond('GET /auth/me', 'unreachable');
  await fillIn();
  const texts: (string | null)[] = [];
  const submit = currentForm().querySelector('[type=submit]');
  const observer = new MutationObserver(() => texts.push(submit?.textContent ?? null));
  observer.observe(currentForm(), { childList: true, characterData: true, subtree: true });
  onTestFinished(() => observer.disconnect());
  await button('Sign In').click();
  await expect.poll(app.url).toBe('/dashboard/analytics');
  await expect.element(button('User menu')).toBeVisible();
  expect(new Set(texts)).toEqual(new Set(['Signing in...']));
  const session = getSession();
  closeSession();
  if (session.status === 'signed-in') await session.db.delete();
});

test('the token is stored before the profile is requested; if the profile cannot be loaded, the email is shown as the name', async () => {
  const app = await openApp('/signin?from=%2Fdashboard%2Fanalytics');
  const profile = deferred();
  api.respond(login, { status: 200, json: { access_token: token } });
  api.respond('GET /auth/me', async () => {
    await profile.promise;
    return 'unreachable' as const;
  });
  await fillIn();
  await page.getByLabelText('Remember me').click();
  await button('Sign In').click();
  await expect.poll(() => api.calls.at(-1)?.route).toBe('GET /auth/me');
  expect(storedTokens()).toEqual([token, null]);
  await expect.element(button('Signing in...')).toBeDisabled();
  profile.resolve();
  await expect.poll(app.url).toBe('/dashboard/analytics');
  await button('User menu').click();
  // The email is shown twice: in place of the name and as the email.
  const menu = page.getByRole('region', { name: 'User menu' });
  expect(menu.getByText('rosa@garden.org', { exact: true }).elements()).toHaveLength(2);
  const stored = JSON.parse(localStorage.getItem('sprig.profile') ?? '');
  expect(stored).toMatchObject({ email: 'rosa@garden.org', is_verified: false });
  const session = getSession();
  closeSession();
  if (session.status === 'signed-in') await session.db.delete();
});

test('the Tab key reaches the controls of the sign-in form in order', async () => {
  await openApp('/signin');
  await email().click();
  const reached: (string | undefined)[] = [];
  for (let presses = 0; presses < 5; presses++) {
    await userEvent.keyboard('{Tab}');
    const { activeElement } = document;
    const label = activeElement instanceof HTMLInputElement ? activeElement.labels?.[0] : null;
    reached.push(
      (
        activeElement?.getAttribute('aria-label') ??
        label?.textContent ??
        activeElement?.textContent
      )?.trim(),
    );
  }
  expect(reached).toEqual([
    'Password',
    'Show password',
    'Remember me',
    'Forgot password?',
    'Sign In',
  ]);
});
