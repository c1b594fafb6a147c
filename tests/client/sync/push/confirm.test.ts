import { expect, test } from 'vitest';
import type { Op } from '#client/store/outbox/op.ts';
import { type JournalRow, notFetched } from '#client/store/schema.ts';
import { storeConfirmedEntry } from '#client/sync/push/confirm.ts';
import type { JournalEntry } from '#domain/journal/entry.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import {
  journalEntry,
  journalRow,
  opRow,
  plantRecord,
  plantRow,
} from '../../../support/device/device-rows.ts';
import { freshDb } from '../../../support/device/fresh-db.ts';

const tap: Partial<Op> = { type: 'water', opId: 'e2' };
const removal: Partial<Op> = {
  type: 'remove_entry',
  entry: { id: 'e1', type: 'watered', at: 1, note: null, amount_ml: null, days: null },
};
const later = journalEntry({ id: 'e2', at: '2026-11-02T08:00:00.000Z' });
const earlier = journalEntry({ id: 'e2', at: '2026-10-02T08:00:00.000Z' });
const edited = journalEntry({ note: 'A' });

/**
 * The journal after `op` was confirmed with this version and entry. `row` and `before`: the stored journal and plant
 * before that.
 */
async function stored(
  row: JournalRow | null,
  op: Partial<Op>,
  journal_version: number | undefined,
  journal_entry?: JournalEntry | null,
  before = plantRecord(),
): Promise<JournalRow | undefined> {
  const db = freshDb();
  await db.plants.add(plantRow(before));
  if (row) await db.journal.add(row);
  const record: PlantRecord & { journal_entry?: unknown } = plantRecord({ journal_version });
  if (journal_entry !== undefined) record.journal_entry = journal_entry;
  await storeConfirmedEntry(db, opRow(op), record);
  return db.journal.get('p1');
}

const merged = (entries: JournalEntry[], changes: Partial<JournalRow> = {}) =>
  journalRow({ version: 2, entries, ...changes });

test.each<[what: string, actual: () => Promise<JournalRow | undefined>, expected: JournalRow]>([
  [
    'a new entry is stored in time order',
    () => stored(journalRow(), tap, 2, later),
    merged([later, journalEntry()]),
  ],
  [
    'an older entry is stored too, if there are no further pages',
    () => stored(journalRow(), tap, 2, earlier),
    merged([journalEntry(), earlier]),
  ],
  [
    'an entry of a later page is not stored, but the journal is up to date',
    () => stored(journalRow({ next: 'c' }), tap, 2, earlier),
    merged([journalEntry()], { next: 'c' }),
  ],
  [
    'an edited entry replaces its stored version',
    () => stored(journalRow(), { ...removal, type: 'edit_entry' }, 2, edited),
    merged([edited]),
  ],
  ['a removed entry is deleted', () => stored(journalRow(), removal, 2, null), merged([])],
  [
    'a journal that lacks other changes gets the entry and keeps its version, to be fetched',
    () => stored(journalRow(), tap, 3, later),
    journalRow({ entries: [later, journalEntry()] }),
  ],
  [
    'a journal that has the change already stays as it is',
    () => stored(journalRow({ version: 2 }), tap, 2, later),
    journalRow({ version: 2 }),
  ],
  [
    'a response without the entry, which an older server sends, changes nothing',
    () => stored(journalRow(), tap, 2),
    journalRow(),
  ],
  [
    'a journal that has grown far beyond a page is to be fetched again',
    () =>
      stored(
        journalRow({
          entries: Array.from({ length: 150 }, (_, i) => journalEntry({ id: `x${i}` })),
        }),
        tap,
        2,
        later,
      ),
    journalRow({ entries: Array.from({ length: 150 }, (_, i) => journalEntry({ id: `x${i}` })) }),
  ],
])('%s', async (_, actual, expected) => {
  expect(await actual()).toEqual(expected);
});

test('an entry of a journal that was not fetched is stored, and the journal is to be fetched', async () => {
  const unfetched = journalRow({ version: notFetched, isPage: false, entries: [later] });
  expect(await stored(null, tap, 1, later)).toEqual(unfetched);
  expect(await stored(null, tap, 3, later)).toEqual(unfetched);
  expect(await stored(unfetched, removal, 4, null)).toEqual(unfetched);
  expect(await stored(null, tap, undefined)).toBeUndefined();
});

test('the journal of a plant without entries is stored with its first entry', async () => {
  const untouched = plantRecord({ journal_version: 0, last_watered: null });
  expect(await stored(null, tap, 1, later, untouched)).toEqual(journalRow({ entries: [later] }));
});

test('if the response to a first entry shows that the journal has other changes too, the entry is stored, and the journal is to be fetched', async () => {
  const untouched = plantRecord({ journal_version: 0, last_watered: null });
  expect(await stored(null, tap, 2, later, untouched)).toEqual(
    journalRow({ version: 0, entries: [later] }),
  );
});

test('if a plant was watered before the server had journals, its journal is still to be fetched after its first entry', async () => {
  const watered = plantRecord({ journal_version: 0 });
  expect(await stored(null, tap, 1, later, watered)).toMatchObject({ version: notFetched });
});

test('a new plant gets an empty journal, unless the server has no journals', async () => {
  const create: Partial<Op> = { type: 'create', entity: 'local-1' };
  expect(await stored(null, create, 0)).toEqual(journalRow({ version: 0, entries: [] }));
  expect(await stored(null, create, undefined)).toBeUndefined();
});
