import { expect, test } from 'vitest';
import {
  applyEntryOps,
  entriesBesides,
  isOwnEntry,
  type ShownEntry,
} from '#client/store/journal/shown-entries.ts';
import type { Op, OpEntry } from '#client/store/outbox/op.ts';
import type { JournalEntry } from '#domain/journal/entry.ts';
import { journalEntry, opRow, sentOnce } from '../../../support/device/device-rows.ts';

const first = Date.parse('2026-11-01T08:00:00Z');
const hourMs = 3_600_000;
const rejected: Partial<Op> = { ...sentOnce, state: 'rejected' };

function opEntry(changes: Partial<OpEntry> = {}): OpEntry {
  const values = { type: 'note', note: null, amount_ml: null, days: null } as const;
  return { id: 'e1', at: first, ...values, ...changes };
}

function shown(stored: JournalEntry[], ...ops: Partial<Op>[]): ShownEntry[] {
  return applyEntryOps(
    stored,
    ops.map((op, i) => opRow({ seq: i + 1, ...op })),
  );
}

test.each<[what: string, ops: Partial<Op>[], expected: Partial<ShownEntry>[]]>([
  [
    'a stored entry without an op has the state saved',
    [],
    [{ id: 'e1', at: first, serverAt: first, state: 'saved' }],
  ],
  [
    'a tap on Water Now is an entry with the id of its op',
    [{ type: 'water', opId: 'tap', occurredAt: first + hourMs }],
    [
      { id: 'tap', type: 'watered', at: first + hourMs, serverAt: null, state: 'waiting' },
      { id: 'e1' },
    ],
  ],
  [
    'a waiting entry is shown at its own moment',
    [
      {
        type: 'add_entry',
        opId: 'e2',
        entry: opEntry({ id: 'e2', note: 'New leaf', at: first - hourMs }),
      },
    ],
    [
      { id: 'e1' },
      { id: 'e2', type: 'note', note: 'New leaf', countedAt: first - hourMs, state: 'waiting' },
    ],
  ],
  [
    'a rejected new entry is shown, but does not count',
    [{ type: 'add_entry', opId: 'e2', entry: opEntry({ id: 'e2', at: first + 1 }), ...rejected }],
    [{ id: 'e2', countedAt: null, state: 'rejected' }, { id: 'e1' }],
  ],
  [
    'an edit changes moment, note and amount',
    [{ type: 'edit_entry', entry: opEntry({ at: first + 5, note: 'A', amount_ml: 200 }) }],
    [
      {
        id: 'e1',
        type: 'watered',
        at: first + 5,
        note: 'A',
        amount_ml: 200,
        serverAt: first,
        countedAt: first + 5,
        state: 'waiting',
      },
    ],
  ],
  [
    'an edit changes only its own fields, and keeps the moment of the server',
    [{ type: 'edit_entry', entry: opEntry({ at: first + 5, note: 'A', changed: ['note'] }) }],
    [{ id: 'e1', at: first, note: 'A', countedAt: first, state: 'waiting' }],
  ],
  [
    'a rejected edit stays visible, but the former moment counts for the plant’s dates',
    [{ type: 'edit_entry', entry: opEntry({ at: first + 5 }), ...rejected }],
    [{ id: 'e1', at: first + 5, countedAt: first, state: 'rejected' }],
  ],
  [
    'an edit of an entry that is not known is not shown',
    [{ type: 'edit_entry', entry: opEntry({ id: 'other' }) }],
    [{ id: 'e1', state: 'saved' }],
  ],
  ['a removed entry is not shown', [{ type: 'remove_entry', entry: opEntry() }], []],
  [
    'an entry whose removal was rejected is back',
    [{ type: 'remove_entry', entry: opEntry(), ...rejected }],
    [{ id: 'e1', at: first, state: 'rejected' }],
  ],
  [
    'a tap whose entry the server already has is shown once, with its own moment and the server’s',
    [{ type: 'water', opId: 'e1', occurredAt: first - 1_000, ...sentOnce, state: 'uncertain' }],
    [{ id: 'e1', at: first - 1_000, serverAt: first, state: 'waiting' }],
  ],
  ['other ops change nothing', [{ edits: { nickname: 'B' } }], [{ id: 'e1', state: 'saved' }]],
])('%s', (_, ops, expected) => {
  expect(shown([journalEntry()], ...ops)).toMatchObject(expected);
  expect(shown([journalEntry()], ...ops)).toHaveLength(expected.length);
});

test('entries are listed newest first, and entries of the same moment in descending order of their ids', () => {
  const stored = ['a', 'c', 'b'].map((id) => journalEntry({ id }));
  const newer = journalEntry({ id: 'd', at: '2026-11-02T08:00:00Z' });
  expect(shown([...stored, newer]).map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a']);
});

test.each<[Partial<JournalEntry>, boolean]>([
  [{ type: 'watered' }, true],
  [{ type: 'note' }, true],
  [{ type: 'watered', source: 'auto' }, false],
  [{ type: 'not_watered', source: 'auto' }, false],
  [{ type: 'a kind of a newer server' }, false],
])('a person may change only manual entries of known types: %o → %s', (changes, expected) => {
  expect(isOwnEntry(journalEntry(changes) as JournalEntry)).toBe(expected);
});

test('an op of an entry contains the newest other watering, fertilizing and snooze, and the time of its entry before the change', () => {
  const stored = [
    journalEntry({ id: 'late', at: '2026-11-09T08:00:00Z' }),
    journalEntry({ id: 'pump', source: 'auto', at: '2026-11-05T08:00:00Z' }),
    journalEntry({ id: 'early', at: '2026-11-02T08:00:00Z' }),
    journalEntry({ id: 'fed', type: 'fertilized', at: '2026-10-20T08:00:00Z' }),
    journalEntry({ id: 'wet', type: 'snoozed', days: 2, at: '2026-11-08T08:00:00Z' }),
  ];
  const recorded = { watered: Date.parse('2026-11-09T08:00:00Z'), fertilized: null };
  expect(entriesBesides('late', shown(stored), recorded, true)).toEqual({
    before: Date.parse('2026-11-09T08:00:00Z'),
    watered: Date.parse('2026-11-05T08:00:00Z'),
    fertilized: Date.parse('2026-10-20T08:00:00Z'),
    snooze: { at: Date.parse('2026-11-08T08:00:00Z'), days: 2 },
  });
});

test('without a stored journal an op contains the dates of the plant instead', () => {
  const recorded = { watered: first, fertilized: first - 1 };
  expect(entriesBesides('new', [], recorded, false)).toEqual({ ...recorded, snooze: null });
});

test('an op has no `before` if an older entry of its type may exist but none is stored', () => {
  const recorded = { watered: first, fertilized: null };
  const entries = shown([journalEntry()]);
  expect(entriesBesides('e1', entries, recorded, false)).not.toHaveProperty('before');
  expect(entriesBesides('e1', entries, recorded, true)).toMatchObject({
    before: first,
    watered: null,
  });
});
