import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { addEntry } from '#client/store/outbox/entries.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { type FakeApi, type FakeResponse, fakeApi } from '../../../support/component/api.ts';
import { stopClock } from '../../../support/component/clock.ts';
import { button } from '../../../support/component/form.ts';
import { acceptNext, announced, monty, pullPlants } from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { deferred } from '../../../support/deferred.ts';
import { journalEntry, journalRow } from '../../../support/device/device-rows.ts';

let db: DeviceDb;
let api: FakeApi;
beforeEach(async () => {
  stopClock();
  api = fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty({ journal_version: 1 })]);
});

const history = () => page.getByRole('tabpanel', { name: 'History' });
const items = () => history().getByRole('listitem');
const opsOf = async () => (await db.outbox.toArray()).map(({ type }) => type);

/** Opens the history of a plant that has older entries on the server. */
async function openHistory(): Promise<void> {
  await db.journal.put(journalRow({ plantId: 'monty', entries: [journalEntry()], next: 'c1' }));
  await openApp('/dashboard?plant=monty&tab=history');
  await expect.element(button('Show older')).toBeVisible();
}

test('older entries are loaded on demand, and loading can be retried after a failure', async () => {
  await openHistory();
  await button('Show older').click();
  await expect.element(history().getByRole('alert')).toBeVisible();
  const older = journalEntry({ id: 'old', type: 'pruned', at: '2026-09-01T08:00:00Z' });
  api.respond('GET /api/plants/monty/journal', {
    status: 200,
    json: { version: 1, entries: [older], next: null },
  });
  await button('Show older').click();
  await expect.element(items().getByText('Pruned', { exact: true })).toBeVisible();
  await expect.element(button('Show older')).not.toBeInTheDocument();
  await expect.element(history().getByRole('alert')).not.toBeInTheDocument();
});

test('with a filter, Show older loads entries until one of this kind is among them, and announces how many', async () => {
  await openHistory();
  await page.getByRole('combobox', { name: 'Show' }).selectOptions('Repotting');
  await expect
    .element(history().getByText('None of the loaded entries is of this kind.'))
    .toBeVisible();
  const pages = [
    { entries: [journalEntry({ id: 'one', at: '2026-10-01T08:00:00Z' })], next: 'c2' },
    {
      entries: [journalEntry({ id: 'two', type: 'repotted', at: '2026-09-01T08:00:00Z' })],
      next: 'c3',
    },
    { entries: [journalEntry({ id: 'three', at: '2026-08-01T08:00:00Z' })], next: null },
  ];
  api.respond('GET /api/plants/monty/journal', () => ({
    status: 200,
    json: { version: 1, ...pages.shift() },
  }));
  await button('Show older').click();
  await expect.element(items().getByText('Repotted', { exact: true })).toBeVisible();
  await expect.poll(announced).toBe('1 older entry shown');
  await button('Show older').click();
  await expect.poll(announced).toBe('No older entries of this kind');
  await expect.element(button('Show older')).not.toBeInTheDocument();
});

const show = (kind: string) => page.getByRole('combobox', { name: 'Show' }).selectOptions(kind);
const pageOf = (id: string, next: string) => ({
  status: 200,
  json: { version: 1, entries: [journalEntry({ id, note: id, at: '2026-09-01T08:00:00Z' })], next },
});

test('if a page fails while Show older searches for a kind, the pages before it are kept', async () => {
  await openHistory();
  await show('Repotting');
  const responses: FakeResponse[] = [pageOf('one', 'c2'), pageOf('two', 'c3')];
  api.respond('GET /api/plants/monty/journal', () => responses.shift() ?? 'unreachable');
  await button('Show older').click();
  await expect.element(history().getByRole('alert')).toBeVisible();
  await show('All');
  for (const note of ['one', 'two']) {
    await expect.element(items().getByText(note, { exact: true })).toBeVisible();
  }
});

test('when the filter is changed while Show older searches for a kind, the search ends and announces nothing', async () => {
  await openHistory();
  await show('Repotting');
  const { promise, resolve } = deferred();
  api.respond('GET /api/plants/monty/journal', async () => {
    await promise;
    return pageOf('one', 'c2');
  });
  await button('Show older').click();
  await show('Notes');
  resolve();
  await expect.element(button('Show older')).toBeEnabled();
  await expect.poll(announced).toBe('No entries shown');
  await show('All');
  await expect.element(items().getByText('one', { exact: true })).toBeVisible();
  expect(api.calls.filter(({ route }) => route.endsWith('/journal'))).toHaveLength(1);
});

