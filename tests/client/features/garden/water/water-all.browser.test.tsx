import { flushSync } from 'react-dom';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { PlantGrid } from '#client/features/garden/grid/plant-grid.tsx';
import { UndoWaterings } from '#client/features/garden/water/undo-waterings.tsx';
import { addWatering, addWaterings } from '#client/store/outbox/waterings.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { LiveRegion } from '#client/ui/feedback/screen-reader.tsx';
import { countPlants } from '#domain/plant/filter.ts';
import { defaultZone } from '#domain/zone.ts';
import { violationsInBothThemes } from '../../../../support/component/accessibility.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { resizeScreen } from '../../../../support/component/browser.ts';
import { button } from '../../../../support/component/form.ts';
import {
  announced,
  dialog,
  monty,
  plantCard,
  pullPlants,
  shownPlants,
  storePlant,
  wateredAgo,
  zed,
} from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { render } from '../../../../support/component/render.tsx';
import { blockTable } from '../../../../support/device/block-table.ts';
import { smallTargets } from '../../../../support/layout.ts';
import { inDashboard } from '../../support/in-dashboard.tsx';
import { plantView } from '../support/plant-view.ts';

let db: DeviceDb;
beforeEach(async () => {
  vi.setSystemTime(Date.UTC(2026, 10, 20, 5));
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty(), zed(), zed({ id: 'ruby', nickname: 'Ruby' })]);
});
afterEach(() => vi.useRealTimers());

const notice = page.getByRole('region', { name: 'Notice' });
const watered = async () => (await db.outbox.toArray()).map(({ entity }) => entity).sort();

test('the dashboard waters the plants of its filter after a confirmation with their number, and Undo removes all the waterings', async () => {
  await openApp('/dashboard');
  await page.getByLabelText('Filter plants').selectOptions('Needs Water');
  await button('Water all 2').click();
  await expect.element(dialog('Water All')).toHaveTextContent('you have just watered 2 plants?');
  expect(await violationsInBothThemes()).toEqual([]);
  expect(smallTargets()).toEqual([]);
  await button('Water 2 Plants').click();
  await expect.poll(watered).toEqual(['ruby', 'zed']);
  await expect.poll(announced).toBe('2 plants watered, with ten seconds to undo it');
  await page.getByLabelText('Filter plants').selectOptions('All');
  await expect.element(plantCard('Zed').getByText('Waiting to be sent')).toBeVisible();
  await expect.element(notice.getByText('2 plants watered')).toBeVisible();
  expect(await violationsInBothThemes()).toEqual([]);
  await notice.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(watered).toEqual([]);
  await expect.element(notice).not.toBeInTheDocument();
  await expect.element(plantCard('Zed').getByText('Water now!')).toBeVisible();
  await expect.poll(announced).toBe('Watering of 2 plants undone');
});

test.each([
  [['zed'], '3 plants watered, with ten seconds to undo 2 of them'],
  [['monty', 'ruby', 'zed'], '3 plants watered'],
])(
  'after separate waterings of %j it is announced how many of the three waterings can be undone',
  async (earlier, announcement) => {
    for (const key of earlier) await addWatering(db, key, Date.now());
    await openApp('/dashboard');
    await button('Water all 3').click();
    await button('Water 3 Plants').click();
    await expect.poll(announced).toBe(announcement);
    expect(await watered()).toEqual(['monty', 'ruby', 'zed']);
  },
);

test('cancelling waters nothing and returns the focus', async () => {
  await openApp('/dashboard');
  await button('Water all 3').click();
  await dialog('Water All').getByRole('button', { name: 'Cancel' }).click();
  await expect.element(dialog('Water All')).not.toBeInTheDocument();
  await expect.element(button('Water all 3')).toHaveFocus();
  expect(await watered()).toEqual([]);
});

test.each([true, false])(
  'the plants found by a search can be watered together only if all plants have been loaded: %s',
  async (isComplete) => {
    const ferns = ['a', 'b', 'c'].map((id) => plantView({ id, nickname: `Fern ${id}` }));
    const plants = [
      ...ferns,
      plantView({ id: 'd', nickname: 'Ivy', plant_name: 'Ivy', species: 'Ivy' }),
    ];
    const counts = countPlants(
      plants.map(({ plant }) => plant),
      Date.now(),
      defaultZone,
    );
    const grid = <PlantGrid {...{ plants, counts, isComplete }} now={Date.now()} />;
    const screen = await render(inDashboard(grid));
    onTestFinished(() => screen.unmount());
    await page.getByLabelText('Search plants').fill('fern');
    await expect.element(page.getByRole('heading', { name: 'All Plants (3)' })).toBeVisible();
    const offers = page.getByRole('button', { name: /^Water all/ });
    expect(offers.elements()).toHaveLength(isComplete ? 1 : 0);
  },
);

