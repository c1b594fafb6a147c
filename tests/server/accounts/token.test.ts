import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { expect, test } from 'vitest';
import { accountIn, newToken } from '#server/accounts/token.ts';

test('a token names its account', () => {
  for (let n = 0; n < 500; n += 1) {
    const account = n % 2 ? uuidv7() : crypto.randomUUID();
    expect(accountIn(newToken(account))).toBe(account);
  }
});

test('a device token has the format that version 0.1 accepts', () => {
  for (let n = 0; n < 100; n += 1) {
    expect(`sprig_${newToken(uuidv7())}`).toMatch(/^sprig_[\w-]{43}$/);
  }
});

test('two tokens of an account differ', () => {
  const account = uuidv7();
  expect(new Set(Array.from({ length: 100 }, () => newToken(account))).size).toBe(100);
});

test.each(['', '_', 'nonsense', 'a'.repeat(43), `${'-'.repeat(22)}_${'a'.repeat(20)}`])(
  'no account is read from %j',
  (token) => expect(accountIn(token)).toBeNull(),
);

test('an account is read by mistake from less than 1 % of the tokens of version 0.1, which contain none', () => {
  const old = Array.from({ length: 5_000 }, () => randomBytes(32).toString('base64url'));
  expect(old.filter((token) => accountIn(token) !== null).length).toBeLessThan(50);
});
