import { expect, test } from 'vitest';
import { deviceDbName } from '#client/store/device-db-name.ts';
import { fc } from '../../support/properties.ts';

test('the database name of an account never changes: installed apps find their database by it', () => {
  expect(deviceDbName('demo@sprig.local')).toBe('sprig-jpyc16lyjg1eyprk2r522');
  expect(deviceDbName('')).toBe('sprig-26c8wzs8fs1kz98hrb9of');
});

test('an email address has the same database name in capitals and with spaces around it', () => {
  const name = deviceDbName('rose@garden.org');
  expect(deviceDbName('Rose@Garden.ORG')).toBe(name);
  expect(deviceDbName('  rose@garden.org\n')).toBe(name);
});

test('the name does not contain the email address', () => {
  expect(deviceDbName('rose@garden.org')).toMatch(/^sprig-[a-z0-9]+$/);
});

test('ten thousand similar email addresses have ten thousand names', () => {
  const names = Array.from({ length: 10_000 }, (_, i) => deviceDbName(`gardener${i}@garden.org`));
  expect(new Set(names).size).toBe(10_000);
});

test('two different email addresses have different database names', () => {
  const address = fc.string({ unit: 'grapheme' }).map((text) => text.trim().toLowerCase());
  fc.assert(
    fc.property(address, address, (a, b) => {
      fc.pre(a !== b);
      expect(deviceDbName(a)).not.toBe(deviceDbName(b));
    }),
  );
});
