import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { useHistory } from '#client/features/journal/use-history.ts';
import { PlantPhotos, useAlbum } from '#client/features/photos/plant-photos.tsx';
import { canReloadSafely } from '#client/features/pwa/update/reload-safety.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { LiveRegion } from '#client/ui/feedback/screen-reader.tsx';
import { dayMs } from '#domain/time.ts';
import { violationsInBothThemes } from '../../../support/component/accessibility.ts';
import { fakeApi } from '../../../support/component/api.ts';
import { doubleTap } from '../../../support/component/double-tap.ts';
import { button } from '../../../support/component/form.ts';
import { announced, monty, pullPlants } from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { render } from '../../../support/component/render.tsx';
import { deferred } from '../../../support/deferred.ts';
import { journalEntry, journalRow } from '../../../support/device/device-rows.ts';
import { smallTargets } from '../../../support/layout.ts';
import { cameraJpeg } from '../../../support/photos/camera-jpeg.ts';
import { storePhoto } from '../../../support/photos/stored-photo.ts';
import { inDashboard } from '../support/in-dashboard.tsx';

const plant = { id: 'monty', nickname: 'Monty', photoId: null };

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty()]);
});

const openViewer = vi.fn();

function Photos({ isClosed = false }: { isClosed?: boolean }) {
  return (
    <main>
      <h1>Monty</h1>
      <h2>History</h2>
      <PlantPhotos
        album={useAlbum(plant, useHistory('monty').journal, openViewer)}
        isOpen={!isClosed}
        onOpen={vi.fn()}
      />
    </main>
  );
}

async function openPhotos(count = 0, { isClosed = false } = {}) {
  const photos = [];
  for (let n = 0; n < count; n += 1) {
    const taken_at = new Date(Date.UTC(2026, 9, 1 + n)).toISOString();
    photos.unshift(await storePhoto(db, 'monty', { id: `photo-${n}`, taken_at, entry_id: 'e1' }));
  }
  await db.journal.put({
    plantId: 'monty',
    version: 1,
    isPage: true,
    entries: [journalEntry({ id: 'e1', note: 'First leaf' })],
    next: null,
    photos,
  });
  const screen = await render(inDashboard(<Photos isClosed={isClosed} />));
  onTestFinished(() => screen.unmount());
  return screen;
}

const pictures = () => page.getByRole('list', { name: 'Photos' }).getByRole('button');
const fileInput = () => {
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error('No file input');
  return input;
};
const choose = (files: File[]) => userEvent.upload(fileInput(), files);
/** For large files, whose bytes `choose` would send twice over its connection to the browser, and for files' dates. */
const chooseByScript = (file: File) => {
  const chosen = new DataTransfer();
  chosen.items.add(file);
  const input = fileInput();
  input.files = chosen.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
};
const lying = (name: string) =>
  cameraJpeg(40, 30, (context) => context.fillRect(0, 0, 20, 30)).then(
    (file) => new File([file], name, { type: 'image/jpeg' }),
  );

test.each([true, false])(
  'without photos there is a button to add photos (album closed: %s)',
  async (isClosed) => {
    await openPhotos(0, { isClosed });
    await expect.element(page.getByText('No photos yet.')).toBeVisible();
    await expect.element(button('Add photos')).toBeVisible();
    expect(await violationsInBothThemes()).toEqual([]);
    expect(smallTargets()).toEqual([]);
  },
);

test('several chosen photos are shown immediately, wait to be sent and are announced', async () => {
  await render(<LiveRegion />);
  await openPhotos();
  await choose([await lying('one.jpg'), await lying('two.jpg')]);
  await expect.poll(() => pictures().elements().length).toBe(2);
  const waiting = page.getByRole('button', { name: /^Photo of Monty, .*, waiting to be sent$/ });
  await expect.poll(() => waiting.elements().length).toBe(2);
  // The mark of a waiting photo.
  expect(waiting.elements().map((photo) => photo.querySelectorAll('svg').length)).toEqual([1, 1]);
  await expect.poll(announced).toBe('2 photos added');
  const ops = await db.outbox.toArray();
  expect(ops.map(({ type, photo }) => [type, photo?.width, photo?.height])).toEqual([
    ['add_photo', 30, 40],
    ['add_photo', 30, 40],
  ]);
  expect(await violationsInBothThemes()).toEqual([]);
});

test.each([
  ['its last modification up to 365 days ago', 364.9, 364.9],
  ['the present if it was last modified earlier', 365.1, 0],
])('the time of a chosen photo is %s', async (_, modifiedDaysAgo, takenDaysAgo) => {
  await openPhotos();
  const chosenAt = Date.now();
  const lastModified = Math.floor(chosenAt - modifiedDaysAgo * dayMs);
  chooseByScript(
    new File([await lying('leaf.jpg')], 'leaf.jpg', { type: 'image/jpeg', lastModified }),
  );
  await expect.poll(() => db.outbox.count()).toBe(1);
  const [op] = await db.outbox.toArray();
  const daysAgo = (chosenAt - (op?.photo?.takenAt ?? 0)) / dayMs;
  expect(daysAgo).toBeCloseTo(takenDaysAgo, 1);
});

