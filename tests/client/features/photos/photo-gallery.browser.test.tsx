import { useState } from 'react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { PhotoGallery } from '#client/features/photos/photo-gallery.tsx';
import { type ShownPhoto, shownPhotos } from '#client/features/photos/shown-photos.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { Notice, NoticeStack } from '#client/ui/feedback/notice.tsx';
import { LiveRegion } from '#client/ui/feedback/screen-reader.tsx';
import { defaultZone } from '#domain/zone.ts';
import { violationsInBothThemes } from '../../../support/component/accessibility.ts';
import { fakeApi } from '../../../support/component/api.ts';
import { resizeScreen } from '../../../support/component/browser.ts';
import { button } from '../../../support/component/form.ts';
import { announced, monty, pullPlants } from '../../../support/component/garden.ts';
import { signInAs } from '../../../support/component/open-app.tsx';
import { render } from '../../../support/component/render.tsx';
import { blockTable } from '../../../support/device/block-table.ts';
import { sidewaysParts, smallTargets } from '../../../support/layout.ts';
import { storePhoto } from '../../../support/photos/stored-photo.ts';
import { inDashboard } from '../support/in-dashboard.tsx';

const days = ['2026-11-20', '2026-11-10', '2026-10-30'];

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty()]);
});

const plant = { id: 'monty', nickname: 'Monty', photoId: 'photo-2' };
const onClose = vi.fn();

function Gallery({ photos, openId }: { photos: readonly ShownPhoto[]; openId: string }) {
  const [shownId, onShow] = useState(openId);
  return <PhotoGallery {...{ plant, photos, shownId, onShow, onClose }} />;
}

async function openGallery({ open = 'photo-0', count = 3, isRejected = false } = {}) {
  const stored = await Promise.all(
    days
      .slice(0, count)
      .map((day, n) =>
        storePhoto(db, 'monty', { id: `photo-${n}`, taken_at: `${day}T03:00:00.000Z` }),
      ),
  );
  const photos = shownPhotos(
    stored.map((photo) => ({ ...photo, isWaiting: false, isRejected })),
    plant,
    new Map(),
    defaultZone,
  );
  const screen = await render(inDashboard(<Gallery photos={photos} openId={open} />));
  // Photos are read from the database, so unmount before it is deleted.
  onTestFinished(() => screen.unmount());
}

const status = page.getByRole('dialog', { name: 'Photo of Monty' }).getByRole('status');
const shown = (day: string) =>
  page.getByRole('img', { name: new RegExp(`Photo of Monty, ${day}`) });

const frame = page.getByRole('region', { name: 'Photo, + and - zoom' });
const scale = () => frame.element().querySelector('[data-scale]')?.getAttribute('data-scale');

/** Sends a pointer event to the frame of the photo. */
function point(type: string, clientX: number, pointerId = 1): void {
  // A synthetic pointer cannot be captured.
  vi.spyOn(Element.prototype, 'setPointerCapture').mockImplementation(() => undefined);
  const event = new PointerEvent(type, { pointerId, clientX, clientY: 300, bubbles: true });
  frame.element().dispatchEvent(event);
}

test('the gallery shows the photo with its date and its number, and is accessible', async () => {
  await openGallery();
  await expect.element(status).toHaveTextContent('Nov 20, 2026, 10:00 AM, 3 of 3');
  await expect.element(shown('Nov 20, 2026')).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
  expect(smallTargets()).toEqual([]);
});

test('the status of a rejected photo says that it could not be saved', async () => {
  await openGallery({ isRejected: true });
  await expect.element(status).toHaveTextContent('3 of 3, could not be saved');
});

test.each([390, 1440])(
  'at a width of %d px a notice covers no button of the viewer, and a tap on it does not close the viewer',
  async (width) => {
    await resizeScreen(width, 900);
    const notice = <Notice look="bad" title="New photo of Monty could not be saved" />;
    await render(<NoticeStack>{notice}</NoticeStack>);
    await openGallery();
    await expect.element(page.getByText('could not be saved')).toBeVisible();
    const names = ['Close photo', 'Older photo', 'Newer photo', 'Delete photo'];
    await expect.poll(() => names.filter((name) => isCovered(button(name).element()))).toEqual([]);
    onClose.mockClear();
    await page.getByText('could not be saved').click();
    expect(onClose).not.toHaveBeenCalled();
  },
);

