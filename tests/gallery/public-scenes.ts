import type { Page } from 'playwright';
import { demo, fillSignIn } from '../e2e/support/screens/garden.ts';
import { type Scene, screen } from './support/scene.ts';

export const publicScenes: Scene[] = [
  screen('visitor', '/landing', 'Smart Plant Care', { isSmallToo: true }),
  screen('visitor', '/signin', 'Welcome back', { isSmallToo: true, name: 'signin' }),
  { name: 'signin-errors', who: 'visitor', show: (page) => submit(page, '/signin', 'Sign In') },
  { name: 'signin-refused', who: 'visitor', show: signInWrongly },
  screen('visitor', '/signin?verified=1', 'Welcome back', { name: 'signin-verified' }),
  screen('visitor', '/signup', 'account', { name: 'signup' }),
  {
    name: 'signup-errors',
    who: 'visitor',
    isSmallToo: true,
    show: async (page) => {
      await submit(page, '/signup', 'Create Account');
      await page.getByLabel('Password', { exact: true }).fill('Rose-gard');
      await page.getByRole('button', { name: 'Create Account' }).click();
    },
  },
  screen('visitor', '/forgot-password', 'password', { name: 'forgot' }),
  {
    name: 'forgot-errors',
    who: 'visitor',
    show: (page) => submit(page, '/forgot-password', 'Send Reset Link'),
  },
  { name: 'forgot-sent', who: 'visitor', show: requestLink },
  screen('visitor', '/reset-password', 'Invalid Reset Link', { name: 'reset-no-token' }),
  {
    name: 'reset-errors',
    who: 'visitor',
    show: (page) => submit(page, '/reset-password?token=any', 'Update Password'),
  },
  { name: 'reset-done', who: 'visitor', show: updatePassword },
  screen('visitor', '/about-us', 'About Us', { name: 'coming-soon' }),
];

async function submit(page: Page, path: string, button: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('button', { name: button }).click();
}

async function signInWrongly(page: Page): Promise<void> {
  await page.goto('/signin');
  await fillSignIn(page, { ...demo, password: 'wrong' });
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('alert').waitFor();
}

async function requestLink(page: Page): Promise<void> {
  await page.goto('/forgot-password');
  await page.getByLabel('Email address').fill('somebody.with.a.long.address@garden.example.org');
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  await page.getByRole('heading', { name: 'Password reset email sent' }).waitFor();
}

async function updatePassword(page: Page): Promise<void> {
  await page.route('**/auth/reset-password', (route) => route.fulfill({ json: { message: 'Ok' } }));
  await page.goto('/reset-password?token=any');
  await page.getByLabel('New password', { exact: true }).fill('a-new-garden');
  await page.getByLabel('Confirm new password', { exact: true }).fill('a-new-garden');
  // Prevents the redirect, so that the screen is still shown when the picture is taken.
  await page.evaluate(() => {
    const later = window.setTimeout;
    const shortly = (act: () => void, ms?: number) => (ms === 3_000 ? 0 : later(act, ms));
    Object.assign(window, { setTimeout: shortly });
  });
  await page.getByRole('button', { name: 'Update Password' }).click();
  await page.getByRole('heading', { name: 'Password Updated Successfully' }).waitFor();
}
