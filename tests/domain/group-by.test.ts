import { expect, test } from 'vitest';
import { groupBy } from '#domain/group-by.ts';

test('groups items by key, keys in the order of their first item and items in their given order', () => {
  const groups = groupBy(['pear', 'fig', 'plum', 'kiwi', 'yam'], ({ length }) => length);
  expect([...groups]).toEqual([
    [4, ['pear', 'plum', 'kiwi']],
    [3, ['fig', 'yam']],
  ]);
});

test('an empty list has no groups', () => {
  expect(groupBy([], String).size).toBe(0);
});
