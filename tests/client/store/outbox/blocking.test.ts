import { expect, test } from 'vitest';
import { blocksLaterOps, isBlocked } from '#client/store/outbox/blocking.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { opRow, sentOnce } from '../../../support/device-rows.ts';

test.each<[what: string, op: Partial<Op>, expected: boolean]>([
  ['an unsent edit', {}, true],
  ['an edit that is being sent', { ...sentOnce, state: 'inflight' }, true],
  ['an edit of unknown outcome', { ...sentOnce, state: 'uncertain' }, true],
  ['a rejected edit', { ...sentOnce, state: 'rejected' }, false],
  ['a rejected watering', { ...sentOnce, type: 'water', state: 'rejected' }, false],
  ['a rejected deletion', { ...sentOnce, type: 'delete', state: 'rejected' }, false],
  ['a rejected create', { ...sentOnce, type: 'create', state: 'rejected' }, true],
])('%s blocks the later ops of its plant: %#', (_, op, expected) => {
  const [first, later] = [opRow({ seq: 1, ...op }), opRow({ seq: 2 })];
  expect(blocksLaterOps(first)).toBe(expected);
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
