import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { emulateMedia, resizeScreen, themeColor } from '../../../../support/component/browser.ts';
import { button } from '../../../../support/component/form.ts';
import {
  acceptNext,
  announced,
  dialog,
  monty,
  pullPlants,
  storePlant,
  wateredAgo,
  zed,
} from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { leftOfCharacter } from '../../../../support/layout.ts';

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty(), zed()]);
});

const details = (nickname: string) => page.getByRole('link', { name: `Details of ${nickname}` });
const missing = () => dialog().getByText('This plant is not in your collection');

test.each([
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['its button', () => button('Close dialog').click()],
])(
  'closing the dialog with %s returns the focus and leaves no entry in the browser history',
  async (_, close) => {
    const app = await openApp('/dashboard/analytics');
    await app.navigate('/dashboard');
    await details('Zed').click();
    await page.getByRole('tab', { name: 'Care Settings' }).click();
    await expect.poll(() => app.url()).toBe('/dashboard?plant=zed&tab=care');
    await close();
    await expect.element(dialog()).not.toBeInTheDocument();
    await expect.element(details('Zed')).toHaveFocus();
    app.goBack();
    await expect.poll(() => app.url()).toBe('/dashboard/analytics');
  },
);

test('on the schedule, a URL with ?plant= and &tab= opens the dialog at that tab, Close returns to the schedule, and the link of a plant opens its dialog', async () => {
  const app = await openApp('/dashboard/schedule?plant=monty&tab=care');
  const panel = page.getByRole('tabpanel', { name: 'Care Settings' });
  await expect.element(panel.getByText('Every 7 days')).toBeVisible();
  await expect.element(panel.getByText('18–31 °C').first()).toBeVisible();
  await panel.getByRole('button', { name: 'Close' }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(app.url()).toBe('/dashboard/schedule');
  await page.getByRole('link', { name: 'Monty' }).click();
  await expect.element(dialog('Monty')).toBeVisible();
  expect(app.url()).toBe('/dashboard/schedule?plant=monty');
});

test('after a link from outside opened the dialog, closing it moves the focus to the link of the plant', async () => {
  await openApp('/dashboard/schedule?plant=monty');
  await expect.element(dialog('Monty')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(page.getByRole('link', { name: 'Monty' })).toHaveFocus();
});

test('the button that deletes a plant has the danger colour', async () => {
  await openApp('/dashboard?delete=monty');
  await expect.element(button('Delete Plant')).toBeVisible();
  expect(getComputedStyle(button('Delete Plant').element()).backgroundColor).toBe(
    themeColor('danger'),
  );
});

test('a link to a plant that does not exist shows a message', async () => {
  const app = await openApp('/dashboard/analytics?plant=no-such-plant');
  await expect.element(missing()).toBeVisible();
  await button('Close').click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(app.url()).toBe('/dashboard/analytics');
});

test.each(['?plant={"a":1}', '?plant=null&tab=[1]', '?form=true&delete={}&devices=9'])(
  'invalid search params open no dialog and cause no error: %s',
  async (search) => {
    await openApp(`/dashboard${search}`);
    await expect.element(details('Monty')).toBeInTheDocument();
    expect(dialog().elements()).toHaveLength(0);
  },
);

test.each([
  ['?plant=monty', 'Edit Plant', '?form=monty'],
  ['?plant=monty&tab=care', 'Edit Plant', '?form=monty'],
  ['?plant=monty', 'Delete', '?delete=monty'],
  ['?plant=monty', 'Reminders', '?reminders=monty'],
])('at %s the button %s leads to the URL of its dialog', async (from, name, to) => {
  const app = await openApp(`/dashboard/plants${from}`);
  await dialog('Monty').getByRole('button', { name }).click();
  await expect.poll(() => app.url()).toBe(`/dashboard/plants${to}`);
});

test.each([
  ['Edit Plant', 'Cancel'],
  ['Delete', 'Cancel'],
  ['Reminders', 'Cancel'],
])(
  'closing the dialog that %s opens returns the focus to the link of the plant',
  async (name, close) => {
    await openApp('/dashboard');
    // The second time, the code of the dialog is loaded already.
    for (const _ of [1, 2]) {
      await details('Monty').click();
      await dialog('Monty').getByRole('button', { name }).click();
      await dialog().getByRole('button', { name: close }).click();
      await expect.element(dialog()).not.toBeInTheDocument();
      await expect.element(details('Monty')).toHaveFocus();
    }
  },
);

test('Water Now in the dialog queues one watering, changes the next date and announces the watering', async () => {
  await openApp('/dashboard/schedule?plant=zed');
  await expect.element(dialog().getByText('Water now!')).toBeVisible();
  await dialog().getByRole('button', { name: 'Water Now: Zed' }).click();
  await expect.element(dialog().getByText('In 14 days')).toBeVisible();
  const queued = await db.outbox.toArray();
  expect(queued).toMatchObject([{ type: 'water', entity: 'zed' }]);
  await acceptNext(db, zed(wateredAgo(0, 14)));
  await expect.poll(announced).toBe('Zed watered');
  await expect.element(dialog().getByText('In 14 days')).toBeVisible();
});

test('an edit elsewhere, a note of automatic watering and a deletion show in the open dialog', async () => {
  await openApp('/dashboard/analytics?plant=monty');
  await expect.element(dialog().getByText('No notes yet.')).toBeVisible();
  const note = { description: 'By the door', auto_watering_note: 'Not watered: the pump rests' };
  await storePlant(db, monty({ ...note, auto_watering_enabled: true }));
  await expect.element(dialog().getByText('Not watered: the pump rests')).toBeVisible();
  await expect.element(dialog().getByText('By the door')).toBeVisible();
  await db.plants.delete('monty');
  await expect.element(missing()).toBeVisible();
});

test('an open plant is printed in full, without the screen behind it', async () => {
  await resizeScreen(800, 600);
  await openApp('/dashboard?plant=monty');
  const panel = page.getByRole('tabpanel', { name: 'Overview' });
  await expect.element(panel.getByText('Every 7 days')).toBeVisible();
  expect(panel.element().scrollHeight).toBeGreaterThan(panel.element().clientHeight);
  await emulateMedia({}, 'print');
  await expect.element(panel.getByText('Every 7 days')).toBeVisible();
  const [bottom, end] = [dialog(), panel].map(
    (part) => part.element().getBoundingClientRect().bottom,
  );
  expect(panel.element().scrollHeight).toBe(panel.element().clientHeight);
  expect(bottom).toBeGreaterThanOrEqual(end ?? Number.NaN);
  expect(document.documentElement.scrollHeight).toBeGreaterThanOrEqual(Math.floor(bottom ?? 0));
  expect(document.querySelector('main')?.checkVisibility()).toBe(false);
});

test('the last character of a text in a right-to-left script is at its left end', async () => {
  await pullPlants(db, [monty({ description: 'להשקות בבוקר!', location: 'סלון (מזרח)' })]);
  await openApp('/dashboard?plant=monty');
  const overview = page.getByRole('tabpanel', { name: 'Overview' });
  for (const text of ['להשקות בבוקר!', 'סלון (מזרח)']) {
    const element = overview.getByText(text, { exact: true });
    await expect.element(element).toBeVisible();
    expect(leftOfCharacter(element.element(), -1)).toBeLessThan(
      leftOfCharacter(element.element(), 0),
    );
  }
});
