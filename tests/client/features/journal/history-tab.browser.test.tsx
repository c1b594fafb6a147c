import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { addEntry } from '#client/store/outbox/entries.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { JournalEntry } from '#domain/journal/entry.ts';
import { violationsInBothThemes } from '../../../support/component/accessibility.ts';
import { fakeApi } from '../../../support/component/api.ts';
import { resizeScreen } from '../../../support/component/browser.ts';
import { stopClock } from '../../../support/component/clock.ts';
import { button } from '../../../support/component/form.ts';
import { announced, dayMs, hourMs, monty, pullPlants } from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { deferred } from '../../../support/deferred.ts';
import { blockTable } from '../../../support/device/block-table.ts';
import { journalEntry, journalRow } from '../../../support/device/device-rows.ts';
import { cameraJpeg } from '../../../support/photos/camera-jpeg.ts';
import { storePhoto } from '../../../support/photos/stored-photo.ts';

let db: DeviceDb;
beforeEach(async () => {
  // The form accepts dates of the last year only.
  stopClock('2026-11-24T12:00:00Z');
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty({ journal_version: 1 })]);
});

const iso = (msAgo: number) => new Date(Date.now() - msAgo).toISOString();
const history = () => page.getByRole('tabpanel', { name: 'History' });
const items = () => history().getByRole('listitem');
const opsOf = async () => (await db.outbox.toArray()).map(({ type }) => type);

async function openHistory(
  entries: JournalEntry[],
  options: { next?: string; url?: string } = {},
): Promise<void> {
  const next = options.next ?? null;
  await db.journal.put(journalRow({ plantId: 'monty', entries, next }));
  await openApp(options.url ?? '/dashboard?plant=monty&tab=history');
  await expect.element(button('Add entry')).toBeVisible();
}

