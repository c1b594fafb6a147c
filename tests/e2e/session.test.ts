import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AppServer, openAppServer } from './support/app-server.ts';
import { openPhone, type Phone } from './support/browser.ts';
import { demo, fillSignIn, plantCard, signIn, untilInstalled, waterNow } from './support/garden.ts';

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

const submit = () => phone.page.getByRole('button', { name: 'Sign In' }).click();

test('signing in leads to the screen that was asked for', async () => {
  await signIn(phone.page, '/dashboard/schedule');
  expect(new URL(phone.page.url()).pathname).toBe('/dashboard/schedule');
  await phone.page.goto('/signin');
  await phone.page.waitForURL('**/dashboard');
});

test('an unknown path leads where / leads', async () => {
  await phone.page.goto('/no/such/page');
  await phone.page.waitForURL('**/landing');
  await signIn(phone.page);
  await phone.page.goto('/dashboard/no-such-screen');
  await phone.page.waitForURL('**/dashboard');
});

test('an empty form says what is missing, beside the fields, and editing takes it back', async () => {
  const { page } = phone;
  await page.goto('/signin');
  await submit();
  const email = page.getByLabel('Email address');
  expect(await page.getByText('Email is required').isVisible()).toBe(true);
  expect(await page.getByText('Password is required').isVisible()).toBe(true);
  expect(await email.evaluate((field) => field === document.activeElement)).toBe(true);
  await email.fill('not an address');
  expect(await page.getByText('Email is required').count()).toBe(0);
  await submit();
  expect(await page.getByText('Please enter a valid email address').isVisible()).toBe(true);
});

test('a link in a mail says on the sign-in screen what came of it', async () => {
  const { page } = phone;
  await page.goto('/auth/verify-email?token=used-or-never-issued');
  await page.getByText('This verification link has been used or has expired.').waitFor();
  await page.goto('/signin?verified=1');
  await page.getByText('Your email is verified. You can sign in now.').waitFor();
});

test('a wrong password is said in the words of the catalogue and nothing typed is lost', async () => {
  const { page } = phone;
  await page.goto('/signin');
  await fillSignIn(page, { ...demo, password: 'wrong' });
  await submit();
  await page.getByText('Invalid username/email or password').waitFor();
  expect(await page.getByLabel('Email address').inputValue()).toBe(demo.email);
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('wrong');
});

test('signing in without a network says so and keeps the form', async () => {
  const { page } = phone;
  await page.goto('/signin');
  await fillSignIn(page);
  await phone.context.route('**/auth/login', (route) => route.abort());
  await submit();
  await page.getByText('Failed to sign in. Please check your credentials').waitFor();
  await page.getByText('The server could not be reached.').waitFor();
  expect(await page.getByLabel('Email address').inputValue()).toBe(demo.email);
});

test('a malformed token in storage counts as signed out and is cleared', async () => {
  const { page } = phone;
  await page.goto('/signin');
  await page.evaluate(() => window.localStorage.setItem('sprig.token', 'not-a-token'));
  await page.goto('/dashboard');
  await page.waitForURL('**/signin**');
  expect(await page.evaluate(() => window.localStorage.getItem('sprig.token'))).toBeNull();
});

test('a session that ended on the server asks to sign in again', async () => {
  await signIn(phone.page);
  await server.query('DELETE FROM sessions');
  await phone.page.reload();
  await phone.page.waitForURL('**/signin**');
  await phone.page
    .getByText(/Session expired. Please login again.|Authentication required/)
    .waitFor();
});

test('a watering outlives an expired session and is sent after the same account returns', async () => {
  await signIn(phone.page);
  const before = new Date();
  await phone.context.route('**/api/**', (route) => route.abort());
  await waterNow(phone.page, 'Monty').click();
  await plantCard(phone.page, 'Monty').getByText('Waiting to be sent').waitFor();
  await server.query('DELETE FROM sessions');
  await phone.context.unrouteAll();
  await phone.page.waitForURL('**/signin**');
  await phone.page.getByText('Authentication required').waitFor();
  await signIn(phone.page);
  const count = () =>
    server.query('SELECT 1 FROM waterings WHERE watered_at >= $1', [before]).then((r) => r.length);
  await expect.poll(count, { timeout: 15_000 }).toBe(1);
});

test('without remember me a closed browser forgets the session', async () => {
  const { page } = phone;
  await page.goto('/dashboard');
  await fillSignIn(page);
  await submit();
  await page.getByRole('article').first().waitFor();
  await phone.restart();
  await phone.page.goto('/dashboard');
  await phone.page.waitForURL('**/signin**');
});

test('signing out with unsent changes asks first, and staying loses nothing', async () => {
  await signIn(phone.page);
  await untilInstalled(phone.page);
  const { page, context } = phone;
  await context.route('**/api/**', (route) => route.abort());
  await waterNow(page, 'Monty').click();
  await plantCard(page, 'Monty').getByText('Waiting to be sent').waitFor();
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('dialog').getByText('1 change has not reached the server').waitFor();
  await page.getByRole('button', { name: 'Stay signed in' }).click();
  await plantCard(page, 'Monty').getByText('Waiting to be sent').waitFor();
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('button', { name: 'Discard and sign out' }).click();
  await page.waitForURL('**/signin**');
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).length);
  await expect.poll(databases).toBe(0);
});
