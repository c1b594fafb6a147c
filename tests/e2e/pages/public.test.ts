import { beforeAll, expect, test } from 'vitest';
import { smallTargets } from '../../support/layout.ts';
import { appUrl, type Phone } from '../support/phone/browser.ts';
import { untilInstalled } from '../support/screens/garden.ts';
import { setUp } from '../support/set-up.ts';

let phone: Phone;
beforeAll(async () => {
  const made = await setUp();
  phone = made.phone;
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

const path = () => new URL(phone.page.url()).pathname;
const link = (name: string) => phone.page.getByRole('link', { name, exact: true });

test('an unknown URL does not break the Back button', async () => {
  const { page } = phone;
  await page.goto('/signin');
  await page.goto('/no/such/page');
  await page.waitForURL('**/landing');
  await page.goBack();
  await page.waitForURL('**/signin');
});

test('the links of the landing page scroll to its sections', async () => {
  const { page } = phone;
  await page.goto('/landing');
  await page.getByRole('heading', { level: 1 }).waitFor();
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

/** Waits until the section begins within the top 120 px of the screen. */
async function untilAtTop(section: string, message: string): Promise<void> {
  const isAtTop = async () => {
    const box = await phone.page.locator(section).boundingBox();
    return box !== null && box.y >= 0 && box.y < 120;
  };
  await expect.poll(isAtTop, { message }).toBe(true);
}

test('once installed, every public URL opens offline with its title and targets of at least 44 px', async () => {
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
    expect(page.url()).toBe(appUrl + address);
    if (title !== null) expect(await page.title(), address).toBe(`${title} · Sprig`);
    expect(await page.locator('h1').count(), address).toBe(1);
    expect(await page.evaluate(smallTargets), address).toEqual([]);
  }
  await phone.context.setOffline(false);
  expect(phone.problems).toEqual([]);
});
