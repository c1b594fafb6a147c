import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { fakeApi } from '../../../support/component/api.ts';
import { resizeScreen } from '../../../support/component/browser.ts';
import { button } from '../../../support/component/form.ts';
import {
  dayOfReadings,
  dialog,
  monty,
  plantCard,
  pullPlants,
  pullReadings,
  readingAgo,
  rejectNext,
  zed,
} from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { fillNames } from '../../../support/component/plant-form.ts';
import { opRow } from '../../../support/device/device-rows.ts';
import { sidewaysParts, smallTargets } from '../../../support/layout.ts';

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await resizeScreen(320, 640);
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const pullGarden = async () => {
  await pullPlants(db, [monty({ nickname: 'Professor Stripes' }), zed()]);
  await pullReadings(db, 'monty', dayOfReadings());
};

test.each([
  ['/dashboard', 'Dashboard'],
  ['/dashboard/plants', 'My Plants'],
  ['/dashboard/schedule', 'Watering Schedule'],
  ['/dashboard/analytics', 'AI Analytics'],
  ['/dashboard/notifications', 'Notifications'],
  ['/dashboard/articles', 'Plant Articles'],
])(
  '%s has one h1, whose text begins the document title, and nothing scrolls sideways',
  async (path, title) => {
    await pullGarden();
    await openApp(path);
    await expect.element(heading(title)).toBeVisible();
    if (/d$|plants$|schedule$/.test(path)) {
      await expect.element(page.getByRole('article').nth(1)).toBeInTheDocument();
    }
    expect(document.querySelectorAll('h1')).toHaveLength(1);
    expect(document.title).toBe(`${title} · Sprig`);
    expect(sidewaysParts()).toEqual([]);
  },
);

test.each([
  '/dashboard',
  '/dashboard/plants',
  '/dashboard/schedule',
  '/dashboard/notifications',
  '/dashboard/articles',
])(
  'on a phone zoomed to 200 percent nothing of %s is cut off or scrolls sideways, and the user menu opens',
  async (path) => {
    await resizeScreen(195, 422);
    await pullGarden();
    await openApp(path);
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (/d$|plants$|schedule$/.test(path)) {
      await expect.element(page.getByRole('article').nth(1)).toBeInTheDocument();
    }
    expect(sidewaysParts()).toEqual([]);
    await button('User menu').click();
    await expect.element(button('Sign Out')).toBeVisible();
  },
);

test('while a change waits, every touch target of the dashboard is at least 44 px high and wide, and nothing scrolls sideways', async () => {
  await pullGarden();
  await openApp('/dashboard');
  await button('Water Now: Zed').click();
  await expect
    .element(page.getByRole('button', { name: '1 change waiting, 1 waiting. Sync details' }))
    .toBeVisible();
  expect(smallTargets()).toEqual([]);
  expect(sidewaysParts()).toEqual([]);
});

test.each([320, 390])(
  'on a screen %i pixels wide the text about rejected changes makes no button of the header smaller and is not cut off',
  async (width) => {
    await resizeScreen(width);
    await pullGarden();
    const rejected = { state: 'rejected', type: 'water', entity: 'monty' } as const;
    await db.outbox.bulkAdd(
      Array.from({ length: 10 }, (_, i) => opRow({ ...rejected, seq: i + 1, opId: `op-${i}` })),
    );
    await openApp('/dashboard');
    const text = page.getByText('10 not saved');
    await expect.element(text).toBeVisible();
    expect(smallTargets()).toEqual([]);
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = text.element();
    expect([scrollWidth, scrollHeight]).toEqual([clientWidth, clientHeight]);
  },
);

test.each([
  ['the list of changes is', '/dashboard?changes=1', 'listitem'],
  ['the cards of plants are', '/dashboard', 'article'],
] as const)(
  'after the phone was turned upright, %s as wide as the screen',
  async (_, path, role) => {
    await resizeScreen(640, 320);
    await pullPlants(
      db,
      Array.from({ length: 40 }, (_, i) => zed({ id: `zed-${i}` })),
    );
    await db.outbox.bulkAdd(
      Array.from({ length: 40 }, (_, i) =>
        opRow({ seq: i + 1, opId: `op-${i}`, type: 'water', entity: `zed-${i}` }),
      ),
    );
    await openApp(path);
    const items = (role === 'article' ? page : dialog('Changes')).getByRole(role);
    const last = items.nth(39);
    await expect.element(last).toBeInTheDocument();
    const isRendered = () =>
      last.element().firstElementChild?.checkVisibility({ contentVisibilityAuto: true });
    last.element().scrollIntoView();
    await expect.poll(isRendered).toBe(true);
    items.nth(0).element().scrollIntoView();
    // The browser remembers how wide the item was when it was rendered last.
    await expect.poll(isRendered).toBe(false);
    await resizeScreen(320, 640);
    expect(sidewaysParts()).toEqual([]);
  },
);

test('the example in the search box is not cut off', async () => {
  await pullGarden();
  await openApp('/dashboard');
  await expect.element(page.getByLabelText('Search plants')).toBeVisible();
  const input = page.getByLabelText('Search plants').element();
  if (!(input instanceof HTMLInputElement)) throw new Error('No input');
  const { font, paddingLeft, paddingRight } = getComputedStyle(input);
  const canvas = new OffscreenCanvas(1, 1).getContext('2d');
  if (!canvas) throw new Error('No canvas');
  canvas.font = font;
  // The browser keeps room for the button that clears the text.
  const clearButton = 20;
  const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - clearButton;
  expect(canvas.measureText(input.placeholder).width).toBeLessThan(room);
});

