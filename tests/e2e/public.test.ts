import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { barriersInBothThemes } from './support/accessibility.ts';
import { type AppServer, openAppServer } from './support/app-server.ts';
import { openPhone, type Phone } from './support/browser.ts';
import { fillSignIn, signIn, untilInstalled } from './support/garden.ts';
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

const newcomer = { name: 'Rosa Gardener', email: 'rosa@garden.org', password: 'Rose-garden-1' };
const comingSoon = [
  ['/about-us', 'About Us'],
  ['/blog', 'Blog'],
  ['/contact', 'Contact'],
  ['/privacy-policy', 'Privacy Policy'],
  ['/terms-of-service', 'Terms Of Service'],
  ['/help-center', 'Help Center'],
] as const;
const accountScreens = ['/signin', '/signup', '/forgot-password', '/reset-password'];
const screens = ['/landing', ...accountScreens, ...comingSoon.map(([path]) => path)];

const path = () => new URL(phone.page.url()).pathname;
const button = (name: string) => phone.page.getByRole('button', { name, exact: true });
const link = (name: string) => phone.page.getByRole('link', { name, exact: true });

async function fillSignUp(person = newcomer): Promise<void> {
  const { page } = phone;
  await page.getByLabel('Full name').fill(person.name);
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByLabel('Confirm password', { exact: true }).fill(person.password);
  await page.getByRole('checkbox').check();
}

test('an address leads where the product says, signed in or not', async () => {
  const { page } = phone;
  const visitor = [
    ['/', '/landing'],
    ['/no/such/page', '/landing'],
    ['/login', '/signin'],
    ['/register', '/signup'],
    ['/dashboard/schedule', '/signin'],
  ] as const;
  for (const [from, to] of visitor) {
    await page.goto(from);
    await expect.poll(path, { message: from }).toBe(to);
  }
  await signIn(page);
  for (const from of [...screens, '/', '/no/such/page', '/login', '/register']) {
    await page.goto(from);
    await expect.poll(path, { message: from }).toBe('/dashboard');
  }
});

test('an unknown address is no trap for the way back', async () => {
  const { page } = phone;
  await page.goto('/signin');
  await page.goto('/no/such/page');
  await page.waitForURL('**/landing');
  await page.goBack();
  await page.waitForURL('**/signin');
});

test('the landing page says what there is and leads to it', async () => {
  const { page } = phone;
  await page.goto('/landing');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByRole('heading').allTextContents()).toEqual([
    'Smart Plant Care at Your Fingertips',
    'Everything a plant would ask for',
    'Smart Watering',
    'Sensor Monitoring',
    'Plant Health Tracking',
    'Plant Management',
    'How It Works',
    'Connect Device',
    'Monitor Plants',
    'Automate Care',
    'Your plants are waiting',
  ]);
  expect(await page.getByRole('figure').textContent()).toContain('65% Optimal');
  const target = (name: string) => link(name).first().getAttribute('href');
  expect(await target('Get Started')).toBe('/signup');
  expect(await target('Sign In')).toBe('/signin');
  expect(await target('Sign Up')).toBe('/signup');
  for (const name of ['Learn More', 'How It Works', 'Features']) {
    await link(name).click();
    const hash = await page.evaluate(() => window.location.hash);
    const top = () =>
      page.locator(hash).evaluate((section) => Math.round(section.getBoundingClientRect().top));
    await expect.poll(top, { message: name }).toBeLessThan(120);
  }
  expect(path()).toBe('/landing');
  expect(phone.problems).toEqual([]);
});

test('a page to come is titled by its address and leads home', async () => {
  const { page } = phone;
  for (const [address, title] of comingSoon) {
    await page.goto('/landing');
    await page.locator(`footer a[href="${address}"]`).click();
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    expect(await page.title()).toBe(`${title} · Sprig`);
    expect(await page.getByRole('heading').allTextContents()).toEqual([
      title,
      'What to Expect',
      'Enhanced Features',
      'Seamless Integration',
      'User-Focused Design',
    ]);
  }
  await link('Return to Home').click();
  await page.waitForURL('**/landing');
});

test('who signs up gets a mail whose link lets them sign in', async () => {
  const { page } = phone;
  await page.goto('/signin');
  await link('Sign up').click();
  await fillSignUp();
  await button('Create Account').click();
  await page
    .getByText('Account created successfully! Please check your email to verify your account.')
    .waitFor();
  expect(path()).toBe('/signin');
  const credentials = { email: newcomer.email, password: newcomer.password };
  await fillSignIn(page, credentials);
  await button('Sign In').click();
  await page
    .getByText('Email not verified. Please check your email for a verification link.')
    .waitFor();
  await page.goto(await mailedLink(server, newcomer.email, '/auth/verify-email'));
  await page.getByText('Your email is verified. You can sign in now.').waitFor();
  await fillSignIn(page, credentials);
  await button('Sign In').click();
  await page.waitForURL('**/dashboard');
  expect(phone.problems).toEqual([]);
});

