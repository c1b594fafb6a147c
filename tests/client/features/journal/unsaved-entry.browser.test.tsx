import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import type { JournalEntry } from '#domain/journal/entry.ts';
import { fakeApi } from '../../../support/component/api.ts';
import { button } from '../../../support/component/form.ts';
import { dayMs, hourMs, monty, pullPlants } from '../../../support/component/garden.ts';
import { type OpenApp, openApp, signInAs } from '../../../support/component/open-app.tsx';
import { journalEntry, journalRow } from '../../../support/device-rows.ts';

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty({ journal_version: 1 })]);
});

const iso = (msAgo: number) => new Date(Date.now() - msAgo).toISOString();
const history = () => page.getByRole('tabpanel', { name: 'History' });
const items = () => history().getByRole('listitem');

async function openHistory(entries: JournalEntry[]): Promise<OpenApp> {
  await db.journal.put(journalRow({ plantId: 'monty', entries }));
  const app = await openApp('/dashboard?plant=monty&tab=history');
  await expect.element(button('Add entry')).toBeVisible();
  return app;
}

async function choose(menu: string | RegExp, item: string): Promise<void> {
  await history().getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

const ways = [
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['another tab', () => page.getByRole('tab', { name: 'Overview' }).click()],
  [
    'a tap outside',
    () => userEvent.click(document.body, { position: { x: 195, y: 2 }, force: true }),
  ],
] as const;

test.each(ways)('a note that was typed is not lost by %s without a question', async (_, leave) => {
  await openHistory([]);
  await choose('Add entry', 'Note…');
  const note = history().getByLabelText('Note', { exact: true });
  await note.fill('A new leaf');
  await leave();
  await button('Keep editing').click();
  await expect.element(note).toHaveValue('A new leaf');
  await leave();
  await button('Discard').click();
  await expect.element(note).not.toBeInTheDocument();
});

test('an entry that was not changed, and one that was saved, are left without a question', async () => {
  const app = await openHistory([journalEntry()]);
  await choose(/^Actions for Watered by hand/, 'Edit');
  await app.navigate('/dashboard?plant=monty');
  await expect.element(page.getByRole('tabpanel', { name: 'Overview' })).toBeVisible();
  await app.navigate('/dashboard?plant=monty&tab=history&entry=new');
  await history().getByLabelText('Note (optional)').fill('A new leaf');
  await button('Add').click();
  await expect.poll(app.address).toBe('/dashboard?plant=monty&tab=history');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('a filter does not hide an entry that is being edited', async () => {
  const others = Array.from({ length: 40 }, (_, i) =>
    journalEntry({ id: `e${i}`, at: iso(i * hourMs) }),
  );
  await openHistory([...others, journalEntry({ id: 'old', type: 'pruned', at: iso(50 * dayMs) })]);
  const show = history().getByLabelText('Show');
  await show.selectOptions('Pruning');
  await choose(/^Actions for Pruned/, 'Edit');
  const note = history().getByLabelText('Note (optional)');
  await note.fill('Cut back');
  for (const filter of ['Notes', 'Photos', 'All']) {
    await show.selectOptions(filter);
    await expect.element(note).toHaveValue('Cut back');
  }
  await button('Save').click();
  await expect.element(items().getByText('Cut back')).toBeVisible();
});