test('on a phone 360 pixels wide the picture of a card does not overflow', async () => {
  await pullGarden();
  await resizeScreen(360, 640);
  await openApp('/dashboard');
  await expect.element(plantCard('Professor Stripes')).toBeVisible();
  expect(sidewaysParts()).toEqual([]);
});

test('no menu, tab of a plant or list of changes scrolls sideways', async () => {
  await pullGarden();
  await openApp('/dashboard');
  const check = (part: string) => expect(sidewaysParts(), part).toEqual([]);
  await expect.element(plantCard('Zed')).toBeInTheDocument();
  for (const menu of ['User menu', 'Notifications']) {
    await button(menu).click();
    await expect.element(page.getByRole('region', { name: menu })).toBeVisible();
    check(menu);
    await userEvent.keyboard('{Escape}');
  }
  await button('Toggle sidebar').click();
  check('the sidebar');
  await button('Toggle sidebar').click();
  await page.getByRole('link', { name: 'Details of Professor Stripes' }).click();
  for (const tab of ['Overview', 'Sensor Data', 'Care Settings', 'History']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect.element(page.getByRole('tabpanel', { name: tab })).toBeVisible();
    if (tab === 'Sensor Data') {
      await expect.element(page.getByRole('slider').nth(3)).toBeInTheDocument();
    }
    if (tab === 'History') await expect.element(button('Add entry')).toBeVisible();
    check(tab);
  }
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: /Sync details$/ }).click();
  await expect.element(dialog('Changes')).toBeVisible();
  check('the changes');
});

test.each([320, 360, 390])(
  'on a screen %i pixels wide no tab is narrower than its label',
  async (width) => {
    await pullGarden();
    await resizeScreen(width, 700);
    await openApp('/dashboard?plant=zed');
    await expect.element(page.getByRole('tab', { name: 'History' })).toBeVisible();
    expect(sidewaysParts()).toEqual([]);
  },
);

test('no step of the plant form scrolls sideways, even with long input or errors', async () => {
  await openApp('/dashboard/plants?form=new');
  const check = (part: string) => expect(sidewaysParts(), part).toEqual([]);
  await expect.element(page.getByLabelText('Nickname')).toBeVisible();
  check('step 1');
  await fillNames('x'.repeat(300));
  await button('Next').click();
  await expect.element(page.getByText('Must be at most 200 characters').first()).toBeVisible();
  check('step 1 with errors');
  await fillNames('x'.repeat(200));
  await button('Next').click();
  await expect.element(page.getByLabelText(/^Watering frequency/)).toBeVisible();
  check('step 2');
  await button('Next').click();
  await expect.element(page.getByLabelText(/^Device ID/)).toBeVisible();
  check('step 3');
  await button('Add Plant').click();
  await rejectNext(db, 'nickname: Too rude');
  await expect.element(page.getByRole('alert')).toBeVisible();
  check('a rejected change');
});

test.each(['/dashboard', '/dashboard/plants', '/dashboard/schedule'])(
  'on %s names of 10,000 characters or in another text direction keep cards below 600 px and cause no sideways scrolling',
  async (path) => {
    await resizeScreen(390);
    await pullPlants(db, [
      monty({ nickname: 'x'.repeat(10_000), plant_name: 'word '.repeat(2000) }),
      zed({ nickname: '\u202Edesrever', plant_name: 'نبتة (1)!' }),
    ]);
    await openApp(path);
    await expect.element(page.getByRole('article').nth(1)).toBeInTheDocument();
    for (const card of document.querySelectorAll('article')) {
      expect(card.getBoundingClientRect().height).toBeLessThan(600);
    }
    expect(document.documentElement.scrollWidth - window.innerWidth).toBe(0);
  },
);

test('the Delete Plant dialog isolates a name in another text direction in a bdi element', async () => {
  await pullPlants(db, [zed({ nickname: '\u202Edesrever' })]);
  await openApp('/dashboard/plants?delete=zed');
  await expect.element(dialog('Delete Plant')).toBeVisible();
  expect(dialog().element().querySelector('bdi')?.textContent).toBe('\u202Edesrever');
});

test.each([
  [0, 0],
  [27, 1],
])('a card has room for the longest readings, %d hours old', async (hours, silent) => {
  const longest = { soil_humidity: 99.9, air_humidity: 99.9, temperature: -10.5 };
  await pullPlants(db, [monty()]);
  await pullReadings(db, 'monty', [readingAgo(hours, { ...longest, luminance: 120_000 })]);
  await openApp('/dashboard');
  await expect.element(page.getByText('120,000 lux')).toBeVisible();
  expect(page.getByText(/ago$/).elements()).toHaveLength(silent);
  expect(sidewaysParts()).toEqual([]);
});

test('on a wide screen the facts of a card are in the columns of its readings', async () => {
  await resizeScreen(1440, 900);
  await pullGarden();
  await openApp('/dashboard');
  await expect.element(plantCard('Professor Stripes').getByText('Every 7 days')).toBeVisible();
  const lists = [...plantCard('Professor Stripes').element().querySelectorAll('ul')];
  const [readings, facts] = lists.map((list) => list.children[1]?.getBoundingClientRect().left);
  expect(facts).toBeCloseTo(readings ?? 0, 0);
});
