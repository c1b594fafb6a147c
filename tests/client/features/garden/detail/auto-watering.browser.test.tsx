import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { fakeApi } from '../../../../support/component/api.ts';
import { button } from '../../../../support/component/form.ts';
import { dialog, monty, pullPlants, setSync } from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { goToLastStep } from '../../../../support/component/plant-form.ts';

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
});

test('a plant whose automatic watering was turned off without a network shows no reason why it was not watered', async () => {
  await pullPlants(db, [monty({ auto_watering_enabled: true, auto_watering_reason: 'moist' })]);
  await setSync(db, { pulledAt: 1, connectivity: 'offline' });
  await openApp('/dashboard?plant=monty');
  const reason = dialog().getByText('Not watered: soil humidity is not below the minimum');
  await expect.element(reason).toBeVisible();
  await button('Edit Plant').click();
  await goToLastStep();
  await page.getByRole('checkbox', { name: /automatic/i }).click();
  await button('Save Changes').click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await page.getByRole('link', { name: 'Details of Monty' }).click();
  await expect.element(dialog().getByText('Auto-watering off')).toBeVisible();
  await expect.element(reason).not.toBeInTheDocument();
});
