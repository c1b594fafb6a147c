import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { handleUnauthorized } from '#client/session/session.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { violationsInBothThemes } from '../../../../support/component/accessibility.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { resizeScreen } from '../../../../support/component/browser.ts';
import { button } from '../../../../support/component/form.ts';
import {
  acceptNext,
  announced,
  dialog,
  hourMs,
  monty,
  plantCard,
  pullPlants,
  pullReadings,
  readingAgo,
  setSync,
  shownPlants,
  storePlant,
  wateredAgo,
} from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { plantRecord } from '../../../../support/device/device-rows.ts';
import { smallTargets } from '../../../../support/layout.ts';

let db: DeviceDb;
beforeEach(async () => {
  // Noon in UTC+7, so that a watering 11.5 hours ago was on the same day.
  vi.setSystemTime(Date.UTC(2026, 10, 20, 5));
  fakeApi();
  db = await signInAs();
});
afterEach(() => vi.useRealTimers());

/** Advances the clock and makes the screens read it at once, as when somebody returns to the page. */
function passTime(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
  document.dispatchEvent(new Event('visibilitychange'));
}

/** A plant watered `hours` hours ago. Its first letter sets `date_added`, by which plants are sorted. */
function plant(nickname: string, hours: number, changes: Partial<PlantRecord> = {}): PlantRecord {
  const { watering_frequency = 7 } = changes;
  const date_added = new Date(Date.UTC(2026, 0, nickname.charCodeAt(0))).toISOString();
  const watered = wateredAgo(hours * hourMs, Number(watering_frequency));
  const id = nickname.toLowerCase();
  const own = { id, nickname, plant_name: 'Test Fern', species: 'Fern', watering_frequency };
  return plantRecord({ ...own, date_added, ...watered, ...changes });
}

/** Seven plants that differ in what the screens distinguish: need of water, health, category and auto-watering. */
const garden = () => [
  plant('Alma', 44.5, { species: 'Monstera deliciosa' }),
  plant('Bruno', 240, { species: 'golden POTHOS', category: 'Outdoor', health_status: 'Critical' }),
  plant('Carla', 3.5, { watering_frequency: 1, health_status: 'Warning' }),
  plant('Dora', 1, { category: 'Herb', watering_frequency: 3, auto_watering_enabled: true }),
  plant('Emil', 172, {
    plant_name: 'Little Oak',
    category: 'Outdoor',
    auto_watering_enabled: true,
  }),
  plant('Flora', 11, { category: 'Outdoor', watering_frequency: 14, auto_watering_enabled: true }),
  plant('Gus', 11.5, { watering_frequency: 5, auto_watering_enabled: true }),
];

const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const tile = (label: string) =>
  [...document.querySelectorAll('dl div')]
    .find((one) => one.querySelector('dt')?.textContent === label)
    ?.querySelector('dd')?.textContent;

test.each([
  ['/dashboard', 'Loading dashboard data...', 'Failed to load dashboard data'],
  ['/dashboard/plants', 'Loading plants...', 'Failed to load plants data'],
  ['/dashboard/schedule', 'Loading plants...', 'Failed to load watering schedule'],
  ['/dashboard/analytics?plant=anyone', 'Loading plant...', 'Failed to load plant data'],
])(
  '%s says what it is loading or could not load, and its retry button shows that a retry is running',
  async (path, loading, failed) => {
    await openApp(path);
    await expect.element(page.getByText(loading)).toBeVisible();
    await setSync(db, { pullError: 'Out of order', connectivity: 'unreachable' });
    await expect.element(page.getByRole('alert').filter({ hasText: failed })).toBeVisible();
    expect(await violationsInBothThemes()).toEqual([]);
    await button('Try Again').click();
    await expect.poll(() => db.syncState.get('request')).toBeDefined();
    const retrying = button('Trying again...');
    await expect.element(retrying).toHaveFocus();
    await setSync(db, { pullError: 'Out of order', pullFailedAt: Date.now() });
    await expect.element(button('Try Again')).toHaveFocus();
  },
);

test.each([
  ['/dashboard', () => page.getByRole('main')],
  ['/dashboard/schedule', () => page.getByRole('main')],
  ['/dashboard/analytics?plant=monty', () => dialog('Monty')],
])('on %s a retry that loads the plants keeps the focus on the screen', async (path, screen) => {
  await openApp(path);
  await setSync(db, { pullError: 'Out of order', connectivity: 'unreachable' });
  await button('Try Again').click();
  await pullPlants(db, [monty()]);
  await expect.element(button('Trying again...')).not.toBeInTheDocument();
  await expect.element(page.getByText('Monty').first()).toBeVisible();
  expect(screen().element().contains(document.activeElement)).toBe(true);
});

