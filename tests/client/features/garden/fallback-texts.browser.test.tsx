import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { fakeApi } from '../../../support/component/api.ts';
import { button } from '../../../support/component/form.ts';
import {
  announced,
  monty,
  pullPlants,
  rejectNext,
  zed,
} from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { fillNames, goToLastStep } from '../../../support/component/plant-form.ts';

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty(), zed()]);
});

test('a new plant that is rejected without a message says that it could not be created', async () => {
  await openApp('/dashboard/plants?form=new');
  await fillNames('Newcomer');
  await goToLastStep();
  await button('Add Plant').click();
  await rejectNext(db, '');
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to create plant');
});

test('an edit that is rejected without a message says which plant could not be updated', async () => {
  await openApp('/dashboard/plants?form=monty');
  await page.getByLabelText('Nickname').fill('Rude');
  await goToLastStep();
  await button('Save Changes').click();
  await rejectNext(db, '');
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('Failed to update plant with ID monty');
});

test('a watering that is rejected without a message is logged with the plant’s id, and not announced', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  await openApp('/dashboard');
  await button('Water Now: Zed').click();
  await rejectNext(db, '');
  await expect.poll(() => warned).toHaveBeenCalledWith('Failed to water plant with ID zed');
  await expect.element(button('Water Now: Zed')).toBeEnabled();
  expect(announced()).toBe('');
});
