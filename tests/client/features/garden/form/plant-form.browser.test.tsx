import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { restoreAsNew } from '#client/store/outbox/decisions.ts';
import { isUnlock } from '#client/store/outbox/op.ts';
import { changePlant } from '#client/store/outbox/plant-changes.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { violationsInBothThemes } from '../../../../support/component/accessibility.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { doubleTap } from '../../../../support/component/double-tap.ts';
import { button, currentForm } from '../../../../support/component/form.ts';
import {
  acceptNext,
  announced,
  dialog,
  monty,
  plantCard,
  pullPlants,
  rejectNext,
  setSync,
  shownPlants,
} from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { fillNames, goToLastStep } from '../../../../support/component/plant-form.ts';

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty()]);
});

const frequency = () => page.getByLabelText(/^Watering frequency/);
const range = (name: RegExp) => page.getByRole('group', { name });
const alert = () => page.getByRole('alert');
const footer = () => [...document.querySelectorAll('footer button')].map((one) => one.textContent);

test('each step has its buttons, and a step continues only when all its fields are valid', async () => {
  await openApp('/dashboard/plants?form=new');
  await expect.element(dialog('Add New Plant')).toBeVisible();
  expect(footer()).toEqual(['Cancel', 'Next']);
  await button('Next').click();
  for (const name of ['Nickname', 'Plant name', 'Species']) {
    await expect.element(page.getByText(`${name} is required`)).toBeVisible();
  }
  await expect.element(page.getByLabelText('Nickname')).toHaveFocus();
  await fillNames('Newcomer');
  expect(page.getByText('is required').elements()).toHaveLength(0);
  await userEvent.keyboard('{Enter}');

  const soil = range(/^Soil humidity/);
  await soil.getByLabelText('Minimum').fill('70');
  await frequency().fill('');
  expect(footer()).toEqual(['Back', 'Next']);
  await button('Next').click();
  await expect.element(page.getByText('Must be a positive number')).toBeVisible();
  await expect.element(soil.getByText('Minimum must be less than maximum').first()).toBeVisible();
  await expect.element(frequency()).toHaveFocus();
  await frequency().fill('3');
  await button('Next').click();
  await expect.element(soil.getByLabelText('Minimum')).toHaveFocus();
  await soil.getByLabelText('Maximum').fill('80');
  expect(soil.getByText('Minimum must be less than maximum').elements()).toHaveLength(0);
  await button('Next').click();
  await expect.element(page.getByLabelText(/^Device ID/)).toBeVisible();
  expect(footer()).toEqual(['Back', 'Add Plant']);
});

test('the second tap of a double tap on Next or Back presses no button of the new step', async () => {
  await openApp('/dashboard/plants?form=new');
  await fillNames('Newcomer');
  await doubleTap(button('Next'));
  await expect.element(frequency()).toBeVisible();
  await doubleTap(button('Next'));
  await expect.element(page.getByLabelText(/^Device ID/)).toBeVisible();
  await expect.element(button('Add Plant')).toBeEnabled();
  expect(await db.outbox.count()).toBe(0);
  await button('Back').click();
  await expect.element(frequency()).toBeVisible();
  await doubleTap(button('Back'));
  await expect.element(page.getByLabelText('Nickname')).toHaveValue('Newcomer');
});

test('the mouse wheel over a focused number scrolls and does not change the number', async () => {
  await openApp('/dashboard/plants?form=monty');
  await button('Next').click();
  await frequency().fill('7');
  await userEvent.wheel(frequency(), { delta: { y: 100 }, times: 2 });
  await expect.element(frequency()).not.toHaveFocus();
  await expect.element(frequency()).toHaveValue(7);
});

test('a watering frequency must be a positive number, the number inputs ignore a comma, and an emptied one is not 0', async () => {
  await openApp('/dashboard/plants?form=new');
  await fillNames('Newcomer');
  await button('Next').click();
  const wrong = page.getByText('Must be a positive number');
  for (const text of ['-0', '-1e3', '--', 'e', '1e400']) {
    await frequency().clear();
    await userEvent.type(frequency(), text);
    await expect.element(wrong).not.toBeInTheDocument();
    await button('Next').click();
    await expect.element(wrong).toBeVisible();
  }
  await frequency().fill('2');
  // An English browser ignores commas in a number input, because a comma separates thousands: '10,000' is 10000.
  const light = range(/^Light/);
  await light.getByLabelText('Minimum').clear();
  await userEvent.type(light.getByLabelText('Minimum'), ',5');
  await light.getByLabelText('Maximum').clear();
  await userEvent.type(light.getByLabelText('Maximum'), '12,000');
  await button('Next').click();
  await button('Back').click();
  await expect.element(light.getByLabelText('Minimum')).toHaveValue(5);
  await expect.element(light.getByLabelText('Maximum')).toHaveValue(12_000);
  await expect.element(frequency()).toHaveValue(2);
  await light.getByLabelText('Minimum').clear();
  await button('Next').click();
  await expect.element(light.getByText('Minimum must be less than maximum')).toBeVisible();
});

