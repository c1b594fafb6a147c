import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { User } from '#contract/auth.ts';
import type { AccountSession } from '#contract/settings/profile.ts';
import { violationsInBothThemes } from '../../../support/component/accessibility.ts';
import { type FakeApi, fakeApi } from '../../../support/component/api.ts';
import { resizeScreen } from '../../../support/component/browser.ts';
import { button } from '../../../support/component/form.ts';
import { announced } from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { deferred } from '../../../support/deferred.ts';
import { sidewaysParts, smallTargets } from '../../../support/layout.ts';

const patch = 'PATCH /auth/me';
const noConnection = 'No connection. This needs the server: try again later.';

let api: FakeApi;
let sessions: AccountSession[];
const rosa: User = { username: 'Rosa', email: 'rosa@garden.org', is_verified: true };

beforeEach(async () => {
  api = fakeApi();
  sessions = [browser('this', { is_current: true, client: 'Firefox on Linux' })];
  api.respond('GET /auth/sessions', () => ({ status: 200, json: sessions }));
  api.respond('GET /api/device-tokens', { status: 200, json: [] });
  await signInAs({ email: rosa.email });
});

function browser(id: string, changes: Partial<AccountSession> = {}): AccountSession {
  return {
    id,
    created_at: '2026-11-20T08:00:00Z',
    expires_at: '2026-12-20T08:00:00Z',
    client: 'Chrome on Android',
    is_current: false,
    ...changes,
  };
}

const section = () => page.getByRole('region', { name: 'Profile' });
const nameForm = () => page.getByRole('form', { name: 'Name' });
const passwordForm = () => page.getByRole('form', { name: 'Password' });
const browsers = () => page.getByRole('list', { name: 'Browsers that are signed in' });
const bodies = (route: string) =>
  api.calls.filter((call) => call.route === route).map(({ body }) => body);

test('the user menu leads to Settings, above Devices', async () => {
  const app = await openApp('/dashboard/analytics');
  await button('User menu').click();
  const menu = page.getByRole('region', { name: 'User menu' });
  const names = [...menu.element().querySelectorAll('a, button')].map((one) => one.textContent);
  expect(names).toEqual(['Settings', 'Devices', 'Sign Out']);
  await menu.getByRole('link', { name: 'Settings' }).click();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  expect(app.url()).toBe('/dashboard/settings');
  await expect.element(menu).not.toBeInTheDocument();
});

test('Enter saves the name, a status says so, and the menu shows the name', async () => {
  await openApp('/dashboard/settings');
  const field = nameForm().getByLabelText('Name');
  await expect.element(field).toHaveValue('Rosa');
  await expect.element(nameForm().getByRole('button')).not.toBeInTheDocument();
  await field.fill(' Rosa Gardener ');
  api.respond(patch, { status: 200, json: { ...rosa, username: 'Rosa Gardener' } });
  await userEvent.keyboard('{Enter}');
  await expect.element(nameForm().getByRole('status')).toHaveTextContent('Saved');
  await expect.element(field).toHaveValue('Rosa Gardener');
  await expect.element(nameForm().getByRole('button')).not.toBeInTheDocument();
  expect(bodies(patch)).toEqual([{ username: 'Rosa Gardener' }]);
  await button('User menu').click();
  await expect
    .element(page.getByRole('region', { name: 'User menu' }))
    .toHaveTextContent('Rosa Gardener');
});

test('without a connection nothing that was typed is lost, and it can be saved later', async () => {
  await openApp('/dashboard/settings');
  const field = nameForm().getByLabelText('Name');
  await field.fill('Rose');
  await nameForm().getByRole('button', { name: 'Save' }).click();
  await expect.element(nameForm().getByRole('status')).toHaveTextContent(noConnection);
  await expect.element(field).toHaveValue('Rose');
  api.respond(patch, { status: 200, json: { ...rosa, username: 'Rose' } });
  await nameForm().getByRole('button', { name: 'Save' }).click();
  await expect.element(nameForm().getByRole('status')).toHaveTextContent('Saved');
  await expect.element(field).toHaveFocus();
});

