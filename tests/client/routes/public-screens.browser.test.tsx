import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { violationsInBothThemes } from '../../support/component/accessibility.ts';
import { resizeScreen } from '../../support/component/browser.ts';
import { button } from '../../support/component/form.ts';
import { openApp } from '../../support/component/open-app.tsx';

test.each([
  '/landing',
  '/signin',
  '/signup',
  '/forgot-password',
  '/reset-password',
  '/reset-password?token=any',
  '/blog',
])('%s is accessible and does not scroll sideways at 320 px', async (address) => {
  await resizeScreen(320, 640);
  await openApp(address);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  const { scrollWidth, scrollHeight } = document.documentElement;
  expect(scrollWidth).toBe(320);
  if (address === '/signin') expect(scrollHeight).toBe(640);
  expect(await violationsInBothThemes()).toEqual([]);
});

test('the errors of the sign-up form are accessible', async () => {
  await openApp('/signup');
  await button('Create Account').click();
  await expect.element(page.getByText('Name is required')).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
});