test('the dialog stays open while the waterings are being stored', async () => {
  await openApp('/dashboard');
  await button('Water all 3').click();
  const { release } = await blockTable(db.outbox);
  await button('Water 3 Plants').click();
  await expect.element(dialog('Water All').getByText('Watering...')).toBeVisible();
  // The waterings are stored all the same.
  await expect.element(dialog('Water All').getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('Water All').getByText('Watering...')).toBeVisible();
  await release();
  await expect.element(dialog('Water All')).not.toBeInTheDocument();
  await expect.poll(watered).toEqual(['monty', 'ruby', 'zed']);
});

test('a plant that leaves the list while the dialog is open is watered too, so that the number is the confirmed one', async () => {
  await openApp('/dashboard');
  await page.getByLabelText('Filter plants').selectOptions('Needs Water');
  await button('Water all 2').click();
  await expect.element(dialog('Water All')).toBeVisible();
  await storePlant(db, zed(wateredAgo(0, 14)));
  await expect.poll(shownPlants).toEqual(['Ruby']);
  await button('Water 2 Plants').click();
  await expect.poll(watered).toEqual(['ruby', 'zed']);
});

test('the schedule waters all its plants', async () => {
  await openApp('/dashboard/schedule');
  await button('Water all 3').click();
  await button('Water 3 Plants').click();
  await expect.poll(watered).toEqual(['monty', 'ruby', 'zed']);
});

test('the offer to undo disappears after ten seconds', async () => {
  await openApp('/dashboard');
  await button('Water all 3').click();
  await button('Water 3 Plants').click();
  await expect.element(notice.getByText('3 plants watered')).toBeVisible();
  vi.setSystemTime(Date.now() + 10_000);
  // Simulates that sync has sent one of the waterings, so that the offer is rendered again.
  await db.outbox.where('entity').equals('monty').delete();
  await expect.element(notice).not.toBeInTheDocument();
});

/**
 * Waters two plants and shows the offer to undo it. Clock and timers advance only by `vi` and `expect`. Returns when
 * the plants were watered.
 */
async function showOffer(): Promise<number> {
  const tappedAt = Date.now();
  await addWaterings(db, ['ruby', 'zed'], tappedAt);
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: tappedAt });
  const screen = await render(
    <>
      <UndoWaterings />
      <LiveRegion />
    </>,
  );
  onTestFinished(() => screen.unmount());
  await expect.element(button('Undo')).toBeVisible();
  // The timer that ends the offer is started after the paint.
  await expect.poll(vi.getTimerCount).toBeGreaterThan(0);
  return tappedAt;
}

test('the offer to undo disappears after ten seconds even if nothing else changes', async () => {
  const tappedAt = await showOffer();
  // An update in flushSync is rendered before it returns.
  flushSync(() => vi.advanceTimersByTime(tappedAt + 9_999 - Date.now()));
  expect(button('Undo').elements()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await expect.element(button('Undo')).not.toBeInTheDocument();
});

test('Undo that is tapped too late keeps the waterings and says so', async () => {
  await showOffer();
  // The timer that removes the offer is late, as on a phone that was asleep.
  vi.setSystemTime(Date.now() + 10_000);
  (button('Undo').element() as HTMLElement).click();
  await expect.poll(announced).toBe('Too late to undo');
  expect(await watered()).toEqual(['ruby', 'zed']);
});

test('waterings whose time to undo is over are neither counted nor undone', async () => {
  await openApp('/dashboard');
  await page.getByLabelText('Filter plants').selectOptions('Needs Water');
  await button('Water all 2').click();
  await button('Water 2 Plants').click();
  await expect.element(notice.getByText('2 plants watered')).toBeVisible();
  vi.setSystemTime(Date.now() + 60_000);
  await page.getByLabelText('Filter plants').selectOptions('All');
  await button('Water all 3').click();
  await button('Water 3 Plants').click();
  await expect.element(notice.getByText('1 plant watered')).toBeVisible();
  await notice.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(announced).toBe('Watering of 1 plant undone');
  expect(await watered()).toEqual(['ruby', 'zed']);
});

test.each([320, 390, 768, 1440])(
  'at a width of %d px Water all causes no sideways scrolling, and it is not offered for a single plant',
  async (width) => {
    await resizeScreen(width);
    await openApp('/dashboard');
    await expect.element(button('Water all 3')).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    await page.getByLabelText('Search plants').fill('monty');
    await expect.element(page.getByRole('button', { name: /^Water all/ })).not.toBeInTheDocument();
  },
);
