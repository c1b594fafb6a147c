import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromiumTestArgs, findHeadlessShell } from '#build/find-chromium.ts';
import { deferred } from '../../support/deferred.ts';
import { demo, fillSignIn, signIn } from '../support/screens/garden.ts';
import { type AppServer, openAppServer } from '../support/server/app-server.ts';

let server: AppServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const problems: string[] = [];
beforeAll(async () => {
  server = await openAppServer();
  await server.start();
  browser = await chromium.launch({
    executablePath: findHeadlessShell(),
    args: [...chromiumTestArgs],
  });
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
beforeEach(async () => {
  problems.length = 0;
  // Without a service worker the app's code is loaded from the network, where the test can delay it.
  context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' });
  page = await context.newPage();
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
});
afterEach(() => context.close());

const submit = () => page.getByRole('button', { name: 'Sign In' });

/** Opens the form with the app's scripts blocked; call the result to load them. */
async function openWithoutApp(
  open = () => page.goto('/signin', { waitUntil: 'commit' }),
): Promise<() => Promise<void>> {
  const held = deferred();
  await page.route(/assets\/main-.*\.js/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await open();
  await submit().waitFor();
  return async () => {
    held.resolve();
    await expect.poll(() => submit().isEnabled()).toBe(true);
  };
}

test('input typed before the app has loaded is kept and used to sign in; after that, /signin leads to the dashboard', async () => {
  const release = await openWithoutApp();
  await fillSignIn(page);
  await page.getByLabel('Remember me').check();
  const field = await page.getByLabel('Email address').elementHandle();
  await release();
  expect(await field?.isVisible()).toBe(true);
  expect(await page.getByLabel('Email address').inputValue()).toBe(demo.email);
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(demo.password);
  expect(await page.getByLabel('Remember me').isChecked()).toBe(true);
  expect(problems).toEqual([]);
  await submit().click();
  await page.getByRole('article').first().waitFor();
  expect(await page.evaluate(() => localStorage.getItem('sprig.token'))).not.toBeNull();
  await page.goto('/signin');
  await page.waitForURL('**/dashboard');
  await page.getByRole('article').first().waitFor();
});

test('the email field keeps its text and the focus while the form is hydrated', async () => {
  const release = await openWithoutApp();
  await page.getByLabel('Email address').pressSequentially('ro');
  await release();
  await page.keyboard.type('sa');
  expect(await page.getByLabel('Email address').inputValue()).toBe('rosa');
});

test('a reload after a sign-up shows the success message again, and keeps input typed before the app has loaded', async () => {
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Rosa');
  await page.getByLabel('Email address').fill('rosa@garden.org');
  await page.getByLabel('Password', { exact: true }).fill('a-rose-garden');
  await page.getByLabel('Confirm password', { exact: true }).fill('a-rose-garden');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByText('Account created successfully!').waitFor();
  const release = await openWithoutApp(() => page.reload({ waitUntil: 'commit' }));
  const field = await page.getByLabel('Email address').elementHandle();
  await field?.fill('rosa@garden.org');
  await release();
  await page.getByText('Account created successfully!').waitFor();
  expect(await field?.isVisible()).toBe(true);
  expect(await field?.inputValue()).toBe('rosa@garden.org');
  expect(problems).toEqual([]);
});

test('before the app has loaded the page has its title, and the form can be submitted neither by its button nor by Enter', async () => {
  const release = await openWithoutApp();
  expect(await page.title()).toBe('Sign In · Sprig');
  await fillSignIn(page);
  expect(await submit().isEnabled()).toBe(false);
  expect(await submit().getAttribute('title')).toBe('Sprig is still loading');
  await page.getByLabel('Password', { exact: true }).press('Enter');
  expect(page.url()).toBe(`${server.url}/signin`);
  expect(await page.locator('form').getAttribute('method')).toBe('post');
  await release();
  expect(await submit().getAttribute('title')).toBeNull();
  expect(await page.locator('head > title').count()).toBe(1);
  expect(await page.title()).toBe('Sign In · Sprig');
});

describe('without JavaScript', () => {
  let scriptless: Page;
  beforeAll(async () => {
    scriptless = await browser.newPage({ baseURL: server.url, javaScriptEnabled: false });
    return () => scriptless.close();
  });

  test.each(['/', '/landing'])('%s shows the landing page', async (path) => {
    await scriptless.goto(path);
    expect(await scriptless.title()).toBe('Sprig · Smart Plant Care');
    expect(await scriptless.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Smart Plant Care at Your Fingertips',
    );
    const picture = scriptless.getByRole('img', { name: /windowsill/ });
    expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    expect(await scriptless.getByRole('link', { name: 'Get Started' }).getAttribute('href')).toBe(
      '/signup',
    );
  });

  test('the sign-in page says that JavaScript is needed and shows no form', async () => {
    await scriptless.goto('/signin');
    const words = scriptless.locator('body > noscript');
    expect(await words.textContent()).toBe('Sprig needs JavaScript.');
    expect(await words.isVisible()).toBe(true);
    expect(await scriptless.getByRole('textbox').count()).toBe(0);
  });
});

/**
 * Loses all requests for the code that only a signed-in person needs. Also those with which the page checks whether the
 * server can be reached, so that it does not reload by itself. Resolves to a function that ends it.
 */
async function loseDashboard(): Promise<() => Promise<void>> {
  const lost = /assets\/dashboard-.*\.js|favicon\.svg\?/;
  await page.route(lost, (route) => route.abort());
  return () => page.unroute(lost);
}

test('a sign-in whose screen cannot be loaded fails, and signs nobody in', async () => {
  await page.goto('/signin');
  const endLoss = await loseDashboard();
  const sessions = () => server.query('SELECT user_id FROM sessions');
  const before = await sessions();
  await fillSignIn(page);
  await submit().click();
  const alert = page.getByRole('alert');
  await alert.waitFor();
  expect(await alert.textContent()).toContain(
    'Failed to sign in. Please check your credentials and try again.',
  );
  const stored = () =>
    page.evaluate(() => [window.localStorage, window.sessionStorage].map((s) => s['sprig.token']));
  expect(await stored()).toEqual([undefined, undefined]);
  await expect.poll(sessions).toEqual(before);
  await endLoss();
  await submit().click();
  await page.getByRole('article').first().waitFor();
});

test('a start whose code cannot be loaded says so, and Reload starts the app', async () => {
  await signIn(page);
  const endLoss = await loseDashboard();
  await page.goto('/dashboard');
  await page.getByText('This screen could not be shown').waitFor();
  await endLoss();
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('article').first().waitFor();
});
