import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { addPhotos } from '#client/store/photos/photos.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { JournalPhoto } from '#domain/journal/photo.ts';
import { fakeApi } from '../../../support/component/api.ts';
import { resizeScreen } from '../../../support/component/browser.ts';
import { doubleTap, tap, tapAt } from '../../../support/component/double-tap.ts';
import { button } from '../../../support/component/form.ts';
import { dialog, monty, pullPlants } from '../../../support/component/garden.ts';
import { type OpenApp, openApp, signInAs } from '../../../support/component/open-app.tsx';
import { translatePage } from '../../../support/component/translate-page.ts';
import { journalEntry, journalRow } from '../../../support/device/device-rows.ts';
import { leftOfCharacter } from '../../../support/layout.ts';
import { storePhoto } from '../../../support/photos/stored-photo.ts';

const history = '/dashboard?plant=monty&tab=history';
const days = ['2026-11-20', '2026-11-10', '2026-10-30'];

let db: DeviceDb;
let photos: JournalPhoto[];
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty({ journal_version: 1 })]);
  photos = [];
  for (const [n, day] of days.entries()) {
    const photo = { id: `photo-${n}`, taken_at: `${day}T03:00:00.000Z`, entry_id: 'e1' };
    photos.push(await storePhoto(db, 'monty', photo));
  }
  await listPhotos(photos);
});

/** Stores which photos the server lists, as a pull does. */
async function listPhotos(listed: JournalPhoto[]): Promise<void> {
  const entries = [journalEntry({ id: 'e1', note: 'First leaf' })];
  await db.journal.put({ ...journalRow({ plantId: 'monty', entries }), photos: listed });
}

const viewer = dialog('Photo of Monty');
const status = viewer.getByRole('status');
const plantDialog = dialog('Monty');
/** The photos of the entry. */
const thumbs = () => page.getByRole('list', { name: 'Photos' });

/** Opens the second photo from the plant's card, through its dialog. */
async function openSecondPhoto(): Promise<OpenApp> {
  const app = await openApp('/dashboard/plants');
  await page.getByRole('link', { name: /^Details of Monty/ }).click();
  await page.getByRole('tab', { name: 'History' }).click();
  await thumbs().getByRole('button').nth(1).click();
  await expect.element(status).toHaveTextContent('2 of 3');
  return app;
}

test('the photos of an entry are newest first; a tap opens one with its number among all photos and the note of its entry', async () => {
  const app = await openSecondPhoto();
  const names = [...document.querySelectorAll('[role=tabpanel] li li button')].map(
    (thumb) => thumb.ariaLabel,
  );
  expect(names).toEqual(['Nov 20', 'Nov 10', 'Oct 30'].map((day) => expect.stringContaining(day)));
  await expect.element(viewer.getByText('First leaf')).toBeVisible();
  expect(app.url()).toBe('/dashboard/plants?plant=monty&tab=history&photo=photo-1');
});

test('a long note in the viewer scrolls, although the plant’s dialog is open below it', async () => {
  const entries = [journalEntry({ id: 'e1', note: 'One more line\n'.repeat(20) })];
  await db.journal.put({ ...journalRow({ plantId: 'monty', entries }), photos });
  await openSecondPhoto();
  const note = viewer.getByText('One more line');
  await userEvent.wheel(note, { delta: { y: 60 } });
  await expect.poll(() => note.element().scrollTop).toBeGreaterThan(0);
});

test('the last character of a note in a right-to-left script is at its left end', async () => {
  const entries = [journalEntry({ id: 'e1', note: 'עלה חדש!' })];
  await db.journal.put({ ...journalRow({ plantId: 'monty', entries }), photos });
  await openSecondPhoto();
  const note = viewer.getByText('עלה חדש!').element();
  expect(leftOfCharacter(note, -1)).toBeLessThan(leftOfCharacter(note, 0));
});

test('back closes the viewer, then the plant, and forward opens both again', async () => {
  const app = await openSecondPhoto();
  app.goBack();
  await expect.element(viewer).not.toBeInTheDocument();
  await expect.element(plantDialog).toBeVisible();
  await expect.element(thumbs().getByRole('button').nth(1)).toHaveFocus();
  app.goBack();
  await expect.element(plantDialog).not.toBeInTheDocument();
  expect(app.url()).toBe('/dashboard/plants');
  app.goForward();
  await expect.element(plantDialog).toBeVisible();
  app.goForward();
  await expect.element(status).toHaveTextContent('2 of 3');
});

test('Escape closes the viewer, returns the focus, and leaves no entry in the browser history', async () => {
  const app = await openSecondPhoto();
  await userEvent.keyboard('{Escape}');
  await expect.element(viewer).not.toBeInTheDocument();
  await expect.element(thumbs().getByRole('button').nth(1)).toHaveFocus();
  app.goBack();
  await expect.element(plantDialog).not.toBeInTheDocument();
});

test('a double tap on the close button closes only the viewer', async () => {
  const app = await openSecondPhoto();
  await doubleTap(button('Close photo'));
  await expect.element(viewer).not.toBeInTheDocument();
  await expect.element(plantDialog).toBeVisible();
  expect(app.url()).toBe('/dashboard/plants?plant=monty&tab=history');
});

test('beside the plant’s dialog, the second tap of a double tap on the close button does not close that dialog', async () => {
  await resizeScreen(1200, 800);
  await openSecondPhoto();
  // The time between the two taps does not depend on the speed of the machine.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const finger = await tap(button('Close photo'));
  await expect.element(viewer).not.toBeInTheDocument();
  const below = document.elementsFromPoint(finger.clientX, finger.clientY);
  expect(below).not.toContain(plantDialog.element());
  tapAt(finger, 2);
  vi.advanceTimersByTime(1_000);
  await thumbs().getByRole('button').nth(1).click();
  await expect.element(status).toHaveTextContent('2 of 3');
});

