import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, test } from 'vitest';
import { projectRoot } from '../../src/build/build-if-needed.mjs';
import { openHistory, openPhoto, openRange } from './history-scenes.ts';
import { openSceneBrowser, type SceneBrowser, type Who } from './support/scene-browser.ts';
import { toSmallPng } from './support/small-png.ts';

/** What the manifest (src/build/app-identity.ts) and the project's README show. */
const forManifest = path.join(projectRoot, 'public/screenshots');
/** What the client's README shows. */
const forClient = path.join(projectRoot, 'src/client/pictures');
const phone = { width: 390, height: 844, deviceScaleFactor: 1.5, mobile: true };
const desk = { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false };

interface Shot {
  name: string;
  folder: string;
  who: Who;
  show: (page: Page) => Promise<unknown>;
  size: typeof phone;
  colorScheme?: 'dark';
}

const onPhone = { who: 'demo', size: phone } as const;

const shots: readonly Shot[] = [
  { ...onPhone, name: 'phone-light', folder: forManifest, show: garden('/dashboard') },
  { ...onPhone, name: 'phone-schedule', folder: forManifest, show: garden('/dashboard/schedule') },
  {
    name: 'phone-dark',
    folder: forManifest,
    who: 'offline',
    show: garden('/dashboard'),
    size: phone,
    colorScheme: 'dark',
  },
  {
    name: 'desk-light',
    folder: forManifest,
    who: 'demo',
    show: garden('/dashboard'),
    size: desk,
  },
  { ...onPhone, name: 'history', folder: forClient, show: historyWithPhotos },
  { ...onPhone, name: 'photo', folder: forClient, show: openPhoto },
  { ...onPhone, name: 'last-7-days', folder: forClient, show: (page) => openRange(page, '7 d') },
  { ...onPhone, name: 'settings', folder: forClient, show: openSettings },
];

let sceneBrowser: SceneBrowser;
beforeAll(async () => {
  // This zone has the same offset as the default time zone of an account. With another offset, the dashboard would
  // offer to change the zone.
  sceneBrowser = await openSceneBrowser('Asia/Ho_Chi_Minh');
});
afterAll(() => sceneBrowser.close());

// The files are in the repository, so they are replaced only on request.
test.runIf(process.env.SCREENSHOTS === '1').each(shots)('$name', async (shot) => {
  const page = await sceneBrowser.openPage(shot.who);
  await page.setViewportSize(shot.size);
  await page.emulateMedia({ colorScheme: shot.colorScheme ?? 'light', reducedMotion: 'reduce' });
  // The network of a page with a live stream is never idle.
  await page.route('**/api/live*', (route) => route.abort());
  await shot.show(page);
  await page.waitForLoadState('networkidle');
  fs.writeFileSync(
    path.join(shot.folder, `${shot.name}.png`),
    toSmallPng(await picture(page, shot)),
  );
  await page.close();
});

/** Shows a screen with cards. */
function garden(address: string): Shot['show'] {
  return async (page) => {
    await page.goto(address);
    await page.getByRole('article').nth(1).waitFor();
  };
}

/** The history of a plant, once its first photo is shown. */
async function historyWithPhotos(page: Page): Promise<void> {
  await openHistory(page);
  await page.getByRole('list', { name: 'Photos' }).locator('img').first().waitFor();
}

async function openSettings(page: Page): Promise<void> {
  await page.goto('/dashboard/settings');
  await page.getByRole('button', { name: 'Change password' }).waitFor();
}

/** A screenshot with the device's pixel ratio, which Playwright's own screenshots do not have here. */
async function picture(page: Page, { size }: Shot): Promise<Buffer> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setDeviceMetricsOverride', size);
  const { data } = await browser.send('Page.captureScreenshot', { format: 'png' });
  return Buffer.from(data, 'base64');
}
