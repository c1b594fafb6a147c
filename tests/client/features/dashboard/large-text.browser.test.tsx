import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { fakeApi } from '../../../support/component/api.ts';
import { resizeScreen } from '../../../support/component/browser.ts';
import { button } from '../../../support/component/form.ts';
import { monty, pullPlants } from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { journalEntry, journalRow, opRow } from '../../../support/device/device-rows.ts';
import { sidewaysParts } from '../../../support/layout.ts';
import { storePhoto } from '../../../support/photos/stored-photo.ts';

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  // A phone with text at 200 %: it is only half as many rem wide and high.
  await resizeScreen(195, 422);
  await pullPlants(db, [monty()]);
});

test('with text at 200 percent the photos of an entry fit into the history', async () => {
  const photo = await storePhoto(db, 'monty', { id: 'a', entry_id: 'b' });
  const entries = [journalEntry({ id: 'b', type: 'note', note: 'Two new leaves' })];
  await db.journal.put({ ...journalRow({ plantId: 'monty', entries }), photos: [photo] });
  await openApp('/dashboard?plant=monty&tab=history');
  const photos = page.getByRole('list', { name: 'Photos' });
  await expect.element(photos.getByRole('img')).toBeInTheDocument();
  expect(sidewaysParts()).toEqual([]);
});

test('with text at 200 percent the tabs of a plant are in two rows, and its facts fit below them', async () => {
  await openApp('/dashboard?plant=monty');
  await expect.element(page.getByRole('tab', { name: 'History' })).toBeVisible();
  const tabs = page.getByRole('tab').elements();
  expect(new Set(tabs.map((tab) => tab.getBoundingClientRect().top)).size).toBe(2);
  expect(sidewaysParts()).toEqual([]);
});

test('with text at 200 percent the value of a fact is on one line if it fits', async () => {
  await openApp('/dashboard?plant=monty&tab=care');
  const value = page.getByRole('definition').getByText('Every 7 days').first();
  await expect.element(value).toBeVisible();
  expect(value.element().getClientRects()).toHaveLength(1);
});

test('with text at 200 percent most of the screen is for the fields of the plant form', async () => {
  await openApp('/dashboard/plants?form=new');
  await expect.element(page.getByLabelText('Nickname')).toBeVisible();
  let part: Element | null = page.getByLabelText('Nickname').element();
  while (part && getComputedStyle(part).overflowY !== 'auto') part = part.parentElement;
  expect(part?.clientHeight).toBeGreaterThan(211);
  await button('Next').click();
  await expect.element(page.getByText('Nickname is required')).toBeInViewport();
});

test('with text at 200 percent the header shows no part of the text about changes', async () => {
  await db.outbox.add(opRow({ state: 'rejected', type: 'water', entity: 'monty' }));
  await openApp('/dashboard');
  await expect
    .element(button('1 change could not be saved, 1 not saved. Sync details'))
    .toBeVisible();
  await expect.element(page.getByText('1 not saved', { exact: true })).not.toBeVisible();
});

test('with text at 200 percent the dot of the bell is on the bell', async () => {
  await resizeScreen(390, 844);
  const { style } = document.documentElement;
  style.fontSize = '200%';
  onTestFinished(() => void style.removeProperty('font-size'));
  await openApp('/dashboard');
  await expect.element(button('Notifications')).toBeVisible();
  const [bell, dot] = ['svg', 'span'].map((part) =>
    button('Notifications').element().querySelector(part)?.getBoundingClientRect(),
  );
  if (!bell || !dot) throw new Error('No bell');
  const middle = [dot.left + dot.width / 2, dot.top + dot.height / 2] as const;
  expect(middle[0]).toBeLessThan(bell.right);
  expect(middle[1]).toBeGreaterThan(bell.top);
});