test('each chosen photo is stored as soon as it is prepared, and the browser asks before it closes the page', async () => {
  await openPhotos();
  const files = [await lying('one.jpg'), await lying('two.jpg')];
  const decode = window.createImageBitmap.bind(window);
  const decoding = deferred();
  const spy = vi.spyOn(window, 'createImageBitmap').mockImplementation(async (source) => {
    if (spy.mock.calls.length > 1) await decoding.promise;
    return decode(source as Blob);
  });
  onTestFinished(() => spy.mockRestore());
  const mayClose = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(mayClose()).toBe(true);
  await choose(files);
  await expect.element(page.getByText('Adding 2/2...')).toBeVisible();
  expect([await db.photos.count(), await db.outbox.count()]).toEqual([1, 1]);
  expect(mayClose()).toBe(false);
  decoding.resolve();
  await expect.poll(() => db.outbox.count()).toBe(2);
  await expect.poll(mayClose).toBe(true);
});

test('the page is not reloaded for an update until the chosen photos are stored', async () => {
  await openPhotos();
  const file = await lying('leaf.jpg');
  const decode = window.createImageBitmap.bind(window);
  const decoding = Promise.withResolvers<void>();
  const spy = vi.spyOn(window, 'createImageBitmap').mockImplementation(async () => {
    await decoding.promise;
    return decode(file);
  });
  onTestFinished(() => spy.mockRestore());
  expect(await canReloadSafely()).toBe(true);
  await choose([file]);
  await expect.poll(() => spy.mock.calls.length).toBe(1);
  expect(await canReloadSafely()).toBe(false);
  decoding.resolve();
  await expect.poll(canReloadSafely).toBe(true);
  expect(await db.photos.count()).toBe(1);
});

test('a photo that the server has rejected says that it could not be saved', async () => {
  await openPhotos();
  await choose([await lying('leaf.jpg')]);
  await expect.poll(() => db.outbox.count()).toBe(1);
  await db.outbox.toCollection().modify({ state: 'rejected', attempts: 1 });
  await expect
    .element(page.getByRole('button', { name: /^Photo of Monty, .*, could not be saved$/ }))
    .toHaveTextContent('Could not be saved');
  expect(await violationsInBothThemes()).toEqual([]);
});

test('a file that is not a photo is reported by name, and the others are added', async () => {
  await openPhotos();
  const text = new File(['words'], 'words.jpg', { type: 'image/jpeg' });
  await choose([text, await lying('leaf.jpg')]);
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('words.jpg is not a photo that this device can read.');
  await expect.poll(() => pictures().elements().length).toBe(1);
  expect(await db.photos.count()).toBe(1);
});

test('the errors of two files with the same name disappear when another file is chosen', async () => {
  await openPhotos();
  const text = (name: string) => new File(['words'], name, { type: 'image/jpeg' });
  const problems = () =>
    [...document.querySelectorAll('[role=alert] li')].map(({ textContent }) => textContent);
  await choose([text('image.jpg'), text('image.jpg')]);
  await expect.poll(problems).toContain('image.jpg is not a photo that this device can read.');
  await choose([text('words.jpg')]);
  await expect.poll(problems).toEqual(['words.jpg is not a photo that this device can read.']);
  // Otherwise choosing the same file again would do nothing.
  expect(fileInput().files).toHaveLength(0);
});

test('the problems of chosen files are not shown again to a person who left after they were shown', async () => {
  const screen = await openPhotos();
  await choose([new File(['words'], 'words.jpg', { type: 'image/jpeg' })]);
  await expect.element(page.getByRole('alert')).toBeVisible();
  await screen.unmount();
  await openPhotos();
  await expect.element(button('Add photos')).toBeVisible();
  expect(page.getByRole('alert').elements()).toHaveLength(0);
});

test('a person who leaves while photos are prepared sees the progress and the problems on return', async () => {
  const screen = await openPhotos();
  const decode = window.createImageBitmap.bind(window);
  const decoding = deferred();
  const file = await lying('leaf.jpg');
  const spy = vi.spyOn(window, 'createImageBitmap').mockImplementationOnce(async () => {
    await decoding.promise;
    return decode(file);
  });
  onTestFinished(() => spy.mockRestore());
  const text = new File(['words'], 'words.jpg', { type: 'image/jpeg' });
  await choose([file, text]);
  await expect.element(page.getByText('Adding 1/2...')).toBeVisible();
  await screen.unmount();
  await openPhotos();
  await expect.element(page.getByText('Adding 1/2...')).toBeVisible();
  decoding.resolve();
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('words.jpg is not a photo that this device can read.');
  await expect.poll(() => db.outbox.count()).toBe(1);
});

