import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { violationsInBothThemes } from '../../../../support/component/accessibility.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { resizeScreen } from '../../../../support/component/browser.ts';
import { button } from '../../../../support/component/form.ts';
import {
  acceptNext,
  announced,
  dialog,
  monty,
  plantCard,
  pullPlants,
} from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty()]);
});

const reminders = () => dialog('Reminders');
const isOn = () => reminders().getByRole('switch', { name: 'Remind me about this plant' });
const time = () => reminders().getByLabelText('When');

async function openFromCard() {
  const app = await openApp('/dashboard/plants');
  await button('Actions for Monty').click();
  await page.getByRole('menuitem', { name: 'Reminders…' }).click();
  await expect.element(reminders()).toBeVisible();
  return app;
}

test('the menu of a card opens the reminders; Save queues one change, which the list of changes shows', async () => {
  const app = await openFromCard();
  expect(app.url()).toBe('/dashboard/plants?reminders=monty');
  await expect.element(isOn()).toBeChecked();
  await expect.element(time()).toHaveDisplayValue('When it is due');
  await time().selectOptions('2 days before due');
  await button('Save').click();
  await expect.element(reminders()).not.toBeInTheDocument();
  await expect.element(plantCard('Monty').getByText('Waiting to be sent')).toBeVisible();
  expect(await db.outbox.toArray()).toMatchObject([
    { type: 'update', entity: 'monty', edits: { reminder_days_before: 2 } },
  ]);
  await app.navigate('/dashboard/plants?changes=1');
  await expect.element(dialog().getByText('Edit Monty: reminder (days before)')).toBeVisible();
});

test('reminders that are turned off are shown as off in the details, and the change is announced', async () => {
  const app = await openFromCard();
  await isOn().click();
  await expect.element(time()).toBeDisabled();
  await button('Save').click();
  await app.navigate('/dashboard/plants?plant=monty');
  await expect.element(dialog().getByText('Off', { exact: true })).toBeVisible();
  const op = (await db.outbox.toArray())[0];
  expect(op?.edits).toEqual({ reminder_enabled: false });
  await acceptNext(db, monty({ reminder_enabled: false }));
  await expect.poll(announced).toBe('Reminders of Monty saved');
});

test.each([
  ['Cancel', () => button('Cancel').click()],
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['Save without a change', () => button('Save').click()],
])('%s changes nothing and returns the focus', async (_, close) => {
  await openFromCard();
  await close();
  await expect.element(reminders()).not.toBeInTheDocument();
  await expect.element(button('Actions for Monty')).toHaveFocus();
  expect(await db.outbox.count()).toBe(0);
});

test('the choices include a number of days that was set by another client of the API', async () => {
  await pullPlants(db, [monty({ reminder_days_before: 5 })]);
  await openFromCard();
  await expect.element(time()).toHaveDisplayValue('5 days before due');
});

test.each([
  [800, 360],
  [320, 256],
  [1440, 900],
])('on a screen of %d × %d pixels title and buttons can be reached', async (width, height) => {
  await resizeScreen(width, height);
  await openFromCard();
  const title = reminders().getByRole('heading', { name: 'Reminders' });
  for (const part of [button('Save'), title, button('Cancel')]) {
    part.element().scrollIntoView({ block: 'nearest' });
    await expect.element(part).toBeInViewport({ ratio: 0.99 });
  }
});

test('the dialog is accessible in both themes', async () => {
  await openFromCard();
  expect(await violationsInBothThemes()).toEqual([]);
});
