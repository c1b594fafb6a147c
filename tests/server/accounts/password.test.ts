import { hash } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { argon2Hasher } from '#server/accounts/password.ts';

/** The same text as two systems send it: one letter with its accent, or letter and accent. */
const composed = 'g\u00e4rten-12';
const decomposed = 'ga\u0308rten-12';

test.each([
  [composed, decomposed],
  [decomposed, composed],
  ['\uff11\uff12garden', '12garden'],
])('a password that was set as %j is right as %j', async (set, typed) => {
  const hashed = await argon2Hasher.hash(set);
  expect(await argon2Hasher.verify(hashed, typed)).toBe(true);
  expect(await argon2Hasher.verify(hashed, set)).toBe(true);
  expect(await argon2Hasher.verify(hashed, `${typed}3`)).toBe(false);
});

test('a password whose hash was stored without normalization is still right', async () => {
  const hashed = await hash(decomposed);
  expect(await argon2Hasher.verify(hashed, decomposed)).toBe(true);
});