test('an error message of the server is shown unchanged, and an empty name is not sent', async () => {
  await openApp('/dashboard/settings');
  const field = nameForm().getByLabelText('Name');
  await field.fill(' ');
  await nameForm().getByRole('button', { name: 'Save' }).click();
  await expect.element(field).toHaveAccessibleDescription('Name is required');
  await expect.element(field).toHaveFocus();
  expect(bodies(patch)).toEqual([]);
  api.respond(patch, { status: 422, json: { message: 'This name is taken' } });
  await field.fill('Rose');
  await nameForm().getByRole('button', { name: 'Save' }).click();
  await expect.element(nameForm().getByRole('status')).toHaveTextContent('This name is taken');
});

test('a change of the email address is sent with the password, a wrong password is shown as an error, and on success the section says that a link was sent to the new address', async () => {
  await openApp('/dashboard/settings');
  await expect.element(section().getByText('rosa@garden.org')).toBeVisible();
  await button('Change email').click();
  await button('Send link').click();
  const email = page.getByLabelText('New email address');
  await expect.element(email).toHaveAccessibleDescription('Email is required');
  await email.fill('rosa@new.example');
  await page.getByLabelText('Password', { exact: true }).fill('wrong');
  api.respond('POST /auth/email', { status: 403, json: { message: 'Wrong password' } });
  await button('Send link').click();
  await expect.element(section().getByRole('alert')).toHaveTextContent('Wrong password');
  await expect.element(email).toHaveValue('rosa@new.example');
  api.respond('POST /auth/email', { status: 202, json: {} });
  await button('Send link').click();
  const sentence = section().getByText('A confirmation link was sent to rosa@new.example.');
  await expect.element(sentence).toBeVisible();
  // The address stands in the sentence, not on a line of its own.
  await resizeScreen(1440, 900);
  const address = sentence.getByText('rosa@new.example', { exact: true }).element();
  expect(address.getBoundingClientRect().left).toBeGreaterThan(
    sentence.element().getBoundingClientRect().left,
  );
  await expect.element(button('Change email')).toHaveFocus();
  await expect.element(section().getByText('rosa@garden.org')).toBeVisible();
  expect(bodies('POST /auth/email').at(-1)).toEqual({
    email: 'rosa@new.example',
    password: 'wrong',
  });
});

test('a form cannot be closed while its request runs', async () => {
  const { promise, resolve } = deferred();
  api.respond('POST /auth/email', async () => {
    await promise;
    return { status: 202, json: {} };
  });
  await openApp('/dashboard/settings');
  await sendNewAddress();
  await expect.element(button('Sending...')).toBeDisabled();
  await expect.element(button('Cancel')).toBeDisabled();
  resolve();
  await expect.element(section().getByText('A confirmation link was sent to')).toBeVisible();
});

/** Opens, fills in and sends the form for another email address. */
async function sendNewAddress(): Promise<void> {
  await button('Change email').click();
  await page.getByLabelText('New email address').fill('rosa@new.example');
  await page.getByLabelText('Password', { exact: true }).fill('old-garden');
  await button('Send link').click();
}

/** Fills in and sends the open form for a new password. */
async function sendNewPassword(): Promise<void> {
  const field = (label: string) => passwordForm().getByLabelText(label, { exact: true });
  await field('Current password').fill('old-garden');
  await field('New password').fill('new-Garden-7');
  await field('Confirm new password').fill('new-Garden-7');
  await passwordForm().getByRole('button', { name: 'Change password' }).click();
}

