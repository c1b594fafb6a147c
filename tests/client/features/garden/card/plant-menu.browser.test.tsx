import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type PlantActions, PlantMenu } from '#client/features/garden/card/plant-card.tsx';
import { button } from '../../../../support/component/form.ts';
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
