import { beforeAll, beforeEach, expect, test } from 'vitest';
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

async function typed(): Promise<(string | boolean)[]> {
  return phone.page
    .locator('form input')
    .evaluateAll((fields) =>
      (fields as HTMLInputElement[]).map((field) =>
        field.type === 'checkbox' ? field.checked : field.value,
      ),
    );
}

test('an empty form names every fault, with each field, and editing a field takes its own back', async () => {
  const { page } = phone;
  expect(await fieldKinds(page)).toEqual([
    'text name next',
    'email email next email',
    'password new-password next',
    'password new-password done',
  ]);
  await submit();
  const terms = 'I agree to the Terms of Service and Privacy Policy';
  expect(await faults(page)).toEqual([
    ['Full name', 'Name is required'],
    ['Email address', 'Email is required'],
    ['Password', 'Password is required'],
    ['Confirm password', 'Please confirm your password'],
    [terms, 'You must agree to the terms'],
  ]);
  expect(await isFocused(name())).toBe(true);
  await name().fill('   ');
  await page.getByLabel('Email address').fill('rosa');
  await password(page).fill('1234567');
  await password(page, 'Confirm password').fill('12345678');
  await page.getByRole('checkbox').check();
  expect(await faults(page)).toEqual([]);
  await submit();
  expect(await faults(page)).toEqual([
    ['Full name', 'Name is required'],
    ['Email address', 'Please enter a valid email address'],
    ['Password', 'Password must be at least 8 characters'],
    ['Confirm password', 'Passwords do not match'],
  ]);
});

test('the strength of a password shows while it is typed, and both passwords on demand', async () => {
  const { page } = phone;
  expect(await page.getByText('Password strength').count()).toBe(0);
  for (const [text, strength] of [
    ['rose', 'Weak'],
    ['Rosegarden1', 'Medium'],
    ['Rose-garden-1', 'Strong'],
  ] as const) {
    await password(page).fill(text);
    await page.getByText(strength, { exact: true }).waitFor();
  }
  await lookAt(page, 'Password');
  await lookAt(page, 'Confirm password');
});

test('the terms and the privacy policy open beside the form, which neither agrees nor forgets', async () => {
  const { page, context } = phone;
  await fillSignUp();
  await page.getByRole('checkbox').uncheck();
  const before = await typed();
  for (const [link, path] of [
    ['Terms of Service', '/terms-of-service'],
    ['Privacy Policy', '/privacy-policy'],
  ] as const) {
    const opening = context.waitForEvent('page');
    await page.locator('label').getByRole('link', { name: link }).click();
    const opened = await opening;
    await opened.waitForURL(`**${path}`);
    await opened.close();
  }
  expect(await typed()).toEqual(before);
  await page.getByText('I agree to the').click({ position: { x: 5, y: 5 } });
  expect(await page.getByRole('checkbox').isChecked()).toBe(true);
});

test.each([
  ['Failed to create account. Please try again.', null],
  ['Request failed with status 500', { status: 500, body: '<h1>Oops</h1>' }],
  [
    'email: Not from here',
    { status: 422, json: { detail: [{ loc: ['body', 'email'], msg: 'Not from here' }] } },
  ],
])('a sign-up that fails keeps what was typed and says: %s', async (message, answer) => {
  const { page } = phone;
  await fillSignUp();
  const before = await typed();
  await page.route('**/auth/register', (route) => (answer ? route.fulfill(answer) : route.abort()));
  await submit();
  const refusal = page.getByRole('alert').getByText(message, { exact: true });
  await refusal.waitFor();
  const unreachable = page.getByText('The server could not be reached.');
  expect(await unreachable.count()).toBe(answer ? 0 : 1);
  expect(await typed()).toEqual(before);
  await page.unroute('**/auth/register');
  await page.getByRole('checkbox').uncheck();
  expect(await refusal.count()).toBe(0);
});

test('a name of 10,000 characters is refused in words, and is still there', async () => {
  const { page } = phone;
  const long = 'وردة🌱 '.repeat(1_430).slice(0, 10_000);
  await fillSignUp({ ...newcomer, name: long });
  await submit();
  await page.getByRole('alert').getByText('username: Must be at most 200 characters').waitFor();
  expect(await name().inputValue()).toBe(long);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("'Creating account...' once, then a mail whose link lets the newcomer sign in, whatever script the name is in, and reach the screen first asked for", async () => {
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