/** Whether another element is on top of the middle of this one. */
function isCovered(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  return !element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}

test('arrow keys, Home and End change the photo, with older ones to the left', async () => {
  await openGallery();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(status).toHaveTextContent('Nov 10, 2026, 10:00 AM, 2 of 3');
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  await expect.element(status).toHaveTextContent('3 of 3');
  await userEvent.keyboard('{Home}');
  await expect.element(status).toHaveTextContent('1 of 3');
  await userEvent.keyboard('{End}');
  await expect.element(status).toHaveTextContent('3 of 3');
});

test('buttons show the older and the newer photo, and a button without a further photo keeps the focus', async () => {
  await openGallery({ open: 'photo-1' });
  const press = async (name: string) => {
    (button(name).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
  };
  await press('Older photo');
  await expect.element(status).toHaveTextContent('1 of 3');
  await expect.element(button('Older photo')).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Enter}');
  await expect.element(button('Older photo')).toHaveFocus();
  await expect.element(status).toHaveTextContent('1 of 3');
  await press('Newer photo');
  await userEvent.keyboard('{Enter}');
  await expect.element(status).toHaveTextContent('3 of 3');
  await expect.element(button('Newer photo')).toHaveAttribute('aria-disabled', 'true');
  await expect.element(button('Newer photo')).toHaveFocus();
  expect(await violationsInBothThemes()).toEqual([]);
});

test('Compare shows the photo side by side with the oldest one, which can be replaced by a newer one', async () => {
  await openGallery();
  await button('Compare').click();
  await expect.element(shown('Oct 30, 2026')).toBeVisible();
  await expect.element(shown('Nov 20, 2026')).toBeVisible();
  await button('Newer compared photo').click();
  await expect.element(shown('Nov 10, 2026')).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
  await button('One photo').click();
  await expect.element(shown('Nov 10, 2026')).not.toBeInTheDocument();
});

test('Compare shows the oldest other photo beside the oldest one', async () => {
  await openGallery({ open: 'photo-2' });
  await button('Compare').click();
  await expect.element(shown('Nov 10, 2026')).toBeVisible();
  await expect.element(shown('Oct 30, 2026')).toBeVisible();
});

test('screen readers read the time of another compared photo', async () => {
  await openGallery();
  await button('Compare').click();
  await expect.element(shown('Oct 30, 2026')).toBeVisible();
  await button('Newer compared photo').click();
  await expect
    .element(page.getByRole('figure').nth(0).getByRole('status'))
    .toHaveTextContent('Nov 10, 2026, 10:00 AM');
});

test('the next compared photo is not shown before it is read, and neither is the one before it', async () => {
  await openGallery();
  await button('Compare').click();
  await expect.element(shown('Oct 30, 2026')).toBeVisible();
  const oldest = shown('Oct 30, 2026').element().getAttribute('src');
  const { release } = await blockTable(db.photoFiles);
  await button('Newer compared photo').click();
  await expect.element(page.getByText('Nov 10, 2026, 10:00 AM').last()).toBeVisible();
  expect(document.querySelector(`img[src="${oldest}"]`)).toBeNull();
  await release();
  await expect.poll(() => shown('Nov 10, 2026').element().tagName).toBe('IMG');
});

test.each([
  [844, 390],
  [1440, 900],
  [390, 844],
])(
  'a single photo and two compared ones are not cut off on a screen of %d × %d pixels',
  async (width, height) => {
    await resizeScreen(width, height);
    await openGallery();
    const images = () => [...document.querySelectorAll('figure img')];
    const cutOff = () =>
      images().filter((img) => {
        const photo = img.getBoundingClientRect();
        const frame = img.closest('section, figure')?.getBoundingClientRect() ?? new DOMRect();
        return photo.bottom > frame.bottom + 0.5 || photo.right > frame.right + 0.5;
      });
    // Until a photo has been read, a placeholder is shown.
    await expect.poll(() => images().length).toBe(1);
    expect(cutOff()).toEqual([]);
    await button('Compare').click();
    await expect.poll(() => images().length).toBe(2);
    expect(cutOff()).toEqual([]);
  },
);