async function choose(menu: string | RegExp, item: string): Promise<void> {
  await history().getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('entries are listed by day, with what happened and when, and entries made by the server have no actions', async () => {
  await openHistory([
    journalEntry({ id: 'a', at: iso(0), amount_ml: 200, note: 'Rain water' }),
    journalEntry({
      id: 'b',
      source: 'auto',
      at: iso(dayMs),
      amount_ml: 150,
      soil_before: 22.4,
      soil_after: 48,
    }),
    journalEntry({
      id: 'c',
      source: 'auto',
      type: 'not_watered',
      at: iso(dayMs + 1_000),
      reason: 'stale',
    }),
    journalEntry({ id: 'd', type: 'snoozed', days: 3, at: '2026-11-01T10:05:00Z' }),
    journalEntry({ id: 'e', type: 'of a newer server', at: '2026-11-01T10:00:00Z' }),
  ]);
  const days = history().getByRole('heading', { level: 3 });
  await expect
    .poll(() => days.elements().map(({ textContent }) => textContent))
    .toEqual(['Today', 'Yesterday', 'Nov 1, 2026']);
  await expect.element(items().nth(0)).toHaveTextContent(/Watered by hand · 200 ml.*Rain water/);
  await expect
    .element(items().nth(1))
    .toHaveTextContent('Watered by the pump · 150 ml · soil 22 % → 48 %');
  await expect
    .element(items().nth(2))
    .toHaveTextContent('Not watered: the last reading was too old');
  await expect.element(items().nth(3)).toHaveTextContent('Snoozed for 3 days5:05 PM');
  await expect.element(items().nth(4)).toHaveTextContent('Entry of a newer version of Sprig');
  const withActions = history().getByRole('button', { name: /^Actions for/ });
  expect(withActions.elements().map((one) => one.getAttribute('aria-label'))).toEqual([
    expect.stringMatching(/^Actions for Watered by hand · 200 ml/),
    'Actions for Snoozed for 3 days, 5:05 PM',
  ]);
});

test('an entry is added in two taps, waits to be sent, and can be undone', async () => {
  await openHistory([]);
  await expect.element(history().getByText('Nothing here yet')).toBeVisible();
  await choose('Add entry', 'Fertilized');
  await expect.element(items()).toHaveTextContent(/^Fertilized.*Waiting to be sent/);
  await expect.poll(announced).toBe('Monty fertilized, with ten seconds to undo it');
  expect(await opsOf()).toEqual(['add_entry']);
  await button('Undo').click();
  await expect.element(history().getByText('Nothing here yet')).toBeVisible();
  await expect.element(button('Undo')).not.toBeInTheDocument();
  await expect.poll(announced).toBe('Monty fertilized: undone');
  expect(await opsOf()).toEqual([]);
});

test('an empty note is rejected, and a note is added with its text', async () => {
  await openHistory([]);
  await choose('Add entry', 'Note…');
  await button('Add').click();
  const note = history().getByLabelText('Note', { exact: true });
  await expect.element(note).toHaveAccessibleDescription('Enter a note');
  await expect.element(note).toHaveFocus();
  await note.fill('A new leaf');
  await button('Add').click();
  await expect.element(items()).toHaveTextContent(/^NoteA new leaf/);
  expect((await db.outbox.toArray())[0]?.entry).toMatchObject({ type: 'note', note: 'A new leaf' });
});

test('a plant can be marked as fertilized in two taps from the menu of its card, and Undo removes the entry', async () => {
  await db.journal.put(journalRow({ plantId: 'monty', entries: [] }));
  await openApp('/dashboard/plants');
  await button('Actions for Monty').click();
  await page.getByRole('menuitem', { name: 'Fertilized' }).click();
  await expect.poll(announced).toBe('Monty fertilized, with ten seconds to undo it');
  expect(await opsOf()).toEqual(['add_entry']);
  await button('Undo').click();
  await expect.poll(opsOf).toEqual([]);
});

test('the menu of a card opens a form for a new entry, and the entry can be backdated', async () => {
  await db.journal.put(journalRow({ plantId: 'monty', entries: [] }));
  await openApp('/dashboard/plants');
  await button('Actions for Monty').click();
  await page.getByRole('menuitem', { name: 'Add to history…' }).click();
  const form = page.getByRole('form', { name: 'Add to history of Monty' });
  await form.getByLabelText('What').selectOptions('Watered');
  await form.getByLabelText('Date and time').fill('2026-11-10T09:30');
  await form.getByLabelText('Amount in ml (optional)').fill('0');
  await button('Add').click();
  await expect
    .element(form.getByLabelText('Amount in ml (optional)'))
    .toHaveAccessibleDescription('Enter 1 to 10000 ml');
  await form.getByLabelText('Amount in ml (optional)').fill('250');
  await button('Add').click();
  await expect.element(items()).toHaveTextContent(/^Watered by hand · 250 ml9:30 AM/);
  expect((await db.outbox.toArray())[0]?.entry).toMatchObject({
    at: Date.parse('2026-11-10T09:30:00+07:00'),
    amount_ml: 250,
  });
});

test.each([
  ['', 'Enter a date and a time'],
  ['2020-01-01T00:00', 'This is more than a year ago'],
  ['2099-01-01T00:00', 'This is in the future'],
])('a date like “%s” is not accepted: %s', async (date, message) => {
  await openHistory([], { url: '/dashboard?plant=monty&tab=history&entry=new' });
  const field = history().getByLabelText('Date and time');
  await field.fill(date);
  await button('Add').click();
  await expect.element(field).toHaveAccessibleDescription(message);
  expect(await opsOf()).toEqual([]);
});

test('the form to edit an entry replaces it in the list; saving keeps its exact moment, and Undo reverts the edit', async () => {
  const at = '2026-11-01T10:05:42.123Z';
  await openHistory([journalEntry({ at })]);
  await choose(/^Actions for Watered by hand/, 'Edit');
  const form = page.getByRole('form', { name: 'Edit: Watered by hand' });
  await form.getByLabelText('Note (optional)').fill('By mistake');
  await button('Save').click();
  await expect.element(form).not.toBeInTheDocument();
  await expect.element(items()).toHaveTextContent(/By mistake/);
  expect((await db.outbox.toArray())[0]?.entry).toMatchObject({
    at: Date.parse(at),
    isServerTime: true,
    note: 'By mistake',
  });
  await button('Undo').click();
  await expect.element(items()).not.toHaveTextContent(/By mistake/);
});

test('saving an entry unchanged closes the form, queues nothing and offers no undo', async () => {
  await openHistory([journalEntry()]);
  await choose(/^Actions for Watered by hand/, 'Edit');
  await button('Save').click();
  await expect.element(button('Save')).not.toBeInTheDocument();
  expect(button('Undo').elements()).toHaveLength(0);
  expect(announced() ?? '').not.toContain('changed');
  expect(await opsOf()).toEqual([]);
});

test.each([
  ['older than a year', 400 * dayMs],
  ['that is in the future for a clock that is behind', -5 * 60_000],
])('an entry %s can be edited without changing its date', async (_, msAgo) => {
  const at = iso(msAgo);
  await openHistory([journalEntry({ at })]);
  await choose(/^Actions for Watered by hand/, 'Edit');
  await history().getByLabelText('Amount in ml (optional)').fill('200');
  await button('Save').click();
  await expect.element(items()).toHaveTextContent(/^Watered by hand · 200 ml/);
  expect((await db.outbox.toArray())[0]?.entry).toMatchObject({ at: Date.parse(at) });
});

test('Undo restores a deleted entry', async () => {
  await openHistory([journalEntry()]);
  await choose(/^Actions for Watered by hand/, 'Delete');
  await expect.element(history().getByText('Nothing here yet')).toBeVisible();
  expect(await opsOf()).toEqual(['remove_entry']);
  await button('Undo').click();
  await expect.element(items()).toHaveTextContent(/^Watered by hand/);
  expect(await opsOf()).toEqual([]);
});

test('entries can be filtered by kind', async () => {
  await openHistory([journalEntry(), journalEntry({ id: 'b', type: 'fertilized' })]);
  await expect.element(items().nth(1)).toBeVisible();
  await history().getByLabelText('Show').selectOptions('Fertilizing');
  await expect.element(items()).toHaveTextContent(/^Fertilized/);
  await expect.poll(announced).toBe('1 entry shown');
  await history().getByLabelText('Show').selectOptions('Pruning');
  await expect.element(history().getByText('No entries of this kind.')).toBeVisible();
  await expect.poll(announced).toBe('No entries shown');
});

test('a filter that is chosen before the entries are read does not announce that there are none', async () => {
  await db.journal.put(journalRow({ plantId: 'monty', entries: [journalEntry()] }));
  const { release } = await blockTable(db.journal);
  await openApp('/dashboard?plant=monty&tab=history');
  await history().getByLabelText('Show').selectOptions('Waterings');
  await release();
  await expect.element(items()).toHaveTextContent(/^Watered by hand/);
  expect(announced()).toBe('');
});

test('each photo is shown once, in its day or with its entry, and the album shows all photos', async () => {
  const at = (minute: number) => `2026-11-20T08:0${minute}:00.000Z`;
  const photos = [
    await storePhoto(db, 'monty', { id: 'new', taken_at: at(9) }),
    await storePhoto(db, 'monty', { id: 'of entry', taken_at: at(5), entry_id: 'b' }),
  ];
  const entries = [
    journalEntry({ id: 'b', type: 'pruned', at: at(5), note: 'Cut back' }),
    journalEntry({ id: 'a', type: 'fertilized', at: at(1) }),
  ];
  await db.journal.put({ ...journalRow({ plantId: 'monty', entries }), photos });
  await openApp('/dashboard?plant=monty&tab=history');
  const titles = () =>
    history()
      .getByRole('region', { name: 'Nov 20, 2026' })
      .element()
      .querySelectorAll('li > div > p:first-child');
  const texts = () => [...titles()].map(({ textContent }) => textContent);
  await expect.poll(texts).toEqual(['1 photo', 'Pruned', 'Fertilized']);
  const names = () =>
    history()
      .getByRole('button', { name: /^Photo of/ })
      .elements()
      .map((photo) => photo.getAttribute('aria-label'));
  const both = [
    'Photo of Monty, Nov 20, 2026, 3:09 PM',
    'Photo of Monty, Nov 20, 2026, 3:05 PM, Cut back',
  ];
  expect(names()).toEqual(both);
  await button('All 2 photos').click();
  await expect.element(history().getByLabelText('Show')).toHaveValue('photos');
  await expect.element(history().getByRole('heading', { name: 'Photos' })).toBeVisible();
  await expect
    .element(history().getByRole('region', { name: 'Nov 20, 2026' }))
    .not.toBeInTheDocument();
  expect(names()).toEqual(both);
  await userEvent.keyboard('{Tab}');
  await expect.element(history().getByLabelText('Show')).toHaveFocus();
  await history()
    .getByRole('button', { name: /^Photo of Monty, Nov 20, 2026, 3:09 PM/ })
    .click();
  await expect.element(page.getByRole('dialog', { name: 'Photo of Monty' })).toBeVisible();
});

test('while photos of an entry are prepared no more can be chosen for it, and their problems stay visible', async () => {
  const leaf = await cameraJpeg(40, 30, (context) => context.fillRect(0, 0, 20, 30));
  const words = new File(['words'], 'words.jpg', { type: 'image/jpeg' });
  await openHistory([journalEntry()]);
  const decode = window.createImageBitmap.bind(window);
  const decoding = deferred();
  const spy = vi.spyOn(window, 'createImageBitmap').mockImplementationOnce(async () => {
    await decoding.promise;
    return decode(leaf);
  });
  onTestFinished(() => spy.mockRestore());
  await userEvent.upload(items().getByLabelText('Photos', { exact: true }), [leaf, words]);
  await expect.element(items().getByText('Adding 1/2...')).toBeVisible();
  await history()
    .getByRole('button', { name: /^Actions for/ })
    .click();
  const addPhotos = page.getByRole('menuitem', { name: 'Add photos' });
  await expect.element(addPhotos).toBeDisabled();
  await expect.element(page.getByRole('menuitem', { name: 'Edit' })).toHaveFocus();
  decoding.resolve();
  await expect.element(addPhotos).toBeEnabled();
  await expect
    .element(items().getByRole('alert'))
    .toHaveTextContent('words.jpg is not a photo that this device can read.');
});

test('photos older than the stored entries are shown in the album but not in the list of days', async () => {
  const photo = await storePhoto(db, 'monty', { id: 'old', taken_at: '2026-05-01T08:00:00.000Z' });
  const entries = [journalEntry({ at: '2026-11-20T08:00:00.000Z' })];
  const row = journalRow({ plantId: 'monty', entries, next: 'c1' });
  await db.journal.put({ ...row, photos: [photo] });
  await openApp('/dashboard?plant=monty&tab=history');
  const photos = history().getByRole('button', { name: /^Photo of/ });
  await expect.element(button('Show older')).toBeVisible();
  expect(photos.elements()).toEqual([]);
  await button('1 photo').click();
  await expect.element(photos).toBeVisible();
  await expect.element(button('Show older')).not.toBeInTheDocument();
});

test('a history that is not on this device yet is requested, and a text says that it is missing', async () => {
  await openApp('/dashboard?plant=monty&tab=history');
  await expect.element(history().getByText(/are not on this device yet/)).toBeVisible();
  expect(await db.syncState.get('history')).toMatchObject({ plantKey: 'monty' });
  await db.journal.put(journalRow({ plantId: 'monty', entries: [journalEntry()] }));
  await expect.element(items()).toHaveTextContent(/^Watered by hand/);
  await expect.element(history().getByText(/are not on this device yet/)).not.toBeInTheDocument();
});

const notes = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    journalEntry({ id: `e${i}`, at: iso(i * 7 * hourMs), note: `Note ${i}` }),
  );

