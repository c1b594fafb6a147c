import { expect, test } from 'vitest';
import { fakeApi } from '../../../../support/component/api.ts';
import {
  monty,
  plantCard,
  pullPlants,
  pullReadings,
  readingAgo,
} from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';

test('a card shows the latest values of its sensor with names and units, also 0, but no value that was not reported', async () => {
  fakeApi();
  const db = await signInAs();
  await pullPlants(db, [monty()]);
  const values = { soil_humidity: 0, air_humidity: 61.25, temperature: 22.5, luminance: null };
  await pullReadings(db, 'monty', [readingAgo(0, values)]);
  await openApp('/dashboard');
  const items = plantCard('Monty')
    .getByRole('list', { name: 'Latest readings' })
    .getByRole('listitem');
  await expect
    .poll(() => items.elements().map((item) => [item.ariaLabel, item.textContent]))
    .toEqual([
      ['Soil humidity 0 %', '0 %'],
      ['Temperature 22.5 °C', '22.5 °C'],
      ['Air humidity 61.3 %', '61.3 %'],
    ]);
});