test('with text at 200 percent on a phone the photo keeps a height, and all buttons can be scrolled to', async () => {
  await resizeScreen(320, 568);
  document.documentElement.style.fontSize = '200%';
  onTestFinished(() => document.documentElement.removeAttribute('style'));
  await openGallery();
  await expect.element(shown('Nov 20, 2026')).toBeVisible();
  expect(shown('Nov 20, 2026').element().getBoundingClientRect().height).toBeGreaterThan(90);
  const remove = button('Delete photo').element();
  remove.scrollIntoView();
  expect(remove.getBoundingClientRect().bottom).toBeLessThanOrEqual(568);
  await expect.poll(sidewaysParts).toEqual([]);
});

test('the keys + and - zoom the photo', async () => {
  await openGallery();
  (frame.element() as HTMLElement).focus();
  await userEvent.keyboard('+');
  await expect.poll(scale).toBe('1.5');
  await userEvent.keyboard('-');
  await expect.poll(scale).toBe('1');
});

test('when another photo is shown, the frame keeps the focus and shows the photo whole', async () => {
  await openGallery();
  (frame.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(status).toHaveTextContent('2 of 3');
  await expect.element(frame).toHaveFocus();
  await userEvent.keyboard('+');
  await expect.poll(scale).toBe('1.5');
  await userEvent.keyboard('{Home}');
  await expect.element(status).toHaveTextContent('1 of 3');
  await expect.element(frame).toHaveFocus();
  expect(scale()).toBe('1');
});

test('arrow keys show every edge of a zoomed photo, and change the photo again once it is whole', async () => {
  await openGallery();
  await expect.element(frame).toBeVisible();
  const edges = () => {
    const outer = frame.element().getBoundingClientRect();
    const photo = frame.element().querySelector('[data-scale]')?.getBoundingClientRect();
    return photo && { left: photo.left - outer.left, bottom: photo.bottom - outer.bottom };
  };
  (frame.element() as HTMLElement).focus();
  await userEvent.keyboard('++');
  const pressed = (key: string) => userEvent.keyboard(`{${key}}`.repeat(6));
  await pressed('ArrowLeft');
  await expect.poll(() => edges()?.left).toBeCloseTo(0);
  await pressed('ArrowDown');
  await expect.poll(() => edges()?.bottom).toBeCloseTo(0);
  await pressed('ArrowRight');
  await expect.poll(() => edges()?.left).toBeLessThan(-100);
  await pressed('ArrowUp');
  await expect.poll(() => edges()?.bottom).toBeGreaterThan(100);
  await expect.element(status).toHaveTextContent('3 of 3');
  await expect.element(frame).toHaveAccessibleName('Photo, + and - zoom, arrow keys move');
  await userEvent.keyboard('--{ArrowLeft}');
  await expect.element(status).toHaveTextContent('2 of 3');
});

test('a swipe to the right shows the older photo', async () => {
  await openGallery();
  point('pointerdown', 100);
  point('pointermove', 220);
  point('pointerup', 220);
  await expect.element(status).toHaveTextContent('2 of 3');
});

test('two short movements, one after the other, are not a swipe', async () => {
  await openGallery();
  for (let n = 0; n < 2; n += 1) {
    point('pointerdown', 100);
    point('pointermove', 140);
    point('pointerup', 140);
  }
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(status).toHaveTextContent('2 of 3');
});

test('a double tap zooms the photo, and the next one shows it whole', async () => {
  await openGallery();
  await frame.dblClick();
  await expect.poll(scale).toBe('2.5');
  await frame.dblClick();
  await expect.poll(scale).toBe('1');
});

test('a horizontal turn of the wheel does not zoom, and a vertical one zooms instead of scrolling', async () => {
  await openGallery();
  const turn = (by: WheelEventInit) => {
    const event = new WheelEvent('wheel', { ...by, bubbles: true, cancelable: true });
    frame.element().dispatchEvent(event);
    return event;
  };
  expect(turn({ deltaY: -100 }).defaultPrevented).toBe(true);
  await expect.poll(scale).toBe('1.2');
  turn({ deltaX: 100 });
  turn({ deltaY: -100 });
  await expect.poll(scale).toBe('1.44');
  turn({ deltaY: 100 });
  await expect.poll(scale).toBe('1.2');
});

test('a touch that the browser cancels is not a swipe', async () => {
  await openGallery({ open: 'photo-1' });
  point('pointerdown', 100);
  point('pointermove', 220);
  point('pointercancel', 220);
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(status).toHaveTextContent('3 of 3');
});

test('two fingers zoom the photo, and one finger then moves it instead of showing another photo', async () => {
  await openGallery();
  point('pointerdown', 100);
  point('pointerdown', 200, 2);
  point('pointermove', 300, 2);
  await expect.poll(scale).toBe('2');
  point('pointerup', 300, 2);
  const photo = () => frame.element().querySelector('[data-scale]');
  const left = () => photo()?.getBoundingClientRect().left ?? 0;
  const before = left();
  point('pointermove', 220);
  await expect.poll(left).toBeGreaterThan(before);
  point('pointerup', 220);
  await expect.element(status).toHaveTextContent('3 of 3');
  expect(scale()).toBe('2');
});

test('using a photo as the plant’s picture queues an edit of the plant and is announced', async () => {
  await render(<LiveRegion />);
  await openGallery();
  await button('Use as the plant’s picture').click();
  const base = { photo_id: 'photo-2' };
  await expect
    .poll(() => db.outbox.toArray())
    .toMatchObject([{ type: 'update', entity: 'monty', edits: { photo_id: 'photo-0' }, base }]);
  await expect.poll(announced).toBe('This is the picture of Monty now');
});

test('the photo that is the plant’s picture is marked', async () => {
  await openGallery({ open: 'photo-2' });
  const marked = button('The plant’s picture');
  await expect.element(marked).toHaveAttribute('aria-disabled', 'true');
  await marked.click({ force: true });
  expect(await db.outbox.count()).toBe(0);
});

test('a photo is deleted after a confirmation, and the older one is shown', async () => {
  await render(<LiveRegion />);
  await openGallery();
  await button('Delete photo').click();
  await button('Keep it').click();
  expect(await db.outbox.count()).toBe(0);
  await button('Delete photo').click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect
    .poll(() => db.outbox.toArray())
    .toMatchObject([{ type: 'remove_photo', photo: { id: 'photo-0' } }]);
  await expect.element(status).toHaveTextContent('2 of 3');
  await expect.poll(announced).toBe('Photo deleted');
});

test('with a single photo there are no buttons for an older photo and for comparing', async () => {
  await openGallery({ count: 1 });
  await expect.element(button('Delete photo')).toBeVisible();
  await expect.element(button('Older photo')).not.toBeInTheDocument();
  await expect.element(button('Compare')).not.toBeInTheDocument();
});

test('the small size of a photo is shown while its full size is not on this device', async () => {
  await openGallery({ open: 'photo-1' });
  await db.photoFiles.where({ photoId: 'photo-0', size: 'full' }).delete();
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(() => shown('Nov 20, 2026').element().tagName).toBe('IMG');
});

test('a photo that is not on this device is requested, and a text says that it is missing', async () => {
  await openGallery();
  await db.photoFiles.clear();
  await db.photos.clear();
  await userEvent.keyboard('{ArrowLeft}');
  await expect
    .element(
      page.getByRole('img', { name: /^Photo of Monty, Nov 10, 2026.*, not on this device$/ }),
    )
    .toHaveTextContent('Not on this device');
  expect(await violationsInBothThemes()).toEqual([]);
  await expect
    .poll(() => db.syncState.get('photos'))
    .toMatchObject({
      wanted: expect.arrayContaining([{ plantId: 'monty', photoId: 'photo-1', size: 'full' }]),
    });
});
