import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { fakeApi } from '../../../support/component/api.ts';
import { monty, pullPlants } from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { journalEntry, journalRow } from '../../../support/device/device-rows.ts';

test('whatever the width of an entry, a line break never separates a number from its unit', async () => {
  fakeApi();
  const db = await signInAs();
  await pullPlants(db, [monty({ journal_version: 1 })]);
  const entry = journalEntry({ amount_ml: 150, soil_before: 22, soil_after: 48 });
  await db.journal.put(journalRow({ plantId: 'monty', entries: [entry] }));
  await openApp('/dashboard?plant=monty&tab=history');
  const title = page.getByRole('tabpanel', { name: 'History' }).getByText(/^Watered by hand/);
  await expect.element(title).toHaveTextContent('Watered by hand · 150 ml · soil 22 % → 48 %');
  const element = title.element();
  if (!(element instanceof HTMLElement)) throw new Error('the title is no HTML element');
  const heights = new Set<number>();
  for (let width = 90; width <= 320; width += 5) {
    element.style.width = `${width}px`;
    heights.add(element.offsetHeight);
    for (const measure of element.children) {
      const lines = new Set([...measure.getClientRects()].map(({ top }) => top));
      expect(lines.size, `${measure.textContent} at ${width} px`).toBe(1);
    }
  }
  expect([...element.children].map(({ textContent }) => textContent)).toEqual([
    '150 ml',
    '22 %',
    '48 %',
  ]);
  expect(heights.size).toBeGreaterThan(2);
});
