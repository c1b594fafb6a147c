import type { Locator } from 'playwright';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { button, password } from './support/account-form.ts';
import type { Phone } from './support/browser.ts';
import { isFocused } from './support/focus.ts';
import { demo } from './support/garden.ts';
import { setUp } from './support/set-up.ts';

let phone: Phone;
beforeAll(async () => {
  const made = await setUp();
  ({ phone } = made);
  return made.close;
});
beforeEach(() => phone.page.goto('/signin'));

const email = () => phone.page.getByLabel('Email address');
const submit = () => button(phone.page, 'Sign In').click();

test('an emailed verification link opens sign-in with its result, which a reload does not repeat', async () => {
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

test('signing in and out works with the keyboard alone', async () => {
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

/** Presses Tab until the target has the focus, at most 20 times. */
async function tabTo(target: Locator): Promise<void> {
  for (let presses = 0; presses < 20 && !(await isFocused(target)); presses++) {
    await phone.page.keyboard.press('Tab');
  }
  expect(await isFocused(target)).toBe(true);
}
