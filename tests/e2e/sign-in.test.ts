import type { Locator } from 'playwright';
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
import { demo, fillSignIn } from './support/garden.ts';
import { setUp } from './support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp();
  ({ server, phone } = made);
  return made.close;
});
beforeEach(() => phone.page.goto('/signin'));

const email = () => phone.page.getByLabel('Email address');
const submit = () => button(phone.page, 'Sign In').click();

test('an empty form says what is missing, with each field, and editing takes it back', async () => {
  const { page } = phone;
  expect(await fieldKinds(page)).toEqual([
    'email username next email',
    'password current-password go',
  ]);
  await submit();
  expect(await faults(page)).toEqual([
    ['Email address', 'Email is required'],
    ['Password', 'Password is required'],
  ]);
  expect(await isFocused(email())).toBe(true);
  await email().fill('not an address');
  expect(await faults(page)).toEqual([['Password', 'Password is required']]);
  await password(page).fill('anything');
  await submit();
  expect(await faults(page)).toEqual([['Email address', 'Please enter a valid email address']]);
  await email().fill(demo.email);
  await password(page).fill('');
  await submit();
  expect(await faults(page)).toEqual([['Password', 'Password is required']]);
  expect(await isFocused(password(page))).toBe(true);
  await lookAt(page, 'Password');
});

test('a link in a mail says what came of it until the person goes on', async () => {
  const { page } = phone;
  await page.goto('/auth/verify-email?token=used-or-never-issued');
  const used = page.getByText('This verification link has been used or has expired.');
  await used.waitFor();
  await submit();
  await used.waitFor({ state: 'detached' });
  await page.goto('/signin?verified=1&from=%2Fdashboard%2Fplants');
  const verified = page.getByText('Your email is verified. You can sign in now.');
  await verified.waitFor();
  await email().fill('d');
  await verified.waitFor({ state: 'detached' });
  await page.reload();
  await email().waitFor();
  expect(await verified.count()).toBe(0);
  expect(new URL(page.url()).searchParams.get('from')).toBe('/dashboard/plants');
});

test("'Signing in...' while the server thinks; a wrong password is said and nothing typed is lost", async () => {
  const { page } = phone;
  await fillSignIn(page, { ...demo, password: 'wrong' });
  await page.getByLabel('Remember me').check();
  await submitTwice(page, '/auth/login', 'Signing in...');
  const refusal = page.getByRole('alert').getByText('Invalid username/email or password');
  await refusal.waitFor();
  expect(await email().inputValue()).toBe(demo.email);
  expect(await password(page).inputValue()).toBe('wrong');
  expect(await page.getByLabel('Remember me').isChecked()).toBe(true);
  await password(page).fill('other');
  expect(await refusal.count()).toBe(0);
});

const tokenless = 'Invalid response from server';
test.each([
  ['Failed to sign in. Please check your credentials and try again.', null],
  [tokenless, { status: 200, json: { token: 'a.b.c' } }],
  [tokenless, { status: 200, json: { access_token: 'not-a-token' } }],
  ['Login failed with status 500', { status: 500, body: '<h1>Oops</h1>' }],
  ['Slow down, please', { status: 429, json: { message: 'Slow down, please' } }],
])('a sign-in that fails says: %s', async (message, answer) => {
  const { page } = phone;
  await page.route('**/auth/login', (route) => (answer ? route.fulfill(answer) : route.abort()));
  await fillSignIn(page);
  await submit();
  await page.getByRole('alert').getByText(message, { exact: true }).waitFor();
  expect(await isFocused(button(page, 'Sign In'))).toBe(true);
  const unreachable = page.getByText('The server could not be reached.');
  expect(await unreachable.count()).toBe(answer ? 0 : 1);
  expect(await email().inputValue()).toBe(demo.email);
  const tokens = () => [localStorage, sessionStorage].map((kept) => kept.getItem('sprig.token'));
  expect(await page.evaluate(tokens)).toEqual([null, null]);
  await page.unroute('**/auth/login');
});

test('the keyboard alone signs somebody in and out again', async () => {
  const { page } = phone;
  await page.getByRole('heading', { level: 1 }).waitFor();
  await tabTo(email());
  await page.keyboard.type(demo.email);
  await tabTo(password(page));
  await page.keyboard.type(demo.password);
  await tabTo(page.getByLabel('Remember me'));
  await page.keyboard.press('Space');
  expect(await page.getByLabel('Remember me').isChecked()).toBe(true);
  await tabTo(button(page, 'Sign In'));
  await page.keyboard.press('Enter');
  await page.getByRole('article').first().waitFor();
  expect(await page.evaluate(() => localStorage.getItem('sprig.token'))).toMatch(/\./);
  await tabTo(button(page, 'User menu'));
  await page.keyboard.press('Enter');
  await tabTo(button(page, 'Sign Out'));
  await page.keyboard.press('Enter');
  await email().waitFor();
});

/** Tab by Tab, as long as no screen is long. */
async function tabTo(target: Locator): Promise<void> {
  for (let presses = 0; presses < 20 && !(await isFocused(target)); presses++) {
    await phone.page.keyboard.press('Tab');
  }
  expect(await isFocused(target)).toBe(true);
}

test('a password manager that fills both fields at once, spaces and all, signs in', async () => {
  const { page } = phone;
  await email().waitFor();
  await page.evaluate(({ email, password }) => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    for (const [name, value] of Object.entries({ email: ` ${email} `, password })) {
      const field = document.querySelector(`input[name="${name}"]`);
      set?.call(field, value);
      field?.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }, demo);
  await submit();
  await page.waitForURL('**/dashboard');
  expect(phone.problems).toEqual([]);
});

test('who is signed in is led to our own screens alone, whatever a link asks for', async () => {
  const { page } = phone;
  for (const [from, to] of [
    ['/dashboard/plants?form=new#top', '/dashboard/plants?form=new#top'],
    ['/dashboard/articles/winter-plant-care', '/dashboard/articles/winter-plant-care'],
    [`${server.url}/dashboard/schedule`, '/dashboard'],
    ['/dashboard/\\elsewhere.example', '/dashboard'],
    ['https://elsewhere.example/dashboard', '/dashboard'],
    ['//elsewhere.example/dashboard', '/dashboard'],
    ['/dashboard/..//elsewhere.example/dashboard', '/dashboard'],
    ['/dashboardish', '/dashboard'],
    ['javascript:alert(1)', '/dashboard'],
  ] as const) {
    await page.goto(`/signin?from=${encodeURIComponent(from)}`);
    await page.waitForURL(server.url + to);
  }
  expect(phone.problems).toEqual([]);
});
