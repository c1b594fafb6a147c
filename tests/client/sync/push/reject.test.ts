import { expect, test } from 'vitest';
import type { Op, OpEntry } from '#client/store/outbox/op.ts';
import { rejectOp } from '#client/sync/push/reject.ts';
import { opRow, sentOnce } from '../../../support/device/device-rows.ts';
import { freshDb } from '../../../support/device/fresh-db.ts';

const entry: OpEntry = {
  id: 'e1',
  type: 'note',
  at: 1,
  note: 'A',
  amount_ml: null,
  days: null,
};
const edited = { ...entry, note: 'B' };
const add = opRow({ ...sentOnce, seq: 1, type: 'add_entry', opId: 'e1', entry, state: 'inflight' });
const error = { message: 'No', status: 422 };

/** The outbox after the first of these ops was rejected. */
async function afterRejection(first: Op, ...others: Partial<Op>[]): Promise<Op[]> {
  const db = freshDb();
  await db.outbox.bulkAdd([first, ...others.map((op, i) => opRow({ seq: i + 2, ...op }))]);
  await rejectOp(db, first, error);
  return db.outbox.toArray();
}

test('a rejected op is kept with the reason, and other ops do not change', async () => {
  const ops = await afterRejection(add, { type: 'water', opId: 'tap' });
  expect(ops).toMatchObject([
    { seq: 1, state: 'rejected', lastError: error, entry },
    { seq: 2, type: 'water', state: 'queued' },
  ]);
});

test('a later edit of a rejected entry is coalesced into it', async () => {
  const ops = await afterRejection(add, { type: 'edit_entry', entry: edited });
  expect(ops).toMatchObject([{ seq: 1, state: 'rejected', entry: edited }]);
  expect(ops).toHaveLength(1);
});

test.each(['queued', 'inflight', 'uncertain'] as const)(
  'an edit of a rejected entry is coalesced into it although the edit is %s',
  async (state) => {
    const edit = { ...sentOnce, type: 'edit_entry', entry: edited, state } as const;
    const ops = await afterRejection(add, { type: 'edit_entry', entry }, edit);
    expect(ops).toMatchObject([{ seq: 1, state: 'rejected', lastError: error, entry: edited }]);
    expect(ops).toHaveLength(1);
  },
);

test('a rejected watering that was edited meanwhile becomes a rejected entry', async () => {
  const tap = opRow({ ...sentOnce, seq: 1, type: 'water', opId: 'e1', state: 'inflight' });
  const ops = await afterRejection(tap, { type: 'edit_entry', entry: edited });
  expect(ops).toMatchObject([{ seq: 1, type: 'add_entry', state: 'rejected', entry: edited }]);
  expect(ops).toHaveLength(1);
});

test.each(['queued', 'inflight', 'uncertain'] as const)(
  'a rejected entry that was removed meanwhile is deleted with its removal, even if the removal is %s',
  async (state) => {
    const removal = { ...sentOnce, type: 'remove_entry', entry, state } as const;
    expect(await afterRejection(add, removal)).toEqual([]);
    expect(await afterRejection(add, { type: 'edit_entry', entry: edited }, removal)).toEqual([]);
  },
);

test('a rejected create whose plant was deleted meanwhile is removed with all ops of the plant', async () => {
  const create = opRow({ ...sentOnce, seq: 1, type: 'create', state: 'inflight' });
  expect(await afterRejection(create, { type: 'water', opId: 'tap' }, { type: 'delete' })).toEqual(
    [],
  );
});

test('a rejected photo that was removed meanwhile is deleted from the outbox; its removal is still sent', async () => {
  const photo = { id: 'p1', entryId: null, takenAt: 1, width: 8, height: 6 };
  const upload = opRow({ ...sentOnce, seq: 1, type: 'add_photo', photo, state: 'inflight' });
  // The response to an earlier attempt may have been lost, and the plant deleted since.
  const removal = await afterRejection(upload, { type: 'remove_photo', photo });
  expect(removal).toMatchObject([{ seq: 2, type: 'remove_photo', state: 'queued' }]);
  const [kept] = await afterRejection(upload, {
    type: 'remove_photo',
    photo: { ...photo, id: 'p2' },
  });
  expect(kept).toMatchObject({ seq: 1, state: 'rejected', lastError: error });
});
