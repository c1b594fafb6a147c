import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { entryLimits } from '#domain/journal/entry.ts';
import { fakeApi } from '../../../support/component/api.ts';
import { stopClock } from '../../../support/component/clock.ts';
import { button } from '../../../support/component/form.ts';
import { announced, dayMs, dialog, monty, pullPlants } from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { blockTable } from '../../../support/device/block-table.ts';
import { journalEntry, journalRow } from '../../../support/device/device-rows.ts';

let db: DeviceDb;
beforeEach(async () => {
  stopClock();
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

/** Opens the form for a new entry in the history of a plant without entries. */
async function openForm() {
  await db.journal.put(journalRow({ plantId: 'monty', entries: [] }));
  const app = await openApp('/dashboard?plant=monty&tab=history&entry=new');
  await expect.element(form()).toBeVisible();
  return app;
}

const hasFocusInHistory = () =>
  page.getByRole('tabpanel', { name: 'History' }).element().contains(document.activeElement);

test('the form for a new entry has the focus when it opens; when it closes, the focus is in the history and a reload does not open it again', async () => {
  const app = await openForm();
  await expect.poll(() => document.activeElement?.textContent).toBe('Add to history of Monty');
  await button('Add').click();
  await expect.element(form()).not.toBeInTheDocument();
  await expect.poll(hasFocusInHistory).toBe(true);
  expect(app.url()).toBe('/dashboard?plant=monty&tab=history');
});

test('after an entry was edited or deleted the focus is in the history', async () => {
  await db.journal.put(journalRow({ plantId: 'monty', entries: [journalEntry()] }));
  await openApp('/dashboard?plant=monty&tab=history');
  const actions = page.getByRole('button', { name: /^Actions for Watered by hand/ });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await button('Save').click();
  await expect.element(page.getByRole('form')).not.toBeInTheDocument();
  await expect.poll(hasFocusInHistory).toBe(true);
  await actions.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect.element(actions).not.toBeInTheDocument();
  await expect.poll(hasFocusInHistory).toBe(true);
});

test('the amount of a watering is not added to an entry of another type, and its input has a keypad', async () => {
  await openForm();
  await form().getByLabelText('What').selectOptions('Watered');
  const amount = form().getByLabelText('Amount in ml (optional)');
  await expect.element(amount).toHaveAttribute('inputmode', 'decimal');
  await amount.fill('250');
  await form().getByLabelText('What').selectOptions('Pruned');
  await button('Add').click();
  await expect
    .poll(() => db.outbox.toArray())
    .toMatchObject([{ entry: { type: 'pruned', amount_ml: null } }]);
});

test('a note is stored without spaces around it, and is not longer than the server accepts', async () => {
  await openForm();
  await expect
    .element(form().getByLabelText('Note (optional)'))
    .toHaveAttribute('maxlength', String(entryLimits.note));
  await form().getByLabelText('Note (optional)').fill('  A new leaf\n');
  await button('Add').click();
  await expect.poll(() => db.outbox.toArray()).toMatchObject([{ entry: { note: 'A new leaf' } }]);
});

test('Undo of an edit restores the date, the amount and the note', async () => {
  const entry = journalEntry({ amount_ml: 100, note: 'Dry' });
  await db.journal.put(journalRow({ plantId: 'monty', entries: [entry] }));
  await openApp('/dashboard?plant=monty&tab=history');
  const item = page.getByRole('tabpanel', { name: 'History' }).getByRole('listitem');
  await expect.element(item).toHaveTextContent('100 ml');
  const text = item.element().textContent;
  await page.getByRole('button', { name: /^Actions for Watered by hand/ }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edited = page.getByRole('form');
  const date = new Date(Date.now() - 3 * dayMs).toISOString().slice(0, 10);
  await edited.getByLabelText('Date and time').fill(`${date}T09:30`);
  await edited.getByLabelText('Amount in ml (optional)').fill('200');
  await edited.getByLabelText('Note (optional)').fill('Very dry');
  await button('Save').click();
  await expect.element(item).toHaveTextContent(/200 ml.*Very dry.*9:30 AM/);
  await button('Undo').click();
  await expect.poll(() => item.element().textContent).toBe(text);
});

test('choosing Note while the form for a new entry is open makes it a note, keeps its text and focuses it', async () => {
  await db.journal.put(journalRow({ plantId: 'monty', entries: [] }));
  await openApp('/dashboard?plant=monty&tab=history&entry=new');
  await expect.element(form().getByLabelText('What')).toHaveValue('fertilized');
  await form().getByLabelText('Note (optional)').fill('A new leaf');
  await chooseNote();
  await expect.element(form().getByLabelText('What')).toHaveValue('note');
  await expect.element(note()).toHaveValue('A new leaf');
  await expect.element(note()).toHaveFocus();
  await button('Add').click();
  await expect
    .poll(() => db.outbox.toArray())
    .toMatchObject([{ type: 'add_entry', entry: { type: 'note', note: 'A new leaf' } }]);
});

test('a plant that was closed while its new entry was being stored does not open again', async () => {
  await db.journal.put(journalRow({ plantId: 'monty', entries: [] }));
  const app = await openApp('/dashboard?plant=monty&tab=history&entry=new');
  await expect.element(form()).toBeVisible();
  const { release } = await blockTable(db.outbox);
  await button('Add').click();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await release();
  await expect.poll(() => db.outbox.count()).toBe(1);
  await expect.poll(announced).toMatch(/^Monty fertilized/);
  expect(app.url()).toBe('/dashboard');
});

test('a form that became a note and has no input closes without a question', async () => {
  await db.journal.put(journalRow({ plantId: 'monty', entries: [] }));
  await openApp('/dashboard?plant=monty&tab=history&entry=new');
  await expect.element(form()).toBeVisible();
  await chooseNote();
  await expect.element(note()).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
});

test('a new entry whose date was not changed has the exact moment at which its form was opened', async () => {
  vi.setSystemTime('2026-11-24T12:00:42.123Z');
  await db.journal.put(journalRow({ plantId: 'monty', entries: [] }));
  await openApp('/dashboard?plant=monty&tab=history');
  await chooseNote();
  await note().fill('A new leaf');
  vi.setSystemTime('2026-11-24T12:05:00Z');
  await db.journal.put(
    journalRow({ plantId: 'monty', entries: [journalEntry({ type: 'pruned' })] }),
  );
  await expect.element(page.getByRole('listitem').getByText('Pruned')).toBeVisible();
  await button('Add').click();
  await expect
    .poll(() => db.outbox.toArray())
    .toMatchObject([{ entry: { at: Date.parse('2026-11-24T12:00:42.123Z') } }]);
});

test('a form that is open over midnight offers the new day', async () => {
  // Midnight in the account's zone is at 17:00 UTC.
  vi.setSystemTime('2026-11-24T16:59:00Z');
  await db.journal.put(journalRow({ plantId: 'monty', entries: [] }));
  await openApp('/dashboard?plant=monty&tab=history&entry=new');
  const date = form().getByLabelText('Date and time');
  await expect.element(date).toHaveAttribute('max', '2026-11-24T23:59');
  vi.setSystemTime('2026-11-24T17:01:00Z');
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.element(date).toHaveAttribute('max', '2026-11-25T00:01');
});

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

test('the offer to undo an edit or a deletion of an entry names the plant', async () => {
  await db.journal.put(journalRow({ plantId: 'monty', entries: [journalEntry({ note: 'Dry' })] }));
  await openApp('/dashboard?plant=monty&tab=history');
  const choose = async (item: string) => {
    await page.getByRole('button', { name: /^Actions for Watered by hand/ }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('Edit');
  await page.getByLabelText('Note (optional)').fill('Very dry');
  await button('Save').click();
  await expect.element(dialog().getByText('Entry of Monty changed')).toBeVisible();
  await choose('Delete');
  await expect.element(dialog().getByText('Entry of Monty deleted')).toBeVisible();
});