test('the result of a form disappears for good when the form is opened again', async () => {
  api.respond('POST /auth/email', { status: 202, json: {} });
  api.respond('POST /auth/password', { status: 200, json: {} });
  await openApp('/dashboard/settings');
  await sendNewAddress();
  const sent = section().getByText('A confirmation link was sent to');
  await expect.element(sent).toBeVisible();
  await button('Change email').click();
  await button('Cancel').click();
  await expect.element(button('Change email')).toBeVisible();
  await expect.element(sent).not.toBeInTheDocument();

  await button('Change password').click();
  await sendNewPassword();
  const changed = section().getByText(/^Password changed/);
  await expect.element(changed).toBeVisible();
  await button('Change password').click();
  await button('Cancel').click();
  await expect.element(button('Change password')).toBeVisible();
  await expect.element(changed).not.toBeInTheDocument();
});

test('typing removes the error of a field and the note that a name was not saved', async () => {
  await openApp('/dashboard/settings');
  const name = nameForm().getByLabelText('Name');
  await name.fill('');
  await nameForm().getByRole('button', { name: 'Save' }).click();
  await expect.element(name).toHaveAccessibleDescription('Name is required');
  await name.fill('Rose');
  await expect.element(name).not.toHaveAccessibleDescription();
  await expect.element(name).not.toHaveAttribute('aria-invalid');
  await nameForm().getByRole('button', { name: 'Save' }).click();
  await expect.element(nameForm().getByRole('status')).toHaveTextContent(noConnection);
  await name.fill('Rosalind');
  await expect.element(nameForm().getByRole('status')).toHaveTextContent('');
});

test.each([
  ['confirmed', 'Your new email address is confirmed.'],
  ['invalid', 'This confirmation link has been used or has expired.'],
])('the settings with ?email=%s show the result of the confirmation', async (result, text) => {
  await openApp(`/dashboard/settings?email=${result}`);
  await expect.element(section().getByText(text)).toBeVisible();
});

test('the message about an invalid confirmation link disappears when a new link was sent, and the URL no longer contains it', async () => {
  api.respond('POST /auth/email', { status: 200, json: {} });
  const app = await openApp('/dashboard/settings?email=invalid');
  const message = section().getByText('This confirmation link has been used');
  await expect.element(message).toBeVisible();
  await button('Change email').click();
  await section().getByLabelText('New email address').fill('rosa@new.org');
  await section().getByLabelText('Password', { exact: true }).fill('right');
  await button('Send link').click();
  await expect.element(section().getByText('A confirmation link was sent to')).toBeVisible();
  await expect.element(message).not.toBeInTheDocument();
  expect(app.url()).toBe('/dashboard/settings');
});

test('a new password has to be typed twice, its strength is shown, and other sessions end', async () => {
  sessions = [...sessions, browser('phone')];
  await openApp('/dashboard/settings');
  await expect.element(browsers().getByRole('listitem').nth(1)).toBeVisible();
  await button('Change password').click();
  const field = (label: string) => passwordForm().getByLabelText(label, { exact: true });
  await passwordForm().getByRole('button', { name: 'Change password' }).click();
  await expect
    .element(field('Current password'))
    .toHaveAccessibleDescription('Password is required');
  await field('Current password').fill('old-garden');
  await field('New password').fill('new-Garden-7');
  await expect.element(passwordForm().getByText('Password strength: Strong')).toBeVisible();
  await field('Confirm new password').fill('new-Garden');
  await passwordForm().getByRole('button', { name: 'Change password' }).click();
  await expect
    .element(field('Confirm new password'))
    .toHaveAccessibleDescription('Passwords do not match');
  await field('Confirm new password').fill('new-Garden-7');
  api.respond('POST /auth/password', 'unreachable');
  await passwordForm().getByRole('button', { name: 'Change password' }).click();
  await expect
    .element(passwordForm().getByRole('alert'))
    .toHaveTextContent(
      'No answer. If your current password is not accepted any more, the new one is in use.',
    );
  api.respond('POST /auth/password', () => {
    sessions = sessions.filter(({ is_current }) => is_current);
    return { status: 200, json: {} };
  });
  const liveRegion = passwordForm()
    .element()
    .parentElement?.querySelector(':scope > [role="status"]');
  expect(liveRegion?.textContent).toBe('');
  await passwordForm().getByRole('button', { name: 'Change password' }).click();
  await expect
    .element(section().getByText('Password changed. All other browsers are signed out.'))
    .toBeVisible();
  expect(liveRegion?.textContent).toBe('Password changed. All other browsers are signed out.');
  await expect.poll(() => browsers().getByRole('listitem').elements()).toHaveLength(1);
  expect(bodies('POST /auth/password')).toEqual([
    { password: 'old-garden', new_password: 'new-Garden-7' },
    { password: 'old-garden', new_password: 'new-Garden-7' },
  ]);
});

