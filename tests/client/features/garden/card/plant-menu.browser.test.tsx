import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type PlantActions, PlantMenu } from '#client/features/garden/card/plant-card.tsx';
import { fakeApi } from '../../../../support/component/api.ts';
import { tap } from '../../../../support/component/double-tap.ts';
import { button } from '../../../../support/component/form.ts';
import { announced, monty, pullPlants, zed } from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { render } from '../../../../support/component/render.tsx';
import { plantView } from '../support/plant-view.ts';

const { plant } = plantView();
const nothing = () => undefined;

test.each<[offered: string[], PlantActions]>([
  [['Edit', 'Delete'], { onEdit: nothing, onDelete: nothing }],
  [['Edit'], { onEdit: nothing }],
  [['Delete'], { onDelete: nothing }],
  [['Reminders…'], { onRemind: nothing }],
  [['Fertilized', 'Add to history…'], { onFertilized: nothing, onAddEntry: nothing }],
])('the menu of a card offers %j when their handlers are given', async (offered, actions) => {
  await render(<PlantMenu plant={plant} actions={actions} />);
  await button(`Actions for ${plant.nickname}`).click();
  const items = page.getByRole('menuitem');
  await expect.element(items.first()).toHaveFocus();
  expect(items.elements().map((item) => item.textContent?.trim())).toEqual(offered);
});

test('a card without handlers has no menu', async () => {
  const { container } = await render(<PlantMenu plant={plant} actions={{}} />);
  expect(container.innerHTML).toBe('');
});

test('the announcement and the notice of Fertilized name the plant', async () => {
  fakeApi();
  await pullPlants(await signInAs(), [monty(), zed()]);
  await openApp('/dashboard/plants');
  for (const name of ['Monty', 'Zed']) {
    // Cards change their height when their readings are read, and a click that is interrupted by that has no effect.
    await tap(button(`Actions for ${name}`));
    await tap(page.getByRole('menuitem', { name: 'Fertilized' }));
    await expect.poll(announced).toBe(`${name} fertilized, with ten seconds to undo it`);
    const notice = page.getByRole('region', { name: 'Notice' });
    await expect.element(notice.getByText(`${name} fertilized`)).toBeVisible();
  }
});