test.each([
  ['/dashboard', 'No Plants Yet', 'Add Your First Plant'],
  ['/dashboard/plants', 'No Plants Yet', 'Add My First Plant'],
  ['/dashboard/schedule', 'No Plants to Schedule', null],
])(
  '%s says that there are no plants and, where plants can be added, offers to add the first one',
  async (path, title, add) => {
    await pullPlants(db, []);
    await openApp(path);
    await expect.element(heading(title)).toBeVisible();
    expect(await violationsInBothThemes()).toEqual([]);
    if (!add) return;
    await expect
      .element(page.getByText('No plants in your collection yet.', { exact: true }))
      .toBeVisible();
    await button(add).click();
    await expect.element(dialog('Add New Plant')).toBeVisible();
  },
);

test('the four tiles count plants as they arrive', async () => {
  await openApp('/dashboard');
  await pullPlants(db, garden());
  await expect.element(plantCard('Alma')).toBeVisible();
  await expect.poll(() => tile('Total Plants')).toBe('7');
  expect(['Needs Water', 'Needs Attention', 'Auto-Watered Today'].map(tile)).toEqual([
    '2',
    '1',
    '3',
  ]);
  expect(document.querySelectorAll('dl div')).toHaveLength(4);
});

test('each filter shows its count in the menu and its plants under its name, and the search finds plants within the filter', async () => {
  await pullPlants(db, garden());
  await openApp('/dashboard');
  await expect.element(plantCard('Alma')).toBeVisible();
  const shown = [
    ['All', 'All Plants', ['Alma', 'Bruno', 'Carla', 'Dora', 'Emil', 'Flora', 'Gus']],
    ['Needs Water', 'Needs Water', ['Bruno', 'Emil']],
    ['Needs Attention', 'Needs Attention', ['Bruno']],
    ['Auto-Watering', 'Auto-Watering', ['Dora', 'Emil', 'Flora', 'Gus']],
    ['Indoor', 'Indoor', ['Alma', 'Carla', 'Gus']],
    ['Outdoor', 'Outdoor', ['Bruno', 'Emil', 'Flora']],
  ] as const;
  const filter = page.getByLabelText('Filter plants');
  const options = filter.getByRole('option').elements();
  expect(options.map((one) => one.textContent)).toEqual(
    shown.map(([name, _, plants]) => `${name} (${plants.length})`),
  );
  for (const [name, title, plants] of shown) {
    await filter.selectOptions(name);
    await expect.element(heading(`${title} (${plants.length})`)).toBeVisible();
    await expect.poll(shownPlants).toEqual(plants);
  }
  await filter.selectOptions('All');
  const search = page.getByLabelText('Search plants');
  for (const [typed, found] of [
    ['FLO', ['Flora']],
    ['little oak', ['Emil']],
    ['pothos', ['Bruno']],
  ] as const) {
    await search.fill(typed);
    await expect.poll(shownPlants).toEqual(found);
  }
  await filter.selectOptions('Indoor');
  await expect.element(page.getByText('No plants match your search criteria.')).toBeVisible();
  await expect.element(heading('Indoor (0)')).toBeVisible();
});

test('what a search or a filter has found is announced, but not a plant that leaves the filter', async () => {
  await pullPlants(db, garden());
  await openApp('/dashboard');
  await expect.element(plantCard('Gus')).toBeInTheDocument();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const announcedAfterPause = async () => {
    vi.advanceTimersByTime(1_000);
    await new Promise(requestAnimationFrame);
    return announced();
  };
  expect(await announcedAfterPause()).toBe('');
  const search = page.getByLabelText('Search plants');
  await search.fill('zzz');
  await expect.poll(announcedAfterPause).toBe('No plants match your search criteria.');
  await search.fill('flo');
  await expect.poll(announcedAfterPause).toBe('1 plant found');
  await search.clear();
  await expect.poll(announcedAfterPause).toBe('7 plants found');
  await page.getByLabelText('Filter plants').selectOptions('Needs Water');
  await expect.poll(announcedAfterPause).toBe('2 plants found');
  await storePlant(db, plant('Bruno', 0));
  await expect.element(heading('Needs Water (1)')).toBeVisible();
  expect(await announcedAfterPause()).toBe('2 plants found');
});