test('an edit that the server rejects shows the reason until a field is changed, and leaves the plant unchanged', async () => {
  await openApp('/dashboard/plants?form=monty');
  await expect.element(page.getByLabelText('Nickname')).toHaveValue('Monty');
  await page.getByLabelText('Nickname').fill('Rude');
  await goToLastStep();
  await button('Save Changes').click();
  await rejectNext(db, 'nickname: Too rude');
  await expect.element(alert()).toHaveTextContent('nickname: Too rude');
  await page.getByLabelText(/^Device ID/).fill('sensor-8');
  await expect.element(alert()).not.toBeInTheDocument();
  await button('Back').click();
  await button('Back').click();
  await button('Cancel').click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(plantCard('Monty')).toBeVisible();
  expect(plantCard('Monty').element().textContent).not.toMatch(/waiting|could not/i);
});

const wateredByPump = { auto_watering_enabled: true, auto_watering_reason: 'locked' };

test('saving the unchanged form of a plant whose automatic watering is locked sends a change, which unlocks it', async () => {
  await pullPlants(db, [monty(wateredByPump)]);
  await openApp('/dashboard/plants?form=monty');
  await goToLastStep();
  await button('Save Changes').click();
  await expect.poll(() => db.outbox.count()).toBe(1);
  expect(await db.outbox.toArray()).toMatchObject([
    { type: 'update', entity: 'monty', edits: { auto_watering_enabled: true } },
  ]);
  await acceptNext(db, monty({ auto_watering_enabled: true }));
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.poll(announced).toBe('Monty saved');
});

test.each([
  ['the nickname', { edits: { nickname: 'Montague' }, base: { nickname: 'Monty' } }],
  ['the reminders', { edits: { reminder_enabled: true }, base: { reminder_enabled: false } }],
])(
  'saving the form of a locked plant with a rejected edit of %s sends that edit, which does not set automatic watering, and an unlock',
  async (_, edit) => {
    await pullPlants(db, [monty(wateredByPump)]);
    await changePlant(db, 'monty', edit, Date.now());
    await rejectNext(db, 'Too silly');
    await openApp('/dashboard/plants?form=monty');
    await goToLastStep();
    await button('Save Changes').click();
    await expect.poll(() => db.outbox.count()).toBe(2);
    const ops = await db.outbox.orderBy('seq').toArray();
    expect(ops.map(({ state }) => state)).toEqual(['queued', 'queued']);
    expect(ops[0]?.edits).toEqual(edit.edits);
    expect(ops.map(isUnlock)).toEqual([false, true]);
  },
);

test('without a network the change that unlocks a plant waits', async () => {
  await pullPlants(db, [monty(wateredByPump)]);
  await setSync(db, { pulledAt: 1, connectivity: 'offline' });
  await openApp('/dashboard/plants?form=monty');
  await goToLastStep();
  await button('Save Changes').click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(plantCard('Monty').getByText('Waiting to be sent')).toBeInTheDocument();
  await expect.poll(announced).toBe('Monty saved, waiting to be sent');
  expect(await db.outbox.count()).toBe(1);
});

test.each([
  ['is not locked', { auto_watering_enabled: true, auto_watering_reason: 'moist' }],
  ['is off', { auto_watering_enabled: false, auto_watering_reason: 'locked' }],
])('saving an unchanged form sends nothing if automatic watering %s', async (_, changes) => {
  await pullPlants(db, [monty(changes)]);
  await openApp('/dashboard/plants?form=monty');
  await goToLastStep();
  await button('Save Changes').click();
  await expect.poll(announced).toBe('Monty saved');
  expect(await db.outbox.count()).toBe(0);
});

