import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { button } from '../../../../support/component/form.ts';
import {
  acceptNext,
  dayMs,
  dialog,
  monty,
  pullPlants,
  setSync,
  shownPlants,
  storePlant,
  wateredAgo,
  zed,
} from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';

/** A plant that is due, the earlier the shorter its name is. */
const due = (nickname: string) =>
  zed({
    id: nickname.toLowerCase(),
    nickname,
    date_added: `2026-01-0${nickname.length}T00:00:00Z`,
  });
const names = ['Al', 'Bea', 'Carl'];
const waterNow = (nickname: string) => button(`Water Now: ${nickname}`);
const soilIsWet = (nickname: string) => button(`Soil is still wet: ${nickname}`);

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [...names.map(due), monty()]);
});

async function openNeedsWater(): Promise<void> {
  await openApp('/dashboard');
  await page.getByLabelText('Filter plants').selectOptions('Needs Water');
  await expect.poll(shownPlants).toEqual(names);
}

async function focus(control: Locator): Promise<void> {
  await expect.element(control).toBeVisible();
  const element = control.element() as HTMLElement;
  // A button that the app has just focused ignores presses for a moment; losing the focus ends that.
  element.blur();
  element.focus();
}

/** Focuses a control and presses keys. */
async function press(control: Locator, keys = '{Enter}'): Promise<void> {
  await focus(control);
  await userEvent.keyboard(keys);
}

async function snooze(nickname: string): Promise<void> {
  await press(soilIsWet(nickname));
  await expect.element(page.getByRole('menuitem').first()).toHaveFocus();
  await userEvent.keyboard('{Enter}');
}

test.each(['online', 'offline'] as const)(
  'when a watered plant no longer matches the filter, the focus moves to the next Water Now, else to the previous one, else to the message (%s)',
  async (connectivity) => {
    await setSync(db, { pulledAt: Date.now(), connectivity });
    await openNeedsWater();
    await press(waterNow('Bea'));
    await expect.element(waterNow('Carl')).toHaveFocus();
    await press(waterNow('Carl'));
    await expect.element(waterNow('Al')).toHaveFocus();
    await press(waterNow('Al'));
    await expect.element(page.getByText('No plants match your search criteria.')).toHaveFocus();
    for (const name of ['Bea', 'Carl', 'Al']) {
      await acceptNext(db, { ...due(name), ...wateredAgo(0, 14) });
    }
  },
);

test('when a watered plant moves down the schedule, the focus moves to the plant that takes its place', async () => {
  await openApp('/dashboard/schedule');
  await expect.poll(shownPlants).toEqual(['Al', 'Bea', 'Carl', 'Monty']);
  await press(waterNow('Al'));
  await expect.element(waterNow('Bea')).toHaveFocus();
  await acceptNext(db, { ...due('Al'), ...wateredAgo(0, 14) });
  await expect.poll(shownPlants).toEqual(['Bea', 'Carl', 'Monty', 'Al']);
  await expect.element(waterNow('Al')).toBeEnabled();
  await expect.element(waterNow('Bea')).toHaveFocus();
});

test('when a plant above it is removed while a plant is being watered, the focus returns to its Water Now', async () => {
  await openApp('/dashboard/schedule');
  await press(waterNow('Monty'));
  await expect.element(page.getByText('Watering...')).toBeVisible();
  await db.plants.delete('bea');
  await expect.poll(shownPlants).toEqual(['Al', 'Carl', 'Monty']);
  await acceptNext(db, { ...monty(), ...wateredAgo(0, 14) });
  await expect.element(waterNow('Monty')).toHaveFocus();
});

test('when a snoozed plant no longer matches the filter, the focus moves to the same button of the next plant', async () => {
  await openNeedsWater();
  await snooze('Al');
  await expect.element(soilIsWet('Bea')).toHaveFocus();
});

test('when a change by another device removes the focused plant, the focus moves to the next plant', async () => {
  await openNeedsWater();
  await focus(waterNow('Bea'));
  await storePlant(db, { ...due('Bea'), ...wateredAgo(dayMs, 14) });
  await expect.element(waterNow('Carl')).toHaveFocus();
});

test.each([
  ['a card', '/dashboard/plants', 'Details of Bea'],
  ['the schedule', '/dashboard/schedule', 'Bea'],
])('in %s the focus stays at a plant that was snoozed', async (_, url, link) => {
  await openApp(url);
  await snooze('Bea');
  await expect.element(soilIsWet('Bea')).not.toBeInTheDocument();
  await expect.element(page.getByRole('link', { name: link, exact: true })).toHaveFocus();
});

test('in the details of a plant the focus stays in the dialog after a snooze', async () => {
  await openApp('/dashboard?plant=bea');
  const inDialog = dialog('Bea').getByRole('button', { name: 'Soil is still wet: Bea' });
  await press(inDialog);
  await expect.element(page.getByRole('menuitem').first()).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(inDialog).not.toBeInTheDocument();
  await expect.poll(() => dialog('Bea').element().contains(document.activeElement)).toBe(true);
});

test('a plant that no longer matches the filter does not move the focus if the person has tapped elsewhere', async () => {
  await openNeedsWater();
  await focus(waterNow('Bea'));
  await page.getByRole('heading', { name: /^Needs Water/ }).click();
  await storePlant(db, { ...due('Bea'), ...wateredAgo(dayMs, 14) });
  await expect.poll(shownPlants).toEqual(['Al', 'Carl']);
  await expect.element(waterNow('Carl')).not.toHaveFocus();
});

test('a second press, and a key that is held down, do not water the next plant', async () => {
  await openNeedsWater();
  const isIgnored = (target: EventTarget | null, repeat: boolean) => {
    const init = { key: 'Enter', repeat, bubbles: true, cancelable: true };
    return !target?.dispatchEvent(new KeyboardEvent('keydown', init));
  };
  let isSecondPressIgnored = false;
  const onFocusIn = ({ target }: FocusEvent) => {
    if (target === waterNow('Bea').query()) isSecondPressIgnored = isIgnored(target, false);
  };
  await focus(waterNow('Al'));
  document.addEventListener('focusin', onFocusIn);
  onTestFinished(() => document.removeEventListener('focusin', onFocusIn));
  await userEvent.keyboard('{Enter}');
  await expect.element(waterNow('Bea')).toHaveFocus();
  // Dispatches the repeated keydown by script, because on a slow machine userEvent's key counts as a new press.
  expect(isIgnored(waterNow('Bea').query(), true)).toBe(true);
  expect(isSecondPressIgnored).toBe(true);
  expect((await db.outbox.toArray()).map(({ entity }) => entity)).toEqual(['al']);
});

test('the focus also moves from a plant that got the focus right after the list was rendered', async () => {
  // The observer runs right after React's commit, before the effects that run after the paint.
  const observer = new MutationObserver(() => {
    const control = waterNow('Al').query();
    if (!(control instanceof HTMLElement)) return;
    observer.disconnect();
    control.focus();
  });
  onTestFinished(() => observer.disconnect());
  observer.observe(document.body, { subtree: true, childList: true });
  await openApp('/dashboard/schedule');
  await expect.element(waterNow('Al')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(waterNow('Bea')).toHaveFocus();
});
