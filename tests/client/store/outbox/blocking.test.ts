import { expect, test } from 'vitest';
import { blocks, isBlocked } from '#client/store/outbox/blocking.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { opRow, sentOnce } from '../../../support/device/device-rows.ts';

test.each<[what: string, op: Partial<Op>, expected: boolean]>([
  ['an unsent edit', {}, true],
  ['an edit that is being sent', { ...sentOnce, state: 'inflight' }, true],
  ['an edit of unknown outcome', { ...sentOnce, state: 'uncertain' }, true],
  ['a rejected edit', { ...sentOnce, state: 'rejected' }, false],
  ['a rejected watering', { ...sentOnce, type: 'water', state: 'rejected' }, false],
  ['a rejected deletion', { ...sentOnce, type: 'delete', state: 'rejected' }, false],
  ['a rejected create', { ...sentOnce, type: 'create', state: 'rejected' }, true],
])('whether %s blocks the later ops of its plant: case %#', (_, op, expected) => {
  const [first, later] = [opRow({ seq: 1, ...op }), opRow({ seq: 2 })];
  expect(blocks(first, later)).toBe(expected);
  expect(isBlocked(later, [first, later])).toBe(expected);
});

test('no op waits for a later one of its plant', () => {
  const [first, later] = [opRow({ seq: 1 }), opRow({ seq: 2 })];
  expect(isBlocked(first, [first, later])).toBe(false);
});

test('an op that is being sent waits for no other', () => {
  const retried = opRow({ seq: 1 });
  const sending = opRow({ ...sentOnce, seq: 2, state: 'inflight' });
  expect(isBlocked(sending, [retried, sending])).toBe(false);
});

const photo = (id: string) => ({ id, entryId: null, takenAt: 0, width: 4, height: 3 });
const addPhoto: Partial<Op> = { type: 'add_photo', photo: photo('one') };
const note = { id: 'e1', type: 'note', at: 0, note: 'A', amount_ml: null, days: null } as const;
const photoOfEntry: Partial<Op> = { type: 'add_photo', photo: { ...photo('one'), entryId: 'e1' } };
const removePhoto: Partial<Op> = { type: 'remove_photo', photo: photo('one') };

test.each<[what: string, earlier: Partial<Op>, later: Partial<Op>, expected: boolean]>([
  ['a watering does not wait for a photo', addPhoto, { type: 'water' }, false],
  ['an edit does not wait for a photo', addPhoto, {}, false],
  ['a photo does not wait for an edit', {}, addPhoto, false],
  [
    'a photo does not wait for another photo',
    { ...addPhoto, photo: photo('two') },
    addPhoto,
    false,
  ],
  ['a photo waits for its plant', { type: 'create' }, addPhoto, true],
  [
    'a photo waits for its plant that was rejected',
    { type: 'create', state: 'rejected' },
    addPhoto,
    true,
  ],
  ['a photo waits for its entry', { type: 'add_entry', entry: note }, photoOfEntry, true],
  ['a photo waits for its watering', { type: 'water', opId: 'e1' }, photoOfEntry, true],
  [
    'a photo does not wait for its rejected entry',
    { type: 'add_entry', entry: note, state: 'rejected' },
    photoOfEntry,
    false,
  ],
  ['a photo does not wait for another entry', { type: 'add_entry', entry: note }, addPhoto, false],
  [
    'a photo does not wait for an edit of its entry',
    { type: 'edit_entry', entry: note },
    photoOfEntry,
    false,
  ],
  ['a removal waits for its photo', addPhoto, removePhoto, true],
  [
    'a removal does not wait for its rejected photo',
    { ...addPhoto, state: 'rejected' },
    removePhoto,
    false,
  ],
  ['the deletion of a plant does not wait for its photos', addPhoto, { type: 'delete' }, false],
])('%s', (_, earlier, later, expected) => {
  const [first, second] = [opRow({ seq: 1, ...earlier }), opRow({ seq: 2, ...later })];
  expect(isBlocked(second, [first, second])).toBe(expected);
});