test('if the plant was deleted elsewhere while its form was open, Save closes the form, and the plant can be restored with all its fields', async () => {
  const description = 'From grandmother';
  await pullPlants(db, [monty({ description })]);
  await openApp('/dashboard/plants?form=monty');
  await page.getByLabelText('Nickname').fill('Montague');
  await db.plants.delete('monty');
  await goToLastStep();
  await button('Save Changes').click();
  await rejectNext(db, 'Plant not found', 404);
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.poll(() => document.body.textContent).toContain('it was deleted elsewhere');
  const rejected = await db.outbox.toCollection().first();
  await restoreAsNew(db, rejected?.opId ?? '', Date.now());
  const [create] = await db.outbox.toArray();
  expect(create).toMatchObject({
    type: 'create',
    edits: { nickname: 'Montague', description, species: 'Monstera deliciosa' },
  });
});

test('a new plant that the server rejects stays in the form with the reason, and its card is removed', async () => {
  await openApp('/dashboard/plants?form=new');
  await fillNames('Newcomer');
  await goToLastStep();
  await button('Add Plant').click();
  await rejectNext(db, 'nickname: Too silly');
  await expect.element(alert()).toHaveTextContent('nickname: Too silly');
  await expect.element(button('Add Plant')).toHaveFocus();
  await expect.poll(shownPlants).toEqual(['Monty']);
  await button('Dismiss').click();
  await expect.element(alert()).not.toBeInTheDocument();
  // Saving the same values again must reuse the key, because the server may have stored the plant.
  const keys: (string | undefined)[] = [];
  db.outbox.hook('creating', (_, op) => void keys.push(op.opId));
  await button('Add Plant').click();
  await rejectNext(db, 'nickname: Too silly');
  await expect.element(alert()).toBeVisible();
  await button('Add Plant').click();
  await expect.poll(() => keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  await acceptNext(db, monty({ id: 'new', nickname: 'Newcomer' }));
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.poll(shownPlants).toEqual(['Monty', 'Newcomer']);
  await expect.poll(announced).toBe('Newcomer added');
});

test('a new plant that is edited after a 500 is sent with the same idempotency key and time, so that the server adds it once', async () => {
  await openApp('/dashboard/plants?form=new');
  await fillNames('Newcomer');
  await goToLastStep();
  const sent: string[] = [];
  db.outbox.hook('creating', (_, op) => void sent.push(`${op.opId} ${op.occurredAt}`));
  await button('Add Plant').click();
  await expect.poll(() => db.outbox.count()).toBe(1);
  const failure = { message: 'Out of order', status: 500 };
  await db.outbox.toCollection().modify({ state: 'uncertain', attempts: 1, lastError: failure });
  await expect.element(alert()).toHaveTextContent('Out of order');
  await page.getByLabelText(/^Device ID/).fill('sensor-8');
  await button('Add Plant').click();
  await acceptNext(db, monty({ id: 'new', nickname: 'Newcomer' }));
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(sent).toHaveLength(2);
  expect(new Set(sent).size).toBe(1);
});

test('an edit that is saved again after a 500 has the time of the second save, so that it unlocks a plant that was checked meanwhile', async () => {
  await openApp('/dashboard/plants?form=monty');
  await page.getByLabelText(/^Nickname/).fill('Montague');
  await goToLastStep();
  const sent: { opId: string; occurredAt: number }[] = [];
  db.outbox.hook('creating', (_, op) => void sent.push(op));
  await button('Save Changes').click();
  await expect.poll(() => db.outbox.count()).toBe(1);
  const failure = { message: 'Out of order', status: 500 };
  await db.outbox.toCollection().modify({ state: 'uncertain', attempts: 1, lastError: failure });
  await expect.element(alert()).toHaveTextContent('Out of order');
  const [first] = sent;
  await button('Save Changes').click();
  await expect.poll(() => sent).toHaveLength(2);
  expect(sent[1]?.opId).not.toBe(first?.opId);
  expect(sent[1]?.occurredAt).toBeGreaterThan(first?.occurredAt ?? 0);
});

test('a device ID that other plants have shows what the device must do', async () => {
  const other = (id: string, nickname: string) => monty({ id, nickname, device_id: 'pot-1' });
  await pullPlants(db, [monty({ device_id: 'pot-1' }), other('fern', 'Fern')]);
  await openApp('/dashboard/plants?form=monty');
  await goToLastStep();
  const device = page.getByLabelText(/^Device ID/);
  await expect
    .element(device)
    .toHaveAccessibleDescription(/Fern has the same device ID\. Unless the device names the plant/);
  await device.fill('pot-2');
  await expect.element(page.getByText('has the same device ID')).not.toBeInTheDocument();
  await pullPlants(db, [monty(), other('fern', 'Fern'), other('ivy', 'Ivy')]);
  await device.fill(' pot-1 ');
  await expect.element(device).toHaveAccessibleDescription(/Fern and 1 more have the same/);
  expect(await violationsInBothThemes()).toEqual([]);
});

test('until the server responds, the Add button shows progress and is disabled, a second submit and changed values are ignored, and Escape does not close the form', async () => {
  await openApp('/dashboard/plants?form=new');
  await fillNames('Slowly');
  await goToLastStep();
  const device = page.getByLabelText(/^Device ID/);
  await device.fill('sensor-7');
  // Like two quick taps.
  const form = currentForm();
  form.requestSubmit();
  form.requestSubmit();
  await expect.element(button('Adding...')).toBeDisabled();
  // It would not be in the plant that is being added.
  await device.fill('sensor-8');
  await expect.element(device).toHaveValue('sensor-7');
  // The change is being sent, so Escape must not discard it.
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('Add New Plant')).toBeVisible();
  await expect.poll(() => db.outbox.count()).toBe(1);
  await expect.element(plantCard('Slowly')).toBeInTheDocument();
  expect(page.getByText('has the same device ID').elements()).toHaveLength(0);
  await acceptNext(db, monty({ id: 'slow', nickname: 'Slowly' }));
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(await db.outbox.count()).toBe(0);
});