test.each([
  [390, 1],
  [600, 2],
  [1000, 3],
  [1440, 4],
])('on a screen %d pixels wide the cards are laid out in %d columns', async (width, columns) => {
  await pullPlants(db, garden());
  await resizeScreen(width);
  // Opens the sidebar, as on a first visit. Wide screens have room for it; on a phone it covers the cards.
  window.localStorage.setItem('sprig.sidebar-open', '1');
  await openApp('/dashboard');
  await expect.element(plantCard('Alma')).toBeInTheDocument();
  const lefts = () =>
    [...document.querySelectorAll('article')].map((card) => card.getBoundingClientRect().x);
  await expect.poll(() => new Set(lefts()).size).toBe(columns);
});

test('a change of one plant renders only its own card again', async () => {
  await pullPlants(db, garden());
  await openApp('/dashboard');
  await expect.element(plantCard('Gus')).toBeInTheDocument();
  // React gives an element a new props object whenever its component renders again.
  const propsOf = (element: Element) =>
    Object.entries(element).find(([name]) => name.startsWith('__reactProps'))?.[1];
  const before = [...document.querySelectorAll('article')].map((card) => [card, propsOf(card)]);
  const repainted = () =>
    before
      .filter(([card, props]) => propsOf(card) !== props)
      .map(([card]) => card.querySelector('h3')?.textContent);
  await button('Water Now: Bruno').click();
  await acceptNext(db, plant('Bruno', 0));
  await expect.element(plantCard('Bruno').getByText('In 7 days')).toBeVisible();
  await expect.element(button('Water Now: Bruno')).toBeVisible();
  passTime(60_000);
  // React renders the new time in a microtask.
  await new Promise((resolve) => setTimeout(resolve));
  expect(repainted()).toEqual(['Bruno']);
});

test('a plant becomes due as time passes: its card shows it, and the tile and the filter count it', async () => {
  await pullPlants(db, garden());
  await openApp('/dashboard');
  await expect.element(plantCard('Carla').getByText('Tomorrow', { exact: true })).toBeVisible();
  expect(tile('Needs Water')).toBe('2');
  passTime(21 * hourMs);
  await expect.element(plantCard('Carla').getByText('Water now!')).toBeVisible();
  await expect.poll(() => tile('Needs Water')).toBe('3');
  await expect.element(page.getByLabelText('Filter plants')).toHaveTextContent('Needs Water (3)');
});

test('Water Now on a card waters the plant without opening it, and a tap elsewhere on the card opens it', async () => {
  await pullPlants(db, garden());
  const app = await openApp('/dashboard');
  await button('Water Now: Bruno').click();
  await acceptNext(db, plant('Bruno', 0));
  await expect.poll(announced).toBe('Bruno watered');
  expect(app.url()).toBe('/dashboard');
  await plantCard('Bruno').click({ position: { x: 50, y: 50 } });
  await expect.element(dialog('Bruno')).toBeVisible();
});

test('a plant can be watered with the keyboard alone, and the watering is announced', async () => {
  await pullPlants(db, [plant('Bruno', 240)]);
  await openApp('/dashboard');
  await expect.element(button('Water Now: Bruno')).toBeVisible();
  const isReached = () => document.activeElement === button('Water Now: Bruno').element();
  for (let presses = 0; presses < 40 && !isReached(); presses++) await userEvent.keyboard('{Tab}');
  await userEvent.keyboard('{Enter}');
  await acceptNext(db, plant('Bruno', 0));
  await expect.poll(announced).toBe('Bruno watered');
});

test('cards are accessible in both themes, and every touch target is at least 44 pixels high and wide', async () => {
  const plants = garden();
  await pullPlants(db, plants);
  for (const { id } of plants) await pullReadings(db, String(id), [readingAgo(0)]);
  await openApp('/dashboard');
  await expect.element(plantCard('Gus')).toBeInTheDocument();
  expect(await violationsInBothThemes()).toEqual([]);
  expect(smallTargets()).toEqual([]);
});

test('after the end of the session the list can show more cards until the sign-in is loaded', async () => {
  await pullPlants(db, garden());
  await openApp('/dashboard');
  const filters = page.getByLabelText('Filter plants');
  await filters.selectOptions('Auto-Watering');
  await expect.element(plantCard('Alma')).not.toBeInTheDocument();
  const errors = vi.spyOn(console, 'error');
  onTestFinished(() => errors.mockRestore());
  const select = filters.element();
  if (!(select instanceof HTMLSelectElement)) throw new Error('no select');
  await handleUnauthorized('a.b.c');
  select.value = 'All';
  select.dispatchEvent(new Event('change', { bubbles: true }));
  await expect.element(button('Sign In')).toBeVisible();
  expect(errors).not.toHaveBeenCalled();
});