test('an empty sign-up names every fault, and editing a field takes its own back', async () => {
  const { page } = phone;
  await page.goto('/signup');
  await button('Create Account').click();
  const faults = [
    'Name is required',
    'Email is required',
    'Password is required',
    'Please confirm your password',
    'You must agree to the terms',
  ];
  for (const fault of faults) expect(await page.getByText(fault).isVisible(), fault).toBe(true);
  const name = page.getByLabel('Full name');
  expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
  await name.fill('Rosa');
  await page.getByRole('checkbox').check();
  expect(await page.getByText('Name is required').count()).toBe(0);
  expect(await page.getByText('You must agree to the terms').count()).toBe(0);
  expect(await page.getByText('Email is required').isVisible()).toBe(true);
});

test('the strength of a password shows while it is typed, and the password on demand', async () => {
  const { page } = phone;
  await page.goto('/signup');
  const password = page.getByLabel('Password', { exact: true });
  expect(await page.getByText('Password strength').count()).toBe(0);
  for (const [typed, strength] of [
    ['rose', 'Weak'],
    ['Rosegarden1', 'Medium'],
    ['Rose-garden-1', 'Strong'],
  ] as const) {
    await password.fill(typed);
    await page.getByText(strength, { exact: true }).waitFor();
  }
  await button('Show password').click();
  expect(await password.getAttribute('type')).toBe('text');
  expect(await page.getByLabel('Confirm password', { exact: true }).getAttribute('type')).toBe(
    'password',
  );
  await button('Hide password').click();
  expect(await password.getAttribute('type')).toBe('password');
});

test('without a network a sign-up says so, keeps what was typed, and goes through later', async () => {
  const { page } = phone;
  await page.goto('/signup');
  const other = { ...newcomer, email: 'later@garden.org' };
  await fillSignUp(other);
  await phone.context.route('**/auth/register', (route) => route.abort());
  await button('Create Account').click();
  await page.getByText('Failed to create account. Please try again.').waitFor();
  await page.getByText('The server could not be reached.').waitFor();
  expect(await page.getByLabel('Email address').inputValue()).toBe(other.email);
  await page.getByLabel('Full name').fill('Rosa G.');
  expect(await page.getByText('Failed to create account').count()).toBe(0);
  await phone.context.unrouteAll();
  await button('Create Account').click();
  await page.getByText('Account created successfully!').waitFor();
});

test('the screens for a forgotten password say what is missing', async () => {
  const { page } = phone;
  await page.goto('/signin');
  await link('Forgot password?').click();
  await button('Send Reset Link').click();
  await page.getByText('Email is required').waitFor();
  await page.getByLabel('Email address').fill('rosa');
  await button('Send Reset Link').click();
  await page.getByText('Please enter a valid email address').waitFor();

  await page.goto('/reset-password');
  await page.getByRole('heading', { name: 'Invalid Reset Link' }).waitFor();
  await page.getByText('The password reset link is invalid or has expired.').waitFor();
  await page.getByText('Invalid or missing reset token').waitFor();
  await link('Request New Link').click();
  await page.waitForURL('**/forgot-password');

  await page.goto('/reset-password?token=from-a-mail');
  await button('Update Password').click();
  await page.getByText('Password is required').waitFor();
  await page.getByLabel('New password', { exact: true }).fill('short');
  await button('Update Password').click();
  await page.getByText('Password must be at least 8 characters long').waitFor();
  await page.getByText('Passwords do not match').waitFor();
});

test('once installed, every public address opens without a network', async () => {
  const { page } = phone;
  await page.goto('/landing');
  await untilInstalled(page);
  await phone.context.setOffline(true);
  for (const address of screens) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(path()).toBe(address);
  }
  expect(phone.problems).toEqual([]);
});

test('no public screen stands in the way of anybody, nor needs scrolling sideways at 320 pixels', async () => {
  const { page } = phone;
  await page.setViewportSize({ width: 320, height: 640 });
  for (const address of [...screens, '/reset-password?token=from-a-mail']) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBe(320);
    expect(await barriersInBothThemes(page), address).toEqual([]);
  }
  await page.goto('/signup');
  await button('Create Account').click();
  expect(await barriersInBothThemes(page)).toEqual([]);
});