test('after Show older the focus stays on the button, and in the history when the last entries are loaded', async () => {
  const respond = (id: string, next: string | null) => {
    const entry = journalEntry({ id, type: 'pruned', note: id, at: '2026-09-01T08:00:00Z' });
    api.respond('GET /api/plants/monty/journal', {
      status: 200,
      json: { version: 1, entries: [entry], next },
    });
  };
  await openHistory();
  respond('one', 'c2');
  await button('Show older').click();
  await expect.element(items().getByText('one')).toBeVisible();
  await expect.element(button('Show older')).toHaveFocus();
  respond('two', null);
  await button('Show older').click();
  await expect.element(items().getByText('two')).toBeVisible();
  await expect.poll(() => history().element().contains(document.activeElement)).toBe(true);
});

test.each(['c2', null])(
  'when older entries cannot be reloaded after a change, a tap on Show older replaces them (next page: %s)',
  async (next) => {
    const response = (version: number, type: string, cursor: string | null) => {
      const entry = journalEntry({ id: type, type, at: '2026-09-01T08:00:00Z' });
      return { status: 200, json: { version, entries: [entry], next: cursor } };
    };
    api.respond('GET /api/plants/monty/journal', response(1, 'pruned', next));
    await openHistory();
    await button('Show older').click();
    await expect.element(items().getByText('Pruned', { exact: true })).toBeVisible();
    api.respond('GET /api/plants/monty/journal', 'unreachable');
    await db.journal.update('monty', { version: 2 });
    await expect.element(history().getByRole('alert')).toBeVisible();
    api.respond('GET /api/plants/monty/journal', response(2, 'repotted', null));
    await button('Show older').click();
    await expect.element(items().getByText('Repotted', { exact: true })).toBeVisible();
    await expect.element(items().getByText('Pruned', { exact: true })).not.toBeInTheDocument();
    await expect.element(history().getByRole('alert')).not.toBeInTheDocument();
    await expect.element(button('Show older')).not.toBeInTheDocument();
  },
);

test('an older entry that is not stored can be deleted, and Undo restores it', async () => {
  const older = journalEntry({ id: 'old', type: 'pruned', at: '2026-09-01T08:00:00Z' });
  api.respond('GET /api/plants/monty/journal', {
    status: 200,
    json: { version: 1, entries: [older], next: null },
  });
  await openHistory();
  await button('Show older').click();
  await history()
    .getByRole('button', { name: /^Actions for Pruned/ })
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect.element(items().getByText('Pruned', { exact: true })).not.toBeInTheDocument();
  await button('Undo').click();
  await expect.element(items().getByText('Pruned', { exact: true })).toBeVisible();
  expect(await opsOf()).toEqual([]);
});

const repotted = () => items().getByText('Repotted', { exact: true });

/** Adds an entry with a date before the stored entries, from which sync does not store it once it is confirmed. */
async function addBackdated(): Promise<void> {
  const at = Date.parse('2026-06-24T08:00:00Z');
  const entry = { type: 'repotted', at, note: null, amount_ml: null, days: null } as const;
  await addEntry(db, 'monty', entry, Date.parse('2026-11-24T08:00:00Z'));
  await expect.element(repotted()).toBeVisible();
}

async function chooseAction(item: string): Promise<void> {
  await history()
    .getByRole('button', { name: /^Actions for Repotted/ })
    .click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('a backdated entry stays visible after it was sent, until its page is loaded', async () => {
  await openHistory();
  await addBackdated();
  await expect.element(history().getByText('Waiting to be sent')).toBeVisible();
  await acceptNext(db, monty({ journal_version: 2 }));
  await expect.element(history().getByText('Waiting to be sent')).not.toBeInTheDocument();
  await expect.element(repotted()).toBeVisible();
  const older = journalEntry({ id: 'old', type: 'pruned', at: '2026-06-01T08:00:00Z' });
  api.respond('GET /api/plants/monty/journal', {
    status: 200,
    json: { version: 2, entries: [older], next: null },
  });
  await button('Show older').click();
  await expect.element(items().getByText('Pruned', { exact: true })).toBeVisible();
  // Another device has deleted it meanwhile.
  await expect.element(repotted()).not.toBeInTheDocument();
});

test('a backdated entry that was sent can be deleted, and Undo restores it', async () => {
  await openHistory();
  await addBackdated();
  await acceptNext(db, monty({ journal_version: 2 }));
  await expect.element(history().getByText('Waiting to be sent')).not.toBeInTheDocument();
  await chooseAction('Delete');
  await expect.element(repotted()).not.toBeInTheDocument();
  await button('Undo').click();
  await expect.element(repotted()).toBeVisible();
});

test('a backdated entry that is deleted before it was sent disappears', async () => {
  await openHistory();
  await addBackdated();
  await chooseAction('Delete');
  await expect.poll(opsOf).toEqual([]);
  await expect.element(repotted()).not.toBeInTheDocument();
});
