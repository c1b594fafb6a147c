import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, test } from 'vitest';
import { projectRoot } from '../../src/build/build-if-needed.mjs';
import { toSmallPng } from './support/small-png.ts';
import { openStudio, type Studio, type Who } from './support/studio.ts';

const folder = path.join(projectRoot, 'public/screenshots');
const phone = { width: 390, height: 844, deviceScaleFactor: 1.5, mobile: true };
const desk = { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false };

interface Shot {
  name: string;
  who: Who;
  address: string;
  size: typeof phone;
  colorScheme?: 'dark';
}

/** What the manifest (features/install/web-manifest.ts) and the README show. */
const shots: readonly Shot[] = [
  { name: 'phone-light', who: 'demo', address: '/dashboard', size: phone },
  { name: 'phone-schedule', who: 'demo', address: '/dashboard/schedule', size: phone },
  { name: 'phone-dark', who: 'cut off', address: '/dashboard', size: phone, colorScheme: 'dark' },
  { name: 'desk-light', who: 'demo', address: '/dashboard', size: desk },
];

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio();
});
afterAll(() => studio.close());

// The files are in the repository, so they are replaced only on request.
test.runIf(process.env.SCREENSHOTS === '1').each(shots)('$name', async (shot) => {
  const page = await studio.openPage(shot.who);
  await page.setViewportSize(shot.size);
  await page.emulateMedia({ colorScheme: shot.colorScheme ?? 'light', reducedMotion: 'reduce' });
  // The network of a page with a live stream is never idle.
  await page.route('**/api/live*', (route) => route.abort());
  await page.goto(shot.address);
  await page.getByRole('article').nth(1).waitFor();
  await page.waitForLoadState('networkidle');
  fs.writeFileSync(path.join(folder, `${shot.name}.png`), toSmallPng(await picture(page, shot)));
  await page.close();
});

/** A screenshot with the device's pixel ratio, which Playwright's own screenshots do not have here. */
async function picture(page: Page, { size }: Shot): Promise<Buffer> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setDeviceMetricsOverride', size);
  const { data } = await browser.send('Page.captureScreenshot', { format: 'png' });
  return Buffer.from(data, 'base64');
}
