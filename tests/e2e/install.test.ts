import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { webManifest } from '#build/web-manifest.ts';
import { barriersInBothThemes } from './support/accessibility.ts';
import type { AppServer } from './support/app-server.ts';
import type { Phone } from './support/browser.ts';
import { closeSidebar, plantCard, signIn, waterNow } from './support/garden.ts';
import { setUp } from './support/set-up.ts';

declare global {
  interface Window {
    /** What the system was asked to write on the app's icon, in order. */
    badges: (number | undefined)[];
    /** Whether the browser has said that the app can be installed. */
    isOffered?: boolean;
    /** How often the browser was told to ask whether to install the app. */
    asked: number;
  }
}

const soon = { timeout: 20_000 };
let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp();
  ({ server, phone } = made);
  await phone.context.addInitScript(() => {
    window.badges = [];
    window.addEventListener('beforeinstallprompt', () => {
      window.isOffered = true;
    });
    navigator.setAppBadge = async (count) => void window.badges.push(count);
  });
  return made.close;
});

const invitation = (page: Page) => page.getByText('Install Sprig: it opens like any app');
const badge = (page: Page) => page.evaluate(() => window.badges.at(-1));

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
    const answer = await fetch(server.url + src);
    expect(answer.headers.get('content-type'), src).toBe('image/png');
    const png = Buffer.from(await answer.arrayBuffer());
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, src).toBe(sizes);
    expect(png.length, src).toBeLessThan(110_000);
  }
});

test('the app offers its installation once, after the first watering and not before', async () => {
  const { page } = phone;
  await signIn(page);
  await expect.poll(() => page.evaluate(() => window.isOffered), soon).toBe(true);
  expect(await invitation(page).count()).toBe(0);

  await waterNow(page, 'Monty').click();
  await invitation(page).waitFor();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Not now' }).click();
  await invitation(page).waitFor({ state: 'detached' });

  await page.reload();
  await waterNow(page, 'Zed').click();
  await page.getByRole('status').filter({ hasText: 'Zed watered' }).waitFor();
  expect(await invitation(page).count()).toBe(0);
});

/** As a browser that would install the app; what it answers when it is told to ask is given. */
async function offerInstallation(page: Page, answer: 'dismissed' | 'refused'): Promise<void> {
  await page.evaluate((said) => {
    window.asked = 0;
    // Chromium's own offer may come at any moment and would take the place of this one.
    const onlyOurs = (event: Event) => event.isTrusted && event.stopImmediatePropagation();
    window.addEventListener('beforeinstallprompt', onlyOurs, true);
    const prompt = async () => {
      window.asked += 1;
      if (said === 'refused') throw new Error('Asked before.');
      return { outcome: said };
    };
    const offer = new Event('beforeinstallprompt', { cancelable: true });
    window.dispatchEvent(Object.assign(offer, { prompt }));
  }, answer);
}

const asked = (page: Page) => page.evaluate(() => window.asked);

/** As if nobody had answered on this device yet. */
async function comeUnanswered(page: Page, nickname: string): Promise<void> {
  await page.evaluate(() => window.localStorage.removeItem('sprig.install-answered'));
  await page.reload();
  await plantCard(page, nickname).waitFor();
}

test.each([
  ['dismissed', 'Monty'],
  ['refused', 'Zed'],
] as const)(
  'Install has the browser ask once; when that is %s, nobody is invited again',
  async (answer, nickname) => {
    const { page } = phone;
    await comeUnanswered(page, nickname);
    await offerInstallation(page, answer);
    await waterNow(page, nickname).click();
    // It comes to stand above the invitation and moves what is about to be tapped.
    await page
      .getByRole('status')
      .filter({ hasText: `${nickname} watered` })
      .waitFor();
    // By the keyboard, because notices that come and go above the button move it.
    await page.getByRole('button', { name: 'Install', exact: true }).press('Enter');
    await invitation(page).waitFor({ state: 'detached' });
    expect(await asked(page)).toBe(1);

    await page.reload();
    await plantCard(page, nickname).waitFor();
    await offerInstallation(page, answer);
    await waterNow(page, nickname).click();
    await page
      .getByRole('status')
      .filter({ hasText: `${nickname} watered` })
      .waitFor();
    expect(await invitation(page).count()).toBe(0);
    expect(await asked(page)).toBe(0);
    expect(phone.problems).toEqual([]);
  },
);

test('the install offer disappears for good when the app is installed from the browser menu', async () => {
  const { page } = phone;
  await comeUnanswered(page, 'Figaro');
  await offerInstallation(page, 'dismissed');
  await waterNow(page, 'Figaro').click();
  await invitation(page).waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event('appinstalled')));
  await invitation(page).waitFor({ state: 'detached' });
  expect(await page.evaluate(() => window.localStorage.getItem('sprig.install-answered'))).toBe(
    '1',
  );
});

test('the shortcuts open the schedule and the form for a new plant', async () => {
  const { page } = phone;
  const [schedule, add] = webManifest.shortcuts ?? [];
  await page.goto(schedule?.url ?? '');
  await page.getByRole('heading', { level: 1, name: 'Watering Schedule' }).waitFor();
  await page.goto(add?.url ?? '');
  await page.getByRole('dialog').getByLabel('Nickname').waitFor();
});

test('the app icon has a badge with the number of plants that need water, until sign-out', async () => {
  const { page } = phone;
  await page.goto('/dashboard');
  const due = page.getByRole('article').filter({ hasText: 'Water now!' });
  // The first cards are those last shown, and may differ from the database that the badge counts.
  await expect
    .poll(async () => (await due.count()) > 0 && (await due.count()) === (await badge(page)), soon)
    .toBe(true);
  const count = await due.count();
  const nickname = (await due.first().getByRole('heading').textContent()) ?? '';
  await waterNow(page, nickname).click();
  await expect.poll(() => badge(page), soon).toBe(count - 1);
  await expect.poll(() => plantCard(page, nickname).textContent()).not.toContain('Waiting');
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('**/signin');
  await expect.poll(() => badge(page), soon).toBe(0);
});

test('where no install prompt exists, a hint explains how to install, and can be dismissed for good', async () => {
  const page = await phone.context.newPage();
  await page.addInitScript(() => {
    // As in Safari on an iPhone.
    Object.defineProperty(navigator, 'standalone', { value: false });
    window.addEventListener('beforeinstallprompt', (event) => event.stopImmediatePropagation());
    window.localStorage.removeItem('sprig.install-answered');
  });
  await signIn(page);
  await closeSidebar(page);
  await waterNow(page, 'Figaro').click();
  await page.getByText('Share, then Add to Home Screen.').waitFor();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Got it' }).click();
  await page.getByText('Share, then Add to Home Screen.').waitFor({ state: 'detached' });
  expect(phone.problems).toEqual([]);
});
