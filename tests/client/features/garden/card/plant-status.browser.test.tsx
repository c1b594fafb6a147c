import { expect, test } from 'vitest';
import { fakeApi } from '../../../../support/component/api.ts';
import { themeColor } from '../../../../support/component/browser.ts';
import { monty, plantCard, pullPlants, zed } from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';

test('on a card the next watering has the danger colour only if the plant is due', async () => {
  fakeApi();
  await pullPlants(await signInAs(), [monty(), zed()]);
  await openApp('/dashboard');
  const due = plantCard('Zed').getByText('Water now!');
  const later = plantCard('Monty').getByText('In 6 days');
  await expect.element(due).toBeVisible();
  await expect.element(later).toBeVisible();
  const colors = [due, later].map((text) => getComputedStyle(text.element()).color);
  expect(colors).toEqual([themeColor('danger'), themeColor('water')]);
});
