import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { fakeApi } from '../../support/component/api.ts';
import { openApp, signInAs } from '../../support/component/open-app.tsx';

test.each([
  ['/', '/landing'],
  ['/no/such/page', '/landing'],
  ['/login', '/signin'],
  ['/login?from=%2Fdashboard%2Fplants', '/signin?from=%2Fdashboard%2Fplants'],
  ['/register', '/signup'],
  ['/register?via=mail', '/signup?via=mail'],
  ['/dashboard/schedule', '/signin?from=%2Fdashboard%2Fschedule'],
])('redirects a visitor from %s to %s', async (from, to) => {
  const app = await openApp(from);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(app.url).toBe(to);
});

test.each([
  '/',
  '/landing',
  '/login',
  '/register',
  '/signin',
  '/signup',
  '/forgot-password',
  '/reset-password',
  '/about-us',
  '/blog',
  '/contact',
  '/privacy-policy',
  '/terms-of-service',
  '/help-center',
  '/no/such/page',
  '/dashboard/no-such-screen',
  '/dashboard/plants/7',
  '/dashboard/a/b/c',
])('redirects a signed-in person from %s to the dashboard', async (from) => {
  fakeApi();
  await signInAs();
  const app = await openApp(from);
  await expect.poll(app.url).toBe('/dashboard');
});

test.each([
  ['/dashboard/analytics#top', '/dashboard/analytics#top'],
  ['/dashboard/articles/winter-plant-care', '/dashboard/articles/winter-plant-care'],
  ['http://localhost/dashboard/schedule', '/dashboard'],
  ['/dashboard/\\elsewhere.example', '/dashboard'],
  ['https://elsewhere.example/dashboard', '/dashboard'],
  ['//elsewhere.example/dashboard', '/dashboard'],
  ['/dashboard/..//elsewhere.example/dashboard', '/dashboard'],
  ['/dashboardish', '/dashboard'],
  ['javascript:alert(1)', '/dashboard'],
])(
  'a sign-in URL with the parameter from=%s redirects a signed-in person to %s',
  async (from, to) => {
    fakeApi();
    await signInAs();
    const app = await openApp(`/signin?from=${encodeURIComponent(from)}`);
    await expect.poll(app.url).toBe(to);
  },
);