test('after steps to other photos the URL names the shown photo, and back still closes the viewer', async () => {
  const app = await openSecondPhoto();
  await userEvent.keyboard('{ArrowRight}{ArrowLeft}{ArrowLeft}');
  await expect.element(status).toHaveTextContent('1 of 3');
  await expect.poll(app.url).toMatch(/&photo=photo-2$/);
  app.goBack();
  await expect.element(viewer).not.toBeInTheDocument();
  await expect.element(plantDialog).toBeVisible();
});

test('the memory of a photo is released when another one is shown', async () => {
  const release = vi.spyOn(URL, 'revokeObjectURL');
  onTestFinished(() => release.mockRestore());
  await openSecondPhoto();
  const image = () => viewer.getByRole('img').element();
  await expect.poll(() => image().tagName).toBe('IMG');
  const url = image().getAttribute('src');
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(status).toHaveTextContent('1 of 3');
  await expect.poll(() => release.mock.calls).toContainEqual([url]);
});

test('a link to a photo opens the viewer over the History tab of its plant, which is shown when the viewer is closed', async () => {
  const app = await openApp(`${history}&photo=photo-2`);
  await expect.element(status).toHaveTextContent('1 of 3');
  await button('Close photo').click();
  await expect.element(viewer).not.toBeInTheDocument();
  await expect.element(plantDialog).toBeVisible();
  expect(app.url()).toBe(history);
});

test('a link to a photo that was deleted shows the history', async () => {
  const app = await openApp(`${history}&photo=gone`);
  await expect.poll(app.url).toBe(history);
  await expect.element(plantDialog).toBeVisible();
  await expect.element(viewer).not.toBeInTheDocument();
});

test('a link to a photo of a plant whose history is not stored yet opens the viewer when the history arrives', async () => {
  await db.journal.clear();
  const app = await openApp(`${history}&photo=photo-2`);
  await expect.element(page.getByText(/are not on this device yet/)).toBeVisible();
  expect(app.url()).toBe(`${history}&photo=photo-2`);
  await listPhotos(photos);
  await expect.element(status).toHaveTextContent('1 of 3');
});

test('after the only photo was deleted before the history is stored, the URL names no photo', async () => {
  await db.journal.clear();
  await db.photos.clear();
  const files = { full: new ArrayBuffer(1), small: new ArrayBuffer(1) };
  const added = { ...files, width: 1, height: 1, takenAt: Date.now(), entryId: null };
  const [id] = await addPhotos(db, 'monty', [added], Date.now());
  const app = await openApp(`${history}&photo=${id}`);
  await expect.element(status).toHaveTextContent('1 of 1');
  await button('Delete photo').click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.element(viewer).not.toBeInTheDocument();
  await expect.poll(app.url).toBe(history);
  await expect.element(plantDialog).toBeVisible();
});

test('the viewer closes when its photo is deleted on another device', async () => {
  const app = await openSecondPhoto();
  await listPhotos(photos.filter(({ id }) => id !== 'photo-1'));
  await expect.element(viewer).not.toBeInTheDocument();
  await expect.poll(app.url).toBe('/dashboard/plants?plant=monty&tab=history');
  await expect.element(plantDialog).toBeVisible();
});

test('deleting the shown photo shows the next older one, or the next newer one if there is none, and deleting the only one left closes the viewer', async () => {
  const app = await openSecondPhoto();
  const remove = async () => {
    await button('Delete photo').click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
  };
  await remove();
  await expect.element(status).toHaveTextContent('Oct 30, 2026, 10:00 AM, 1 of 2');
  await remove();
  await expect.element(status).toHaveTextContent('Nov 20, 2026, 10:00 AM, 1 of 1');
  await remove();
  await expect.element(viewer).not.toBeInTheDocument();
  await expect.element(plantDialog).toBeVisible();
  // Not behind the plant's dialog.
  await expect.poll(() => plantDialog.element().contains(document.activeElement)).toBe(true);
  await expect.poll(app.url).toBe('/dashboard/plants?plant=monty&tab=history');
});

test('after a compared photo was deleted no photo is shown twice', async () => {
  await openSecondPhoto();
  await button('Compare').click();
  await expect.element(viewer.getByRole('img')).toHaveLength(2);
  await button('Delete photo').click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  // The next older photo, which the deleted one was compared with.
  await expect.element(viewer.getByText('Oct 30, 2026, 10:00 AM, 1 of 2')).toBeVisible();
  await expect.element(button('Compare')).toBeVisible();
  expect(viewer.getByRole('img').elements()).toHaveLength(1);
});

test('on a translated page the viewer shows another photo and compares two', async () => {
  await openSecondPhoto();
  translatePage();
  await button('Older photo').click();
  await expect.element(status).toHaveTextContent('1 of 3');
  translatePage();
  await button('Compare').click();
  await expect.element(viewer.getByRole('img')).toHaveLength(2);
  translatePage();
  await button('One photo').click();
  await expect.element(viewer.getByRole('img')).toHaveLength(1);
});

test('a translated History shows that a plant has more photos than before', async () => {
  await listPhotos(photos.slice(0, 1));
  await openApp(history);
  await expect.element(button('1 photo')).toBeVisible();
  translatePage();
  await listPhotos(photos);
  await expect.element(button('All 3 photos')).toBeVisible();
});
