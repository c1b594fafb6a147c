import { expect, test } from 'vitest';
import { newOpId } from '#client/store/outbox/op.ts';

const ids = Array.from({ length: 2_000 }, newOpId);

test('an op id is a random UUID, version 4', () => {
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

test('op ids are unique', () => {
  expect(new Set(ids).size).toBe(ids.length);
});

test('every other digit of an op id takes every value', () => {
  const fixed = [8, 13, 14, 18, 19, 23];
  const free = Array.from({ length: 36 }, (_, i) => i).filter((i) => !fixed.includes(i));
  for (const i of free) expect(new Set(ids.map((id) => id[i])).size).toBe(16);
});