test.each([
  ['the network is lost', 'unreachable'],
  ['a gateway fails', { status: 504, body: '<h1>Gateway Timeout</h1>' }],
] as const)(
  'if %s while a new password is saved, the message says that it may be in use',
  async (_, response) => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    onTestFinished(() => onLine.mockRestore());
    api.respond('POST /auth/password', () => {
      onLine.mockReturnValue(response !== 'unreachable');
      return response;
    });
    await openApp('/dashboard/settings');
    await button('Change password').click();
    await sendNewPassword();
    await expect
      .element(passwordForm().getByRole('alert'))
      .toHaveTextContent(/the new one is in use/);
  },
);

test('signed-in browsers are listed with this one first, and each of the others can be signed out', async () => {
  sessions = [browser('phone'), browser('old', { client: null }), ...sessions];
  await openApp('/dashboard/settings');
  const items = browsers().getByRole('listitem');
  await expect.element(items.nth(0)).toHaveTextContent('Firefox on Linux, signed in Nov 20');
  await expect.element(items.nth(0)).toHaveTextContent('This device');
  await expect.element(items.nth(0).getByRole('button')).not.toBeInTheDocument();
  await expect.element(items.nth(2)).toHaveTextContent('Unknown browser, signed in Nov 20');
  const signOut = button('Sign out Chrome on Android, signed in Nov 20');
  await signOut.click();
  await expect.element(items.nth(1).getByRole('status')).toHaveTextContent(noConnection);
  api.respond('DELETE /auth/sessions/phone', { status: 404, json: { message: 'Not found' } });
  await signOut.click();
  await expect.element(signOut).not.toBeInTheDocument();
  await expect.poll(announced).toBe('Chrome on Android is signed out');
  await expect.element(page.getByRole('heading', { name: 'Signed in' })).toHaveFocus();
  api.respond('DELETE /auth/sessions', { status: 200, json: {} });
  await button('Sign out everywhere else').click();
  await expect.element(items.nth(1)).not.toBeInTheDocument();
  await expect.element(button('Sign out everywhere else')).not.toBeInTheDocument();
});

test('if the list of signed-in browsers could not be loaded, it is loaded when the network is back', async () => {
  api.respond('GET /auth/sessions', 'unreachable');
  await openApp('/dashboard/settings');
  await expect.element(section().getByRole('alert')).toHaveTextContent(noConnection);
  api.respond('GET /auth/sessions', { status: 200, json: sessions });
  window.dispatchEvent(new Event('online'));
  await expect.element(browsers()).toHaveTextContent('Firefox on Linux');
});

test('the settings are accessible and fit on the narrowest phone', async () => {
  await resizeScreen(320, 640);
  sessions = [...sessions, browser('phone')];
  await openApp('/dashboard/settings');
  await expect.element(browsers().getByRole('listitem').nth(1)).toBeVisible();
  await button('Change email').click();
  await button('Change password').click();
  await passwordForm().getByRole('button', { name: 'Change password' }).click();
  await nameForm().getByLabelText('Name').fill('R');
  expect(await violationsInBothThemes()).toEqual([]);
  expect(smallTargets()).toEqual([]);
  expect(sidewaysParts()).toEqual([]);
});
