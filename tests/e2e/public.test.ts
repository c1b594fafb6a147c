import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { barriersInBothThemes } from './support/accessibility.ts';
import type { AppServer } from './support/app-server.ts';
import type { Phone } from './support/browser.ts';
import { signIn, untilInstalled } from './support/garden.ts';
import { setUp } from './support/set-up.ts';
import { smallTargets } from './support/small-targets.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp();
  ({ server, phone } = made);
  return made.close;
});

const comingSoon = [
  ['/about-us', 'About Us'],
  ['/blog', 'Blog'],
  ['/contact', 'Contact'],
  ['/privacy-policy', 'Privacy Policy'],
  ['/terms-of-service', 'Terms Of Service'],
  ['/help-center', 'Help Center'],
] as const;
const accountTitles = [
  ['/signin', 'Sign In'],
  ['/signup', 'Sign Up'],
  ['/forgot-password', 'Forgot Password'],
  ['/reset-password', 'Reset Password'],
] as const;
const accountScreens = accountTitles.map(([path]) => path);
const screens = ['/landing', ...accountScreens, ...comingSoon.map(([path]) => path)];

const path = () => new URL(phone.page.url()).pathname;
const link = (name: string) => phone.page.getByRole('link', { name, exact: true });

test('an address leads a visitor where the product says, and an alias keeps its query', async () => {
  const { page } = phone;
  for (const [from, to] of [
    ['/', '/landing'],
    ['/no/such/page', '/landing'],
    ['/login', '/signin'],
    ['/login?from=%2Fdashboard%2Fplants', '/signin?from=%2Fdashboard%2Fplants'],
    ['/register', '/signup'],
    ['/register?via=mail', '/signup?via=mail'],
    ['/dashboard/schedule', '/signin?from=%2Fdashboard%2Fschedule'],
  ] as const) {
    await page.goto(from);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(page.url(), from).toBe(server.url + to);
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
  const targets = await page
    .locator('header a, main a, footer a')
    .evaluateAll((links) => links.map((a) => [a.textContent?.trim(), a.getAttribute('href')]));
  expect(targets).toEqual([
    ['Sprig', '/landing'],
    ['Features', '/landing#features'],
    ['How It Works', '/landing#how-it-works'],
    ['Sign In', '/signin'],
    ['Sign Up', '/signup'],
    ['Get Started', '/signup'],
    ['Learn More', '#how-it-works'],
    ['Create Your Account', '/signup'],
    ['About Us', '/about-us'],
    ['Blog', '/blog'],
    ['Contact', '/contact'],
    ['Help Center', '/help-center'],
    ['Privacy Policy', '/privacy-policy'],
    ['Terms of Service', '/terms-of-service'],
  ]);
  for (const [name, section] of [
    ['Learn More', '#how-it-works'],
    ['Features', '#features'],
    ['How It Works', '#how-it-works'],
  ] as const) {
    await link(name).click();
    await untilAtTop(section, name);
  }
  await page.goto('/about-us');
  await link('Features').click();
  await untilAtTop('#features', 'from another page');
  expect(path()).toBe('/landing');
  expect(phone.problems).toEqual([]);
});

/** Scrolled to, and not hidden behind the header. */
async function untilAtTop(section: string, message: string): Promise<void> {
  const isAtTop = async () => {
    const box = await phone.page.locator(section).boundingBox();
    return box !== null && box.y >= 0 && box.y < 120;
  };
  await expect.poll(isAtTop, { message }).toBe(true);
}

test('a page to come is titled by its address and leads home', async () => {
  const { page } = phone;
  for (const [address, title] of comingSoon) {
    await page.goto('/landing');
    await page.locator(`footer a[href="${address}"]`).click();
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    expect(await page.title()).toBe(`${title} · Sprig`);
    await page.getByRole('main').getByText('Coming Soon', { exact: true }).waitFor();
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

test('once installed, every public address opens without a network, under its own name and with room for every finger', async () => {
  const { page } = phone;
  await page.goto('/landing');
  await untilInstalled(page);
  await phone.context.setOffline(true);
  for (const [address, title] of [
    ['/landing', null],
    ...accountTitles,
    ['/reset-password?token=any', 'Reset Password'],
    ...comingSoon,
  ] as const) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(page.url()).toBe(server.url + address);
    if (title !== null) expect(await page.title(), address).toBe(`${title} · Sprig`);
    expect(await page.locator('h1').count(), address).toBe(1);
    expect(await smallTargets(page), address).toEqual([]);
  }
  await phone.context.setOffline(false);
  expect(phone.problems).toEqual([]);
});

test('no public screen stands in the way of anybody, nor scrolls sideways at 320 pixels, nor at all where it fits', async () => {
  const { page } = phone;
  await page.setViewportSize({ width: 320, height: 640 });
  for (const address of ['/landing', ...accountScreens, '/blog', '/reset-password?token=any']) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBe(320);
    if (address === '/signin') expect(await lengthOf(page)).toBe(640);
    expect(await barriersInBothThemes(page), address).toEqual([]);
  }
  await page.goto('/signup');
  await page.getByRole('button', { name: 'Create Account' }).click();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
});

function lengthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight);
}

test('who is signed in is led from every public address, and every unknown one, to the dashboard', async () => {
  const { page } = phone;
  await signIn(page);
  const aliases = ['/', '/no/such/page', '/dashboard/no-such-screen', '/login', '/register'];
  for (const from of [...screens, ...aliases]) {
    await page.goto(from);
    await expect.poll(path, { message: from }).toBe('/dashboard');
  }
});
