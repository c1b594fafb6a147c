import { expect, test } from 'vitest';
import { openDeviceDb } from '#client/store/database.ts';
import { canUndo, isUnsent, newOpId, opTraits, undoMs } from '#client/store/outbox/op.ts';
import { opRow, sentOnce } from '../../../support/device/device-rows.ts';

const ids = Array.from({ length: 2_000 }, newOpId);

test('an op id is a random UUID, version 4', () => {
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

test('op ids are unique', () => {
  expect(new Set(ids).size).toBe(ids.length);
});

test('every random digit of an op id takes every value', () => {
  const fixed = [8, 13, 14, 18, 19, 23];
  const free = Array.from({ length: 36 }, (_, i) => i).filter((i) => !fixed.includes(i));
  for (const i of free) expect(new Set(ids.map((id) => id[i])).size).toBe(16);
});

const whenTypesChange = `Tabs and service workers of older apps do not know a new type. They would delete such an op as if it had been sent.
Add a version of the device database with it, which closes the database there, then update this test.
If only the version is new, write its number into this test.`;

test('a new type of op comes with a new version of the device database', () => {
  const { verno } = openDeviceDb('op-types');
  expect({ [verno]: Object.keys(opTraits) }, whenTypesChange).toEqual({
    5: [
      'create',
      'update',
      'water',
      'delete',
      'add_entry',
      'edit_entry',
      'remove_entry',
      'add_photo',
      'remove_photo',
    ],
  });
});

test.each([
  [opRow(), true],
  [opRow({ attempts: 3, nextAt: 9 }), true],
  [opRow({ state: 'inflight' }), false],
  [opRow(sentOnce), false],
  [opRow({ ...sentOnce, state: 'uncertain' }), false],
  [opRow({ ...sentOnce, state: 'rejected' }), false],
])('%#: an op is unsent while it is queued and was never sent', (op, expected) => {
  expect(isUnsent(op)).toBe(expected);
});

const now = 1_000_000;

test.each([
  ['until its time to undo ends', { undoUntil: now + 1 }, true],
  ['when its time to undo has ended', { undoUntil: now }, false],
  ['without a time to undo', {}, false],
  ['once it is being sent', { undoUntil: now + 1, state: 'inflight' as const }, false],
  ['when the clock was set back by a day', { undoUntil: now + undoMs + 86_400_000 }, false],
])('whether an op can be undone %s', (_, op, expected) => {
  expect(canUndo(opRow(op), now)).toBe(expected);
});
