import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { addPlant, changePlant } from '#client/store/outbox/plant-changes.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { fieldsOf, formDefaults } from '#domain/plant/form.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { button } from '../../../../support/component/form.ts';
import {
  dialog,
  monty,
  pullPlants,
  rejectNext,
  storePlant,
} from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { fillNames, goToLastStep } from '../../../../support/component/plant-form.ts';

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty()]);
});

const failure = () => dialog().getByRole('alert');

async function editNickname(nickname: string): Promise<void> {
  await openApp('/dashboard/plants?form=monty');
  await page.getByLabelText('Nickname').fill(nickname);
  await goToLastStep();
}

test('while an edit is saved again, the button shows progress, Back is disabled, and the reason of the failure is gone', async () => {
  await editNickname('Rude');
  await button('Save Changes').click();
  await rejectNext(db, 'nickname: Too rude');
  await expect.element(failure()).toBeVisible();
  await button('Save Changes').click();
  await expect.element(button('Saving...')).toBeDisabled();
  await expect.element(button('Back')).toBeDisabled();
  expect(failure().elements()).toHaveLength(0);
});

test('an edit that is rejected together with an earlier one that waited shows the reason, and both stay in the outbox', async () => {
  const earlier = { edits: { location: 'Balcony' }, base: { location: 'Kitchen' } };
  await changePlant(db, 'monty', earlier, Date.now());
  await editNickname('Rude');
  await button('Save Changes').click();
  const edits = { location: 'Balcony', nickname: 'Rude' };
  await expect.poll(() => db.outbox.toArray()).toMatchObject([{ edits }]);
  await rejectNext(db, 'nickname: Too rude');
  await expect.element(failure()).toHaveTextContent('nickname: Too rude');
  expect(await db.outbox.toArray()).toMatchObject([{ state: 'rejected', edits }]);
});

test('an edit does not contain a field that another device changed while the form was open', async () => {
  await editNickname('Montague');
  await storePlant(db, monty({ plant_name: 'Hurricane Plant' }));
  await expect.poll(() => document.body.textContent).toContain('Hurricane Plant');
  await button('Save Changes').click();
  await expect.poll(() => db.outbox.count()).toBe(1);
  expect((await db.outbox.toArray())[0]?.edits).toEqual({ nickname: 'Montague' });
});

test('saving the unchanged form of a new plant that the server rejected sends the plant again', async () => {
  const fields = fieldsOf({
    ...formDefaults,
    nickname: 'Newcomer',
    plant_name: 'Fern',
    species: 'Fern',
  });
  await addPlant(db, fields, Date.now(), 'op-1');
  await rejectNext(db, 'Too many plants');
  await openApp('/dashboard/plants?form=local-op-1');
  await goToLastStep();
  await button('Save Changes').click();
  await expect
    .poll(() => db.outbox.toArray())
    .toMatchObject([{ type: 'create', state: 'queued', edits: { nickname: 'Newcomer' } }]);
});

test('a new plant that cannot be stored on the device stays in the form, which says that it could not be created', async () => {
  const add = vi.spyOn(db.outbox, 'add').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  onTestFinished(() => add.mockRestore());
  await openApp('/dashboard/plants?form=new');
  await fillNames('Newcomer');
  await goToLastStep();
  await button('Add Plant').click();
  await expect.element(failure()).toHaveTextContent('Failed to create plant');
  await expect.element(button('Add Plant')).toBeEnabled();
});
