import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type FakeApi, fakeApi } from '../../../../support/component/api.ts';
import {
  button,
  fieldErrors,
  fieldHints,
  fieldValues,
  submitRepeatedly,
  togglePassword,
} from '../../../../support/component/form.ts';
import { type OpenApp, openApp } from '../../../../support/component/open-app.tsx';

const register = 'POST /auth/register';
const terms = 'I agree to the Terms of Service and Privacy Policy';

let api: FakeApi;
let app: OpenApp;
beforeEach(async () => {
  api = fakeApi();
  app = await openApp('/signup?from=%2Fdashboard%2Fschedule');
});

const name = () => page.getByLabelText('Full name');
const email = () => page.getByLabelText('Email address');
const password = (label = 'Password') => page.getByLabelText(label, { exact: true });

async function fillIn(username = 'Rosa O’Gärtner'): Promise<void> {
  await name().fill(username);
  await email().fill('rosa@garden.org');
  await password().fill('Rose-garden-1');
  await password('Confirm password').fill('Rose-garden-1');
  await page.getByRole('checkbox').click();
}

test('each field has the attributes for phone keyboards and password managers', () => {
  expect(fieldHints()).toEqual([
    'text name next',
    'email email next email',
    'password new-password next',
    'password new-password done',
  ]);
});

test('an empty form names every missing field and focuses the first', async () => {
  await button('Create Account').click();
  expect(fieldErrors()).toEqual([
    ['Full name', 'Name is required'],
    ['Email address', 'Email is required'],
    ['Password', 'Password is required'],
    ['Confirm password', 'Please confirm your password'],
    [terms, 'You must agree to the terms'],
  ]);
  await expect.element(name()).toHaveFocus();
  expect(api.calls).toEqual([]);
});

test('editing a field clears its error and errors of others that it corrects, and wrong values are named on submit', async () => {
  await button('Create Account').click();
  await name().fill('   ');
  await email().fill('rosa');
  await password().fill('1234567');
  await password('Confirm password').fill('12345678');
  await page.getByRole('checkbox').click();
  expect(fieldErrors()).toEqual([]);
  await button('Create Account').click();
  expect(fieldErrors()).toEqual([
    ['Full name', 'Name is required'],
    ['Email address', 'Please enter a valid email address'],
    ['Password', 'Password must be at least 8 characters'],
    ['Confirm password', 'Passwords do not match'],
  ]);
  await password().fill('12345678');
  expect(fieldErrors().map(([label]) => label)).toEqual(['Full name', 'Email address']);
});

test('the link to sign in keeps the requested screen', async () => {
  await expect
    .element(page.getByRole('link', { name: 'Sign in', exact: true }))
    .toHaveAttribute('href', '/signin?from=%2Fdashboard%2Fschedule');
});

test.each([
  ['rose', 'Weak'],
  ['Rosegarden1', 'Medium'],
  ['Rose-garden-1', 'Strong'],
])('shows the strength of %s as %s', async (text, strength) => {
  await expect.element(page.getByText('Password strength')).not.toBeInTheDocument();
  await password().fill(text);
  await expect.element(page.getByRole('status').getByText(strength, { exact: true })).toBeVisible();
});

test('both passwords can be shown', async () => {
  await togglePassword('Password');
  await togglePassword('Confirm password');
});

test('the links to the terms open a new tab, and the text beside them toggles the checkbox', async () => {
  for (const [link, path] of [
    ['Terms of Service', '/terms-of-service'],
    ['Privacy Policy', '/privacy-policy'],
  ] as const) {
    const element = page.getByRole('link', { name: link }).first();
    await expect.element(element).toHaveAttribute('href', path);
    await expect.element(element).toHaveAttribute('target', '_blank');
  }
  await page.getByText('I agree to the').click({ position: { x: 5, y: 5 } });
  await expect.element(page.getByRole('checkbox')).toBeChecked();
});

test.each([
  ['Failed to create account. Please try again.', 'unreachable'],
  ['Request failed with status 500', { status: 500, body: '<h1>Oops</h1>' }],
  [
    'email: Not from here',
    { status: 422, json: { detail: [{ loc: ['body', 'email'], msg: 'Not from here' }] } },
  ],
] as const)('a failed sign-up keeps the input and says: %s', async (message, response) => {
  await fillIn();
  const before = fieldValues();
  api.respond(register, response);
  await button('Create Account').click();
  const alert = page.getByRole('alert');
  await expect.element(alert.getByText(message, { exact: true })).toBeVisible();
  const unreachable = page.getByText('The server could not be reached.');
  expect(unreachable.elements()).toHaveLength(response === 'unreachable' ? 1 : 0);
  expect(fieldValues()).toEqual(before);
  await page.getByRole('checkbox').click();
  await expect.element(alert).not.toBeInTheDocument();
});

test('creates the account once and opens sign-in with the requested screen in ?from=', async () => {
  await fillIn(' Rosa ');
  await submitRepeatedly(api, register, 'Creating account...', { status: 201, json: {} });
  const created = 'Account created successfully! Please check your email to verify your account.';
  await expect.element(page.getByText(created)).toBeVisible();
  expect(app.url()).toBe('/signin?from=%2Fdashboard%2Fschedule');
  expect(api.calls).toEqual([
    {
      route: register,
      body: { username: 'Rosa', email: 'rosa@garden.org', password: 'Rose-garden-1' },
    },
  ]);
});
