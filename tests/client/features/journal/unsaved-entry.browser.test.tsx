import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { trackFormInput } from '#client/ui/form/form-input.ts';
import type { JournalEntry } from '#domain/journal/entry.ts';
import { violationsInBothThemes } from '../../../support/component/accessibility.ts';
import { type FakeApi, fakeApi } from '../../../support/component/api.ts';
import { button } from '../../../support/component/form.ts';
import { announced, dayMs, hourMs, monty, pullPlants } from '../../../support/component/garden.ts';
import { type OpenApp, openApp, signInAs } from '../../../support/component/open-app.tsx';
import { journalEntry, journalRow } from '../../../support/device/device-rows.ts';

let db: DeviceDb;
let api: FakeApi;
beforeEach(async () => {
  api = fakeApi();
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

test.each(ways)(
  'leaving a typed note by %s asks first, and Keep editing keeps the text',
  async (_, leave) => {
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
  },
);

/** Simulates a pull without the plant, which another device has deleted. */
async function pullDeletion(): Promise<void> {
  await db.transaction('rw', db.plants, db.journal, async () => {
    await db.journal.delete('monty');
    await db.plants.delete('monty');
  });
  await expect.element(history().getByText(/has been deleted on another device/)).toBeVisible();
}

test('a typed note stays when its plant is deleted elsewhere, and the screen says so', async () => {
  trackFormInput();
  await openHistory([]);
  await choose('Add entry', 'Note…');
  const note = history().getByLabelText('Note', { exact: true });
  await note.fill('A new leaf');
  await pullDeletion();
  await expect.element(note).toHaveValue('A new leaf');
  expect(await violationsInBothThemes()).toEqual([]);
});

test('nothing can be added to the history of a deleted plant, and typed text can still be copied', async () => {
  trackFormInput();
  await openHistory([journalEntry(), journalEntry({ id: 'other', type: 'pruned' })]);
  await choose('Add entry', 'Note…');
  const added = page.getByRole('form', { name: 'Add to history of Monty' });
  await added.getByLabelText('Note', { exact: true }).fill('A new leaf');
  await choose(/^Actions for Watered by hand/, 'Edit');
  const edited = page.getByRole('form', { name: 'Edit: Watered by hand' });
  await edited.getByLabelText('Note (optional)').fill('Rain water');
  await pullDeletion();
  await expect.element(added.getByRole('button', { name: 'Add' })).toBeDisabled();
  await expect.element(edited.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expect.element(button('Add entry')).not.toBeInTheDocument();
  await expect.element(button('Add photos')).not.toBeInTheDocument();
  await expect.element(history().getByText(/can be added again/)).not.toBeInTheDocument();
  await userEvent.type(edited.getByLabelText('Amount in ml (optional)'), '200{Enter}');
  await expect.element(edited.getByLabelText('Note (optional)')).toHaveValue('Rain water');
  await expect.element(added.getByLabelText('Note', { exact: true })).toHaveValue('A new leaf');
  expect(await db.outbox.count()).toBe(0);
  await added.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(added).not.toBeInTheDocument();
});

test('while the dialog of a deleted plant is open, its entries cannot be changed', async () => {
  trackFormInput();
  await openHistory([journalEntry({ type: 'pruned' })]);
  await choose('Add entry', 'Note…');
  await history().getByLabelText('Note', { exact: true }).fill('A new leaf');
  const actions = history().getByRole('button', { name: /^Actions for Pruned/ });
  await expect.element(actions).toBeVisible();
  await db.plants.delete('monty');
  await expect.element(history().getByText(/has been deleted on another device/)).toBeVisible();
  await expect.element(items().getByText('Pruned')).toBeVisible();
  await expect.element(actions).not.toBeInTheDocument();
});

test('leaving an unchanged or a saved entry needs no confirmation', async () => {
  const app = await openHistory([journalEntry()]);
  await choose(/^Actions for Watered by hand/, 'Edit');
  await app.navigate('/dashboard?plant=monty');
  await expect.element(page.getByRole('tabpanel', { name: 'Overview' })).toBeVisible();
  await app.navigate('/dashboard?plant=monty&tab=history&entry=new');
  await history().getByLabelText('Note (optional)').fill('A new leaf');
  await button('Add').click();
  await expect.poll(app.url).toBe('/dashboard?plant=monty&tab=history');
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
  // First the form must be closed, because getByText also finds the text in it.
  await expect.element(note).not.toBeInTheDocument();
  await expect.element(items().getByText('Cut back')).toBeVisible();
});

test('leaving two forms with input asks once, and leaving also asks if only the form opened second is still open', async () => {
  await openHistory([journalEntry()]);
  await choose('Add entry', 'Note…');
  const added = page.getByRole('form', { name: 'Add to history of Monty' });
  await added.getByLabelText('Note', { exact: true }).fill('A new leaf');
  await choose(/^Actions for Watered by hand/, 'Edit');
  const edited = page.getByRole('form', { name: 'Edit: Watered by hand' });
  await edited.getByLabelText('Note (optional)').fill('Rain water');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await button('Discard').click();
  await expect.element(page.getByRole('tabpanel', { name: 'Overview' })).toBeVisible();
  // After the form that was opened first is closed, the other one still blocks leaving.
  await page.getByRole('tab', { name: 'History' }).click();
  await choose('Add entry', 'Note…');
  await added.getByLabelText('Note', { exact: true }).fill('A new leaf');
  await choose(/^Actions for Watered by hand/, 'Edit');
  await edited.getByLabelText('Note (optional)').fill('Rain water');
  await added.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await button('Keep editing').click();
  await expect.element(edited.getByLabelText('Note (optional)')).toHaveValue('Rain water');
});

/** Stores the entries that a pull brings. */
async function pullEntries(entries: JournalEntry[], next: string | null = null): Promise<void> {
  await db.journal.put(journalRow({ plantId: 'monty', entries, next, version: 2 }));
}

test('an entry that another device deletes while it is edited can be added again with what was typed', async () => {
  const other = journalEntry({ id: 'other', type: 'pruned', at: iso(2 * dayMs) });
  const at = iso(dayMs);
  await openHistory([journalEntry({ at }), other]);
  await choose(/^Actions for Watered by hand/, 'Edit');
  const form = page.getByRole('form', { name: 'Edit: Watered by hand' });
  const note = form.getByLabelText('Note (optional)');
  await note.fill('Rain');
  await pullEntries([other]);
  await expect.element(form.getByRole('alert')).toHaveTextContent(/^This entry has been deleted/);
  await expect.element(note).toHaveFocus();
  await userEvent.type(note, ' water');
  await button('Add again').click();
  await expect.element(form).not.toBeInTheDocument();
  await expect.poll(announced).toBe('Entry added again');
  await expect.element(items().first()).toHaveTextContent(/^Watered by hand.*Rain water/);
  expect(await db.outbox.toArray()).toMatchObject([
    { type: 'add_entry', entry: { at: Date.parse(at), isServerTime: true, note: 'Rain water' } },
  ]);
  expect((await db.outbox.toArray())[0]?.entry?.id).not.toBe('e1');
});

test('a deleted entry whose form is cancelled disappears', async () => {
  await openHistory([journalEntry()]);
  await choose(/^Actions for Watered by hand/, 'Edit');
  await pullEntries([]);
  await expect.element(button('Add again')).toBeVisible();
  await button('Cancel').click();
  await expect.element(history().getByText('Nothing here yet')).toBeVisible();
});

test('typed text stays when another device moves the edited entry to another day or before the oldest loaded entry', async () => {
  const at = iso(dayMs);
  await openHistory([journalEntry({ id: 'other', at: iso(0) }), journalEntry({ at })]);
  await history()
    .getByRole('button', { name: /^Actions for Watered by hand/ })
    .nth(1)
    .click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const note = history().getByLabelText('Note (optional)');
  await note.fill('Rain water');
  await pullEntries([
    journalEntry({ id: 'other', at: iso(0) }),
    journalEntry({ at: iso(9 * dayMs) }),
    journalEntry({ id: 'new', type: 'pruned', at: iso(0) }),
  ]);
  await expect.element(items().getByText('Pruned', { exact: true })).toBeVisible();
  await expect.element(note).toHaveValue('Rain water');
  await pullEntries([journalEntry({ id: 'other', at: iso(0) })], 'cursor');
  await expect.element(button('Show older')).toBeVisible();
  await expect.element(note).toHaveValue('Rain water');
  await button('Save').click();
  await expect
    .poll(() => db.outbox.toArray())
    .toMatchObject([{ type: 'edit_entry', entry: { note: 'Rain water' } }]);
});

test('typed text stays when newer entries move the edited entry past those that are rendered', async () => {
  const entries = Array.from({ length: 30 }, (_, n) =>
    journalEntry({ id: `e${n}`, type: 'pruned', at: iso(n * dayMs), note: `Note ${n}` }),
  );
  await openHistory(entries.slice(1, 11));
  await items()
    .nth(9)
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const note = page.getByRole('form').getByLabelText('Note (optional)');
  await note.fill('Rain water');
  const newer = Array.from({ length: 60 }, (_, n) =>
    journalEntry({ id: `new${n}`, type: 'repotted', at: iso(n * 1_000) }),
  );
  await pullEntries([...newer, ...entries]);
  await expect.element(items().getByText('Repotted', { exact: true }).first()).toBeInTheDocument();
  await expect.element(note).toHaveValue('Rain water');
});

/** The pages of older entries that the server sends, oldest last. */
function respondWithOlder(pages: JournalEntry[][]): void {
  const left = [...pages];
  api.respond('GET /api/plants/monty/journal', () => {
    const entries = left.shift() ?? [];
    const next = left.length > 0 ? `page ${pages.length - left.length}` : null;
    return { status: 200, json: { version: 2, entries, next } };
  });
}

test('an edit of the note keeps a date before the oldest loaded entry that another device sets meanwhile', async () => {
  const other = journalEntry({ id: 'other', type: 'pruned', at: iso(2 * dayMs) });
  await openHistory([journalEntry({ at: iso(dayMs) }), other]);
  await choose(/^Actions for Watered by hand/, 'Edit');
  const form = page.getByRole('form');
  await form.getByLabelText('Note (optional)').fill('Rain water');
  const at = iso(9 * dayMs);
  const older = journalEntry({ id: 'older', type: 'repotted', at: iso(5 * dayMs) });
  respondWithOlder([[older], [journalEntry({ at, amount_ml: 300 })]]);
  await pullEntries([other], 'first page');
  await expect.element(items().getByText('Repotted', { exact: true })).toBeVisible();
  await expect.element(button('Show older')).not.toBeInTheDocument();
  await expect.element(form.getByRole('alert')).not.toBeInTheDocument();
  await button('Save').click();
  await expect
    .poll(() => db.outbox.toArray())
    .toMatchObject([
      {
        type: 'edit_entry',
        entry: { id: 'e1', at: Date.parse(at), amount_ml: 300, note: 'Rain water' },
      },
    ]);
});

test('an entry that another device deletes while it is edited can be added again once all older entries are loaded', async () => {
  const other = journalEntry({ id: 'other', type: 'pruned', at: iso(2 * dayMs) });
  await openHistory([journalEntry({ at: iso(dayMs) }), other]);
  await choose(/^Actions for Watered by hand/, 'Edit');
  respondWithOlder([[journalEntry({ id: 'older', type: 'repotted', at: iso(5 * dayMs) })]]);
  await pullEntries([other], 'first page');
  await expect.element(button('Add again')).toBeVisible();
});

test('typed text stays when Today becomes Yesterday at midnight', async () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime('2026-11-24T16:59:00Z');
  await openHistory([journalEntry({ at: iso(hourMs) })]);
  await choose(/^Actions for Watered by hand/, 'Edit');
  const note = history().getByLabelText('Note (optional)');
  await note.fill('Rain water');
  await expect.element(history().getByRole('heading', { name: 'Today' })).toBeVisible();
  vi.setSystemTime('2026-11-24T17:01:00Z');
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.element(history().getByRole('heading', { name: 'Yesterday' })).toBeVisible();
  await expect.element(note).toHaveValue('Rain water');
  await expect.element(note).toHaveFocus();
});

test.each([
  ['the amount', { amount_ml: 200 }, { at: 9, note: 'Tap water' }],
  ['the note', { note: 'Rain water' }, { at: 9, amount_ml: 300 }],
  ['the date', { at: 3 }, { note: 'Tap water', amount_ml: 300 }],
])('an edit of %s keeps what another device changes meanwhile', async (_, typed, pulled) => {
  const before = { at: 1, note: 'A', amount_ml: 100 };
  // `at` in days ago, at a time with seconds, which the form does not show.
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const momentOf = (days: number) => today - days * dayMs + 42_123;
  const entryOf = ({ at, ...values }: typeof before) =>
    journalEntry({ ...values, at: new Date(momentOf(at)).toISOString() });
  await openHistory([entryOf(before)]);
  await choose(/^Actions for Watered by hand/, 'Edit');
  const { at, note, amount_ml }: Partial<typeof before> = typed;
  const form = page.getByRole('form');
  if (note) await form.getByLabelText('Note (optional)').fill(note);
  if (amount_ml) await form.getByLabelText('Amount in ml (optional)').fill(String(amount_ml));
  if (at) {
    const date = new Date(momentOf(at)).toISOString().slice(0, 10);
    // Midnight in UTC is 7:00 in the account's zone.
    await form.getByLabelText('Date and time').fill(`${date}T07:00`);
  }
  await pullEntries([
    entryOf({ ...before, ...pulled }),
    journalEntry({ id: 'new', type: 'pruned', at: iso(0) }),
  ]);
  await expect.element(items().getByText('Pruned', { exact: true })).toBeVisible();
  await button('Save').click();
  const all = { ...before, ...pulled, ...typed };
  const expected = { ...all, at: at ? momentOf(at) - 42_123 : momentOf(all.at) };
  await expect
    .poll(() => db.outbox.toArray())
    .toMatchObject([{ type: 'edit_entry', entry: expected }]);
});
