import { expect, test } from 'vitest';
import { fileNamePart, numberText, plural, shellQuoted } from '#domain/text.ts';
import { fc } from '../support/properties.ts';

test.each([
  [0, '0'],
  [-0.04, '0'],
  [41.46, '41.5'],
  [41, '41'],
  [-3.25, '-3.3'],
  [99.96, '100'],
  [100.4, '100'],
  [999.6, '1,000'],
  [12_300, '12,300'],
  [-1_234_567.8, '-1,234,568'],
])('formats %d as %s', (value, text) => {
  expect(numberText(value)).toBe(text);
});

test('formats whole numbers as Intl does in en-US', () => {
  const whole = fc.integer({ min: -10_000_000, max: 10_000_000 });
  fc.assert(
    fc.property(whole, (value) => {
      expect(numberText(value)).toBe(value.toLocaleString('en-US'));
    }),
  );
});

test.each([
  [0, '0 changes'],
  [1, '1 change'],
  [2, '2 changes'],
])('formats a count of %d as %s', (count, text) => {
  expect(plural(count, 'change')).toBe(text);
});

test('accepts an irregular plural', () => {
  expect(plural(1, 'entry', 'entries')).toBe('1 entry');
  expect(plural(3, 'entry', 'entries')).toBe('3 entries');
});

test('quotes a text as one literal shell argument', () => {
  expect(shellQuoted('$HOME `id` "a" \\')).toBe(`'$HOME \`id\` "a" \\'`);
  expect(shellQuoted("it's")).toBe(`'it'\\''s'`);
});

test.each([
  ['Monty', 'Monty'],
  ['  ../Großer Farn (2)!  ', 'Großer-Farn-2'],
  ['نبتة 1', 'نبتة-1'],
  ['e\u0301', 'é'],
  ['\u202Edesrever', 'desrever'],
  ['???', ''],
  ['🌿'.repeat(3), ''],
  ['𝒜'.repeat(100), '𝒜'.repeat(60)],
])('%j becomes %j in the name of a file', (text, part) => {
  expect(fileNamePart(text)).toBe(part);
});
