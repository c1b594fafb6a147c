import type { Page } from 'playwright';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { webManifest } from '#build/app-identity.ts';
import { openPhone, type Phone } from '../support/phone/browser.ts';
import { signIn, waterNow } from '../support/screens/garden.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { setUp } from '../support/set-up.ts';

declare global {
  interface Window {
    /** Whether the browser has offered to install the app. */
    isOffered?: boolean;
  }
}

const soon = { timeout: 20_000 };
let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp(undefined, { isComplete: true });
  ({ server, phone } = made);
  await phone.context.addInitScript(() => {
    window.addEventListener('beforeinstallprompt', () => {
      window.isOffered = true;
    });
  });
  return made.close;
});

const invitation = (page: Page) => page.getByText('Install Sprig: it opens like any app');

test('the browser accepts the manifest and can install the app', async () => {
  const { page } = phone;
  await page.goto('/signin');
  const browser = await phone.context.newCDPSession(page);
  const { errors, data } = await browser.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const served: typeof webManifest = JSON.parse(data ?? '');
  expect(served).toMatchObject({
    id: '/',
    name: 'Sprig: plant care',
    short_name: 'Sprig',
    description: 'Your plants, their readings and their water, with or without a network.',
    start_url: '/dashboard',
    scope: '/',
    display: 'standalone',
    display_override: ['standalone', 'minimal-ui'],
    categories: ['lifestyle', 'utilities'],
  });
  expect([served.launch_handler?.client_mode].flat()[0]).toBe('navigate-existing');
  const forms = served.screenshots?.map(({ form_factor }) => form_factor);
  expect(forms).toEqual(expect.arrayContaining(['narrow', 'wide']));
  const purposes = served.icons?.map(({ purpose }) => purpose ?? 'any');
  expect(purposes).toEqual(expect.arrayContaining(['any', 'maskable', 'monochrome']));
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);
});

test('every image of the manifest and the iPhone icon exist in the declared size', async () => {
  const { icons = [], screenshots = [], shortcuts = [] } = webManifest;
  const pictures = [
    ...icons,
    ...screenshots,
    ...shortcuts.flatMap((one) => one.icons ?? []),
    { src: '/icons/apple-touch-icon.png', sizes: '180x180' },
  ];
  expect(pictures.length).toBeGreaterThanOrEqual(10);
  for (const { src, sizes } of pictures) {
    const response = await fetch(server.url + src);
    expect(response.headers.get('content-type'), src).toBe('image/png');
    const png = Buffer.from(await response.arrayBuffer());
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, src).toBe(sizes);
    expect(png.length, src).toBeLessThan(110_000);
  }
});

test('the app offers its installation after the first watering', async () => {
  const { page } = phone;
  await signIn(page);
  await expect.poll(() => page.evaluate(() => window.isOffered), soon).toBe(true);
  await waterNow(page, 'Monty').click();
  await invitation(page).waitFor();
  await page.getByRole('button', { name: 'Not now', exact: true }).click();
  await invitation(page).waitFor({ state: 'detached' });
});

test('the plants stay on the screen if the invitation to install the app cannot be loaded', async () => {
  const { page, context, close } = await openPhone(server.url, { withoutServiceWorker: true });
  onTestFinished(close);
  const lost: string[] = [];
  // Also the check whether the server can be reached, after which the page would be reloaded once.
  await context.route(/assets\/install-invitation-.*\.js|favicon\.svg\?/, async (route) => {
    lost.push(route.request().url());
    await route.abort();
  });
  await signIn(page);
  await page.evaluate(() => {
    const offer = new Event('beforeinstallprompt', { cancelable: true });
    window.dispatchEvent(Object.assign(offer, { prompt: async () => undefined }));
  });
  await waterNow(page, 'Fernanda').click();
  await expect.poll(() => lost.some((url) => url.includes('install-invitation')), soon).toBe(true);
  await page.getByRole('status').filter({ hasText: 'Fernanda watered' }).waitFor();
  await waterNow(page, 'Zed').waitFor();
});

test('the shortcuts open the schedule and the form for a new plant', async () => {
  const { page } = phone;
  const [schedule, add] = webManifest.shortcuts ?? [];
  await signIn(page);
  await page.goto(schedule?.url ?? '');
  await page.getByRole('heading', { level: 1, name: 'Watering Schedule' }).waitFor();
  await page.goto(add?.url ?? '');
  await page.getByRole('dialog').getByLabel('Nickname').waitFor();
});
