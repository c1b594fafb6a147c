import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { fakeApi } from '../../../support/component/api.ts';
import { button } from '../../../support/component/form.ts';
import { monty, pullPlants } from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { journalEntry, journalRow } from '../../../support/device/device-rows.ts';

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty({ journal_version: 1 })]);
});

const form = () => page.getByRole('form', { name: 'Add to history of Monty' });
const note = () => form().getByLabelText('Note', { exact: true });

async function chooseNote(): Promise<void> {
  await button('Add entry').click();
  await page.getByRole('menuitem', { name: 'Note…' }).click();
}

test('opening the form for a new entry does not render the listed entries again', async () => {
  const entries = [journalEntry(), journalEntry({ id: 'other', type: 'pruned' })];
  await db.journal.put(journalRow({ plantId: 'monty', entries }));
  await openApp('/dashboard?plant=monty&tab=history');
  await expect.element(page.getByRole('listitem').getByText('Pruned')).toBeVisible();
  // Each entry renders its date as a machine-readable text.
  const formatted = vi.spyOn(Date.prototype, 'toISOString');
  onTestFinished(() => formatted.mockRestore());
  await chooseNote();
  await expect.element(note()).toBeVisible();
  // The date input of the form also uses it.
  expect(formatted).toHaveBeenCalled();
  for (const { at } of entries) expect(formatted.mock.contexts).not.toContainEqual(new Date(at));
});