/** Adds a plant, and goes back while the server has not responded yet. */
async function leaveWhileAdding(nickname: string): Promise<void> {
  const app = await openApp('/dashboard/plants');
  await button('Add New Plant').click();
  await fillNames(nickname);
  await goToLastStep();
  await button('Add Plant').click();
  await expect.element(button('Adding...')).toBeDisabled();
  await expect.poll(() => db.outbox.count()).toBe(1);
  app.goBack();
  await expect.element(dialog()).not.toBeInTheDocument();
}

test.each([
  [503, 'Out of order', 'uncertain', 'Waiting to be sent'],
  [422, 'Too silly', 'rejected', 'Could not be saved'],
] as const)(
  'a new plant is not lost when the form was left before the server responds with %d',
  async (status, message, state, mark) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    await leaveWhileAdding('Newcomer');
    await db.outbox.toCollection().modify({ state, attempts: 1, lastError: { message, status } });
    await expect.poll(() => warn.mock.calls).toContainEqual([message]);
    await expect.poll(() => plantCard('Newcomer').element().textContent).toContain(mark);
    // Runs after any other write that has begun.
    const count = await db.transaction('rw', db.outbox, () => db.outbox.count());
    expect(count).toBe(1);
  },
);

test('a form that was left while it was saving does not close the next dialog when saving ends', async () => {
  await leaveWhileAdding('Newcomer');
  await page.getByRole('link', { name: 'Details of Monty' }).click();
  await expect.element(dialog('Monty')).toBeVisible();
  await acceptNext(db, monty({ id: 'new', nickname: 'Newcomer' }));
  await expect.poll(announced).toBe('Newcomer added');
  await page.getByRole('tab', { name: 'Care Settings' }).click();
  await expect.element(page.getByRole('tabpanel', { name: 'Care Settings' })).toBeVisible();
});

test('until the server responds, the Delete button shows progress and is disabled, and Escape does not close the dialog', async () => {
  await openApp('/dashboard/plants?delete=monty');
  const question = 'Are you sure you want to delete Monty? This action cannot be undone.';
  await expect.element(dialog('Delete Plant')).toHaveAccessibleDescription(question);
  await button('Delete Plant').click();
  await expect.element(button('Processing...')).toBeDisabled();
  await expect.element(plantCard('Monty')).not.toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('Delete Plant')).toBeVisible();
  await acceptNext(db, null);
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.poll(announced).toBe('Monty deleted');
});

test('a deletion whose dialog was closed by Back does not close the next dialog when it ends', async () => {
  const app = await openApp('/dashboard/plants');
  await button('Actions for Monty').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await button('Delete Plant').click();
  await expect.element(button('Processing...')).toBeDisabled();
  app.goBack();
  await expect.element(dialog()).not.toBeInTheDocument();
  await button('Add New Plant').click();
  await expect.element(dialog('Add New Plant')).toBeVisible();
  await acceptNext(db, null);
  await expect.poll(announced).toBe('Monty deleted');
  await fillNames('Newcomer');
  await button('Next').click();
  await expect.element(frequency()).toBeVisible();
});

test('a cancelled deletion keeps the plant', async () => {
  const app = await openApp('/dashboard/plants?delete=monty');
  await button('Cancel').click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(app.url()).toBe('/dashboard/plants');
  expect(shownPlants()).toEqual(['Monty']);
  expect(await db.outbox.count()).toBe(0);
});
