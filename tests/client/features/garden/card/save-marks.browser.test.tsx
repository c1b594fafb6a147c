import { expect, test } from 'vitest';
import { fakeApi } from '../../../../support/component/api.ts';
import { resizeScreen } from '../../../../support/component/browser.ts';
import { dialog, monty, pullPlants, setSync } from '../../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';

test('the mark of a change that waits takes up room only once it is visible', async () => {
  fakeApi();
  const db = await signInAs();
  await resizeScreen(390, 844);
  await pullPlants(db, [monty({ health_status: 'Critical' })]);
  await setSync(db, { pulledAt: 1, connectivity: 'offline' });
  await openApp('/dashboard?plant=monty');
  const water = dialog().getByRole('button', { name: /Water Now/ });
  const top = () => water.element().getBoundingClientRect().top;
  await expect.element(water).toBeVisible();
  const before = top();
  await water.click();
  const mark = dialog().getByText('Waiting to be sent');
  await expect.element(mark).toBeVisible();
  expect(top()).toBeGreaterThan(before);
  const element = mark.element() as HTMLElement;
  // Starts the animation again.
  element.style.animationName = 'none';
  element.getBoundingClientRect();
  element.style.animationName = '';
  for (const animation of element.getAnimations()) animation.pause();
  await expect.element(mark).not.toBeVisible();
  expect(top()).toBe(before);
});
