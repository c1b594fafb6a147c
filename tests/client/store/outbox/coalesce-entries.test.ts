import { expect, test } from 'vitest';
import { coalesce } from '#client/store/outbox/coalesce.ts';
import { type NewOp, newOp, type Op, type OpEntry } from '#client/store/outbox/op.ts';
import type { EntryField } from '#domain/journal/entry.ts';
import { opRow, sentOnce } from '../../../support/device/device-rows.ts';

const entry: OpEntry = {
  id: 'e1',
  type: 'watered',
  at: 100,
  note: null,
  amount_ml: null,
  days: null,
};
const edited: OpEntry = { ...entry, at: 200, note: 'More', changed: ['note'] };
/** The entry with the values of `edited` in an op that changes these fields. */
const editedIn = (...changed: EntryField[]): OpEntry => ({ ...edited, changed });
const others = { watered: 7, fertilized: null, snooze: null };

function change(type: 'edit_entry' | 'remove_entry', changes: Partial<NewOp> = {}): NewOp {
  const known = { ...others, before: 150 };
  return {
    ...newOp({ opId: 'new', entity: 'p1', type, occurredAt: 9, entry: edited, known }),
    ...changes,
  };
}

const add = opRow({ seq: 1, type: 'add_entry', opId: 'e1', entry, known: others });
const tap = opRow({ seq: 1, type: 'water', opId: 'e1', occurredAt: 100, undoUntil: 10_000 });
const move: OpEntry = { ...entry, changed: ['at'] };
const edit = opRow({ seq: 2, type: 'edit_entry', entry: move, known: { ...others, before: 50 } });
const removal = opRow({ seq: 3, type: 'remove_entry', entry });
const sent = { ...sentOnce, state: 'uncertain' } as const;
const rejected = {
  ...sentOnce,
  state: 'rejected',
  lastError: { message: 'No', status: 422 },
  isNoticed: true,
} as const;

test.each<[what: string, op: Op]>([
  ['an unsent entry', add],
  ['an unsent tap on Water Now', tap],
  ['a rejected entry', { ...add, ...rejected, attempts: 0 }],
])(
  'an edit of %s replaces its op with an add_entry op at the same place in the outbox',
  (_, first) => {
    const { drop, replace, add: added } = coalesce([first], change('edit_entry'));
    expect({ drop, added }).toEqual({ drop: [], added: null });
    expect(replace).toMatchObject({
      seq: 1,
      opId: 'e1',
      type: 'add_entry',
      entry: { ...entry, at: 200, note: 'More' },
      state: 'queued',
      request: null,
      lastError: null,
      isNoticed: false,
    });
    expect(replace).not.toHaveProperty('undoUntil');
    expect(replace?.entry).not.toHaveProperty('changed');
  },
);

test('an edit of an unsent entry changes its op, even if other ops follow in the outbox', () => {
  const waiting = [add, opRow({ seq: 2 }), opRow({ seq: 3, type: 'water', opId: 'tap' })];
  const { replace } = coalesce(waiting, change('edit_entry'));
  expect(replace).toMatchObject({ seq: 1, entry: { at: 200, note: 'More' } });
});

test('two unsent edits of an entry are coalesced: the op changes the fields of both, and keeps the moment that the entry had before the first edit', () => {
  expect(coalesce([edit], change('edit_entry'))).toEqual({
    drop: [],
    replace: { ...edit, entry: editedIn('at', 'note'), known: { ...others, before: 50 } },
    add: null,
  });
});

test('if only the second of two unsent edits changes the moment, the op has the moment before the second', () => {
  const noted = { ...edit, entry: { ...entry, changed: ['note'] as const } };
  const op = change('edit_entry', { entry: editedIn('at') });
  expect(coalesce([noted], op).replace).toMatchObject({
    entry: editedIn('at', 'note'),
    known: { before: 150 },
  });
});

test('an edit that is coalesced into an unsent one of an earlier version changes all fields, as that one does', () => {
  const { replace } = coalesce([{ ...edit, entry }], change('edit_entry'));
  expect(replace?.entry).toEqual(editedIn('at', 'note', 'amount_ml'));
});

test('an edit replaces two unsent edits of its entry, so that no older value is sent after it', () => {
  const second = opRow({ ...edit, seq: 4, entry, known: { ...others, before: 100 } });
  expect(coalesce([edit, opRow({ seq: 3 }), second], change('edit_entry'))).toEqual({
    drop: [4],
    replace: {
      ...edit,
      entry: editedIn('at', 'note', 'amount_ml'),
      known: { ...others, before: 50 },
    },
    add: null,
  });
});