test.each([10, 1_000])('the first frame shows ten of %d entries', async (count) => {
  const counts: number[] = [];
  const observer = new MutationObserver(() => {
    const rendered = document.querySelectorAll('[role="tabpanel"] li').length;
    if (rendered > 0) counts.push(rendered);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  await openHistory(notes(count));
  await expect.element(items().getByText('Note 9')).toBeInTheDocument();
  observer.disconnect();
  expect(counts[0]).toBe(10);
});

test('a list of 301 entries grows while scrolling, up to the oldest entry, and can be filtered', async () => {
  await openHistory([
    ...notes(300),
    journalEntry({ id: 'oldest', type: 'pruned', at: iso(99 * dayMs) }),
  ]);
  await expect.poll(() => items().elements().length).toBe(30);
  for (let count = 50; count <= 290; count += 20) {
    items().elements().at(-1)?.scrollIntoView();
    await expect.poll(() => items().elements().length).toBeGreaterThanOrEqual(count);
  }
  items().elements().at(-1)?.scrollIntoView();
  await expect.poll(() => items().elements().length).toBe(301);
  await expect.element(items().last()).toHaveTextContent(/^Pruned/);
  await history().getByLabelText('Show').selectOptions('Pruning');
  await expect.element(items()).toHaveTextContent(/^Pruned/);
});

test('a rejected entry says that it could not be saved, and an edit queues it again', async () => {
  const values = { type: 'note', note: 'Too long', amount_ml: null, days: null } as const;
  await addEntry(db, 'monty', { ...values, at: Date.now() }, Date.now());
  await db.outbox.toCollection().modify({ state: 'rejected', attempts: 1 });
  await openHistory([]);
  await expect.element(items()).toHaveTextContent(/Could not be saved/);
  await choose(/^Actions for Note/, 'Edit');
  await history().getByLabelText('Note', { exact: true }).fill('Short');
  await button('Save').click();
  await expect.element(items()).toHaveTextContent(/^NoteShort.*Waiting to be sent/);
});

test('an entry can be added and undone with the keyboard', async () => {
  await openHistory([]);
  (button('Add entry').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('menuitem', { name: 'Watered' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(items()).toHaveTextContent(/^Fertilized/);
  await expect.element(button('Undo')).toBeVisible();
  await userEvent.tab();
  await expect.element(history().getByRole('button', { name: 'Add photos' })).toHaveFocus();
  await userEvent.tab();
  await userEvent.tab();
  await expect.element(button('Undo')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(history().getByText('Nothing here yet')).toBeVisible();
});

test.each([320, 1440])(
  'at %d px a long note fits, and the history is accessible',
  async (width) => {
    await resizeScreen(width, 800);
    const note = `${'A long note with many words. '.repeat(20)}${'x'.repeat(300)}`;
    await openHistory([
      journalEntry({ note, amount_ml: 200 }),
      journalEntry({ id: 'b', type: 'snoozed', days: 2 }),
      journalEntry({ id: 'c', source: 'auto', type: 'not_watered', reason: 'runs_used' }),
    ]);
    await expect.element(items().nth(2)).toBeVisible();
    const panel = history().element();
    expect(panel.scrollWidth).toBeLessThanOrEqual(panel.clientWidth);
    expect(await violationsInBothThemes()).toEqual([]);
    await choose(/^Actions for Watered by hand/, 'Edit');
    expect(panel.scrollWidth).toBeLessThanOrEqual(panel.clientWidth);
    expect(await violationsInBothThemes()).toEqual([]);
  },
);
