import { expect, test } from 'vitest';
import type { ShownJournal } from '#client/store/journal/journal.ts';
import { applyEntryOps } from '#client/store/journal/shown-entries.ts';
import {
  noneTracked,
  trackEntries,
  unstoredEntries,
} from '#client/store/journal/unstored-entries.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { journalEntry, opRow } from '../../../support/device/device-rows.ts';

const backdated = Date.parse('2026-06-24T08:00:00Z');
const stored = journalEntry({ id: 'stored', type: 'pruned', at: '2026-11-01T08:00:00Z' });

/** A journal of which only the first page is stored, with these pending ops. */
function journalAt(
  serverVersion: number,
  ops: Op[] = [],
  { entries = [stored], next = 'c1' as string | null } = {},
): ShownJournal {
  const shown = applyEntryOps(entries, ops);
  const version = serverVersion;
  return { entries: shown, photos: [], ops, isStored: true, next, version, serverVersion };
}

function entryOp(type: 'add_entry' | 'edit_entry' | 'remove_entry', id = 'added', at = backdated) {
  const entry = { id, type: 'pruned', at, note: null, amount_ml: null, days: null } as const;
  return opRow({ opId: `${type} ${id}`, type, entry });
}
const addition = entryOp('add_entry');
const removal = entryOp('remove_entry');

/** The ids of the entries that are shown although they are not stored, after these journals were read. */
function unstoredAfter(...journals: ShownJournal[]): string[] {
  return unstoredEntries(journals.reduce(trackEntries, noneTracked)).map(({ id }) => id);
}

test('an entry that belongs to an older page is kept once it is confirmed', () => {
  const tracked = [journalAt(1, [addition]), journalAt(2)].reduce(trackEntries, noneTracked);
  expect(unstoredEntries(tracked)).toMatchObject([
    { id: 'added', at: backdated, serverAt: null, countedAt: backdated, state: 'saved' },
  ]);
});

test('an entry whose date was changed to one of an older page is kept once the edit is confirmed', () => {
  const edit = entryOp('edit_entry', 'moved');
  const entries = [stored, journalEntry({ id: 'moved', at: '2026-11-02T08:00:00Z' })];
  expect(unstoredAfter(journalAt(1, [edit], { entries }), journalAt(2))).toEqual(['moved']);
});

test('a kept entry is shown with a pending edit', () => {
  const at = backdated + 60_000;
  const edit = entryOp('edit_entry', 'added', at);
  const journals = [journalAt(1, [addition]), journalAt(2), journalAt(2, [edit])];
  expect(unstoredEntries(journals.reduce(trackEntries, noneTracked))).toMatchObject([
    { at, serverAt: null, state: 'waiting' },
  ]);
});

test.each([
  ['an addition that was undone', [journalAt(1, [addition]), journalAt(1)]],
  ['a recent entry', [journalAt(1, [entryOp('add_entry', 'a', Date.now())]), journalAt(2)]],
  [
    'an entry of a journal that is stored completely',
    [journalAt(1, [addition], { next: null }), journalAt(2, [], { next: null })],
  ],
  ['an entry that this device did not change', [journalAt(1), journalAt(2, [], { entries: [] })]],
  [
    'an entry that is stored',
    [
      journalAt(1, [addition]),
      journalAt(2, [], {
        entries: [stored, journalEntry({ id: 'added', at: '2026-06-24T08:00:00Z' })],
      }),
    ],
  ],
  [
    'an entry that was removed while its addition was being sent',
    [
      journalAt(1, [addition]),
      journalAt(1, [addition, removal]),
      journalAt(2, [removal]),
      journalAt(3),
    ],
  ],
])('not kept: %s', (_, journals) => {
  expect(unstoredAfter(...journals)).toEqual([]);
});

test('a kept entry disappears while its removal is pending and after that was sent, and is back after Undo', () => {
  const before = [journalAt(1, [addition]), journalAt(2), journalAt(2, [removal])];
  expect(unstoredAfter(...before)).toEqual([]);
  expect(unstoredAfter(...before, journalAt(2))).toEqual(['added']);
  expect(unstoredAfter(...before, journalAt(3))).toEqual([]);
  expect(unstoredAfter(...before, journalAt(3), journalAt(4))).toEqual([]);
});
