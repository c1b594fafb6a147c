import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { fakeApi } from '../../../support/component/api.ts';
import { stopClock } from '../../../support/component/clock.ts';
import { button } from '../../../support/component/form.ts';
import { announced, dialog, monty, pullPlants, zed } from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';

let db: DeviceDb;
beforeEach(async () => {
  stopClock();
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty(), zed()]);
});

const soilIsWet = (nickname: string) =>
  page.getByRole('button', { name: `Soil is still wet: ${nickname}` });

test.each([
  ['a card', '/dashboard/plants', () => page],
  ['the schedule', '/dashboard/schedule', () => page],
  ['the details', '/dashboard?plant=zed', () => dialog('Zed')],
])('in %s a due plant is snoozed, and due again after undo', async (_, url, part) => {
  await openApp(url);
  const snooze = part().getByRole('button', { name: 'Soil is still wet: Zed' });
  await snooze.click();
  const days = page.getByRole('menuitem');
  expect(days.elements().map(({ textContent }) => textContent?.trim())).toEqual(
    expect.arrayContaining(['Ask again in 1 day', 'Ask again in 2 days', 'Ask again in 7 days']),
  );
  await page.getByRole('menuitem', { name: 'Ask again in 3 days' }).click();
  await expect.element(snooze).not.toBeInTheDocument();
  await expect.poll(announced).toBe('Zed snoozed for 3 days, with ten seconds to undo it');
  expect(await db.outbox.toArray()).toMatchObject([
    { type: 'add_entry', entity: 'zed', entry: { type: 'snoozed', days: 3 } },
  ]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(snooze).toBeVisible();
  expect(await db.outbox.count()).toBe(0);
});

test.each([
  ['the screen', '/dashboard/plants', () => page.getByRole('main')],
  ['the history', '/dashboard?plant=zed&tab=history', () => dialog('Zed').getByRole('tabpanel')],
])('after Undo with the keyboard the focus is in %s', async (_, url, part) => {
  await openApp(url);
  if (url.includes('history')) {
    await page.getByRole('button', { name: 'Add entry' }).click();
    await page.getByRole('menuitem', { name: 'Fertilized' }).click();
  } else {
    await soilIsWet('Zed').click();
    await page.getByRole('menuitem', { name: 'Ask again in 3 days' }).click();
  }
  const undo = button('Undo');
  await expect.element(undo).toBeVisible();
  (undo.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(undo).not.toBeInTheDocument();
  expect(part().element().contains(document.activeElement)).toBe(true);
});

test('a plant that is not due cannot be snoozed', async () => {
  await openApp('/dashboard/plants');
  await expect.element(soilIsWet('Zed')).toBeVisible();
  await expect.element(soilIsWet('Monty')).not.toBeInTheDocument();
});

test.each(['Overview', 'Care Settings'])(
  'in the dialog of a plant, Undo can be reached with the keyboard on the tab %s',
  async (tab) => {
    await openApp('/dashboard?plant=zed');
    await dialog('Zed').getByRole('button', { name: 'Soil is still wet: Zed' }).click();
    await page.getByRole('menuitem', { name: 'Ask again in 3 days' }).click();
    await page.getByRole('tab', { name: tab }).click();
    const undo = button('Undo');
    await expect.element(undo).toBeVisible();
    (button('Close dialog').element() as HTMLElement).focus();
    // The focus moves in a circle, so the last control of the dialog is before the first.
    await userEvent.tab({ shift: true });
    await expect.element(undo).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(undo).not.toBeInTheDocument();
    await expect.poll(() => db.outbox.count()).toBe(0);
  },
);
