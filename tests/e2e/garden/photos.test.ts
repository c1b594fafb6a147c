import type { Page } from 'playwright';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { withExif } from '../../support/photos/camera-jpeg.ts';
import { openPhone, type Phone } from '../support/phone/browser.ts';
import { rowsOf } from '../support/phone/device-db.ts';
import { plantCard, signIn } from '../support/screens/garden.ts';
import { addQuietPlant, dialog } from '../support/screens/plant-dialog.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { setUp } from '../support/set-up.ts';

const soon = { timeout: 30_000 };

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  return made.close;
});

interface StoredPhoto {
  width: number;
  height: number;
  full: string;
}

/** The photos of a plant on the server, with the bytes of their full-size JPEGs as text. */
function photosOf(plantId: string): Promise<StoredPhoto[]> {
  return server.query<StoredPhoto>(
    `SELECT width, height, encode(full_jpeg, 'escape') AS full FROM photos
     WHERE plant_id = $1 AND deleted_at IS NULL ORDER BY taken_at`,
    [plantId],
  );
}

/** A photo as a phone's camera writes it: stored rotated, with the place where it was taken. */
async function cameraFile(page: Page) {
  const base64 = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(1200, 800);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.fillStyle = 'green';
    context.fillRect(0, 0, 600, 800);
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  });
  const buffer = Buffer.from(withExif(Buffer.from(base64, 'base64')));
  return { name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer };
}

const pictures = () => dialog(phone.page).getByRole('list', { name: 'Photos' }).getByRole('button');
const waiting = () => dialog(phone.page).getByRole('button', { name: /waiting to be sent$/ });

/** Opens the history of a new plant. Resolves to its id. */
async function openHistory(nickname: string): Promise<string> {
  const plantId = await addQuietPlant(server, nickname);
  await phone.page.goto(`/dashboard?plant=${plantId}&tab=history`);
  await dialog(phone.page).getByRole('button', { name: 'Add photos' }).waitFor();
  return plantId;
}

/** Adds two photos to the plant whose history is open. */
async function addTwoPhotos(): Promise<void> {
  const file = await cameraFile(phone.page);
  expect(file.buffer.includes('Exif')).toBe(true);
  await phone.page
    .locator('section[aria-label="Photos"] input[type="file"]')
    .setInputFiles([file, { ...file, name: 'IMG_0002.jpg' }]);
  await expect.poll(() => pictures().count(), soon).toBe(2);
}

test('photos taken without a network survive a restart and arrive once, upright and without location', async () => {
  const plantId = await openHistory('Fotogena');
  await phone.context.setOffline(true);
  await addTwoPhotos();
  await expect.poll(() => waiting().count(), soon).toBe(2);

  await phone.restart();
  await phone.context.setOffline(true);
  await phone.page.goto(`/dashboard?plant=${plantId}&tab=history`);
  // Counts all photos, not only waiting() ones: after the restart the service worker may have sent one before the phone
  // was offline again.
  await expect.poll(() => pictures().count(), soon).toBe(2);
  const picture = pictures().first().locator('img');
  await expect
    .poll(
      () => picture.evaluate((img: HTMLImageElement) => img.naturalHeight > img.naturalWidth),
      soon,
    )
    .toBe(true);

  await phone.context.setOffline(false);
  await phone.page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect.poll(() => waiting().count(), soon).toBe(0);
  await expect.poll(() => rowsOf(phone.page, 'outbox')).toEqual([]);
  const stored = await photosOf(plantId);
  expect(stored.map(({ width, height }) => [width, height])).toEqual([
    [800, 1200],
    [800, 1200],
  ]);
  for (const { full } of stored) expect(full).not.toMatch(/Exif/);
});

test('Back closes only the open photo, or the question whether to delete it, and a reload keeps the photo open', async () => {
  const { page } = phone;
  await openHistory('Retrocesa');
  await addTwoPhotos();
  const viewer = page.getByRole('dialog', { name: 'Photo of Retrocesa' });
  const plant = dialog(page).filter({ has: page.getByRole('tab', { name: 'History' }) });
  await pictures().first().click();
  await viewer.waitFor();
  await page.goBack();
  await viewer.waitFor({ state: 'detached' });
  await plant.waitFor();
  await page.goForward();
  await viewer.getByText('2 of 2').waitFor();
  const ofNewest = page.url();
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(({ href }) => href !== ofNewest);
  await page.reload();
  await viewer.getByText('1 of 2').waitFor();
  const question = page.getByRole('dialog', { name: 'Delete this photo?' });
  await viewer.getByRole('button', { name: 'Delete photo' }).click();
  await question.waitFor();
  await page.goBack();
  await question.waitFor({ state: 'detached' });
  await viewer.getByText('1 of 2').waitFor();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  await plant.waitFor();
  expect(new URL(page.url()).searchParams.has('photo')).toBe(false);
});

test('a photo chosen as the plant’s picture is shown on its card, on this phone and on another one', async () => {
  const { page } = phone;
  await openHistory('Effigia');
  await addTwoPhotos();
  const viewer = page.getByRole('dialog', { name: 'Photo of Effigia' });
  await pictures().first().click();
  await viewer.getByRole('button', { name: 'Use as the plant’s picture' }).click();
  await viewer.getByRole('button', { name: 'The plant’s picture', exact: true }).waitFor();
  await page.goto('/dashboard');
  const picture = plantCard(page, 'Effigia').locator('img');
  await expect.poll(() => picture.getAttribute('src')).toMatch(/^blob:/);
  await expect.poll(() => rowsOf(page, 'outbox')).toEqual([]);

  const tablet = await openPhone(server.url, { withoutServiceWorker: true });
  onTestFinished(tablet.close);
  await signIn(tablet.page);
  const theirs = plantCard(tablet.page, 'Effigia').locator('img');
  await expect.poll(() => theirs.getAttribute('src'), soon).toMatch(/^blob:/);
});