test.each<[what: string, first: Op]>([
  ['an unsent edit', edit],
  ['an unsent entry', add],
])(
  'an edit is added if a sent edit of the entry follows %s, so that the sent one is not last',
  (_, first) => {
    const frozen = opRow({ seq: 4, type: 'edit_entry', entry, ...sent });
    const op = change('edit_entry');
    expect(coalesce([first, frozen], op)).toEqual({ drop: [], replace: null, add: op });
  },
);

test.each<[what: string, waiting: Op[]]>([
  ['an entry that was sent', [{ ...add, ...sent }]],
  ['a tap that was sent', [{ ...tap, ...sent }]],
  ['an edit that was sent', [{ ...edit, ...sent }]],
  ['changes of another entry', [{ ...add, opId: 'e2', entry: { ...entry, id: 'e2' } }]],
])(
  'behind %s, an edit or a removal is added as a new op and changes no earlier one',
  (_, waiting) => {
    for (const op of [change('edit_entry'), change('remove_entry')]) {
      expect(coalesce(waiting, op)).toEqual({ drop: [], replace: null, add: op });
    }
  },
);

test('a rejected edit is replaced by the next one, which also changes its fields', () => {
  const op = change('edit_entry');
  expect(coalesce([{ ...edit, ...rejected }], op)).toEqual({
    drop: [2],
    replace: null,
    add: { ...op, entry: editedIn('at', 'note') },
  });
});

test('an edit that changes nothing is not added, but sends a rejected edit again', () => {
  const op = change('edit_entry', { entry: editedIn() });
  expect(coalesce([], op)).toEqual({ drop: [], replace: null, add: null });
  const { drop, add: added } = coalesce([{ ...edit, ...rejected }], op);
  expect(drop).toEqual([2]);
  expect(added?.entry).toEqual(editedIn('at'));
});

test.each<[what: string, waiting: Op[], drop: number[]]>([
  ['an unsent entry', [add], [1]],
  ['an unsent tap on Water Now', [tap], [1]],
  ['a rejected entry', [{ ...add, ...rejected }], [1]],
  ['an unsent entry with an edit', [add, edit], [1, 2]],
])('removing %s leaves nothing to send', (_, waiting, drop) => {
  expect(coalesce(waiting, change('remove_entry'))).toEqual({ drop, replace: null, add: null });
});

test('a removal drops an unsent edit of its entry, and takes its fields and the time of the entry before the edit from it', () => {
  const removed = change('remove_entry', { entry: { ...entry, at: 200 } });
  const { drop, add: added } = coalesce([{ ...add, ...sent }, edit], removed);
  expect(drop).toEqual([2]);
  const entryBefore = { ...entry, at: 200, changed: ['at'] };
  expect(added).toMatchObject({
    type: 'remove_entry',
    entry: entryBefore,
    known: { before: 50 },
  });
});

test('a removed entry is neither edited nor removed again, unless the removal was rejected', () => {
  for (const op of [change('edit_entry'), change('remove_entry')]) {
    expect(coalesce([removal], op)).toEqual({ drop: [], replace: null, add: null });
    expect(coalesce([{ ...removal, ...sent }], op).add).toBeNull();
    expect(coalesce([{ ...removal, ...rejected }], op).add).toEqual(op);
  }
});

test('entries are never coalesced with each other, and a deleted plant gets none', () => {
  const op = newOp({ opId: 'e2', entity: 'p1', type: 'add_entry', occurredAt: 9, entry: edited });
  expect(coalesce([add, tap], op)).toEqual({ drop: [], replace: null, add: op });
  expect(coalesce([opRow({ type: 'delete' })], op).add).toBeNull();
});

test('a delete of the plant drops the unsent changes of its journal', () => {
  const op = newOp({ opId: 'd', entity: 'p1', type: 'delete', occurredAt: 9 });
  expect(coalesce([add, edit, { ...removal, ...sent }], op)).toEqual({
    drop: [1, 2],
    replace: null,
    add: op,
  });
});

test('removing an unsent photo only drops its op, and removing a sent or rejected one adds a removal', () => {
  const photo = { id: 'f1', entryId: null, takenAt: 1, width: 2, height: 3 };
  const taken = opRow({ seq: 1, type: 'add_photo', photo });
  const op = newOp({ opId: 'r', entity: 'p1', type: 'remove_photo', occurredAt: 9, photo });
  expect(coalesce([taken], op)).toEqual({ drop: [1], replace: null, add: null });
  expect(coalesce([{ ...taken, ...sent }], op)).toEqual({ drop: [], replace: null, add: op });
  const rejected = { ...taken, ...sent, state: 'rejected' as const };
  expect(coalesce([rejected], op)).toEqual({ drop: [1], replace: null, add: op });
  const retried = { ...taken, attempts: 1 };
  expect(coalesce([retried], op)).toEqual({ drop: [1], replace: null, add: op });
});