test('on a phone, the progress of 12 photos fits beside the number of photos', async () => {
  const photos = [];
  for (let n = 0; n < 12; n += 1) photos.push(await storePhoto(db, 'monty', { id: `p${n}` }));
  await db.journal.put({ ...journalRow({ plantId: 'monty', entries: [] }), photos });
  await openApp('/dashboard?plant=monty&tab=history');
  const decoding = deferred();
  const decode = window.createImageBitmap.bind(window);
  const spy = vi.spyOn(window, 'createImageBitmap').mockImplementation(async (source) => {
    if (spy.mock.calls.length === 12) await decoding.promise;
    return decode(source as Blob);
  });
  onTestFinished(() => spy.mockRestore());
  await expect.element(button('All 12 photos')).toBeVisible();
  await choose(await Promise.all(Array.from({ length: 12 }, (_, n) => lying(`${n}.jpg`))));
  // The last one has the widest text.
  const progress = page.getByRole('button', { name: 'Adding 12/12...' });
  await expect.element(progress).toBeVisible();
  const topOf = (locator: Locator) => locator.element().getBoundingClientRect().top;
  await expect.element(button('All 23 photos')).toBeVisible();
  expect(topOf(progress)).toBe(topOf(button('All 23 photos')));
  decoding.resolve();
  await expect.poll(() => db.outbox.count()).toBe(12);
  await expect.element(button('Add photos')).toBeEnabled();
});

test('a file that is too large is reported by name, and nothing of it is stored', async () => {
  await openPhotos();
  const bytes = new Uint8Array(50 * 1024 * 1024 + 1);
  chooseByScript(new File([bytes], 'poster.jpg', { type: 'image/jpeg' }));
  await expect.element(page.getByRole('alert')).toHaveTextContent('poster.jpg is too large.');
  expect([await db.photos.count(), await db.outbox.count()]).toEqual([0, 0]);
});

test('on a full device no part of the photos is stored, and a notice says so', async () => {
  await openPhotos();
  vi.spyOn(db.photoFiles, 'bulkPut').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  await choose([await lying('leaf.jpg')]);
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('The photos could not be stored on this device.');
  expect(db.storageProblem.current).toBe('full');
  expect([await db.photos.count(), await db.outbox.count()]).toEqual([0, 0]);
});

test('when the device becomes full, photos stored before are kept, and a message says that some could not be stored', async () => {
  await openPhotos();
  const put = db.photoFiles.bulkPut.bind(db.photoFiles);
  const spy = vi.spyOn(db.photoFiles, 'bulkPut').mockImplementation((rows) => {
    if (spy.mock.calls.length > 1) throw new DOMException('full', 'QuotaExceededError');
    return put(rows);
  });
  await choose([await lying('one.jpg'), await lying('two.jpg'), await lying('three.jpg')]);
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('Some of the photos could not be stored on this device.');
  expect([await db.photos.count(), await db.outbox.count()]).toEqual([1, 1]);
  // The second photo was tried twice, the third never.
  expect(spy.mock.calls.length).toBe(3);
});

test('only the newest of many photos are shown, and a tap shows all', async () => {
  await openPhotos(27);
  await expect.poll(() => pictures().elements().length).toBe(24);
  await expect
    .element(pictures().first())
    .toHaveAccessibleName('Photo of Monty, Oct 27, 2026, 7:00 AM, First leaf');
  await button('Show all 27 photos').click();
  await expect.poll(() => pictures().elements().length).toBe(27);
});

test('a double tap on Show all opens none of the photos that take its place', async () => {
  openViewer.mockClear();
  await openPhotos(27);
  const showAll = button('Show all 27 photos');
  await expect.element(showAll).toBeVisible();
  showAll.element().scrollIntoView({ block: 'center' });
  await doubleTap(showAll);
  await expect.poll(() => pictures().elements().length).toBe(27);
  expect(openViewer).not.toHaveBeenCalled();
});

test('after Show all with the keyboard, the first photo that was not shown before has the focus', async () => {
  await openPhotos(27);
  const showAll = button('Show all 27 photos');
  await expect.element(showAll).toBeVisible();
  (showAll.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(showAll).not.toBeInTheDocument();
  await expect.element(pictures().nth(24)).toHaveFocus();
  // A key that is held down does not open it.
  const held = { key: 'Enter', repeat: true, bubbles: true, cancelable: true };
  const isIgnored = !pictures().nth(24).element().dispatchEvent(new KeyboardEvent('keydown', held));
  expect(isIgnored).toBe(true);
});
