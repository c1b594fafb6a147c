import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** Hashes and verifies passwords; tests inject a cheaper one. */
export interface Hasher {
  hash(password: string): Promise<string>;
  verify(hashed: string, password: string): Promise<boolean>;
}

/** Argon2id with 19 MiB and two passes, as OWASP recommends. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashes the text in Unicode's form NFKC, because systems send one password as different characters: an accented letter,
 * or the letter and its accent. Hashes of version 0.1 and of earlier builds of 0.2 are of the text as it was sent.
 */
export const argon2Hasher: Hasher = {
  hash: (password) => hash(normalized(password), parameters),
  verify: async (hashed, password) => {
    // Both even if the first one matches, so that the duration does not depend on the stored hash.
    const texts = [...new Set([normalized(password), password])];
    const matches = await Promise.all(texts.map((text) => verify(hashed, text)));
    return matches.includes(true);
  },
};

function normalized(password: string): string {
  return password.normalize('NFKC');
}

/**
 * A hash that no password matches, because it is of random bytes. The returned function computes it at its first call, so
 * that the start is not slowed down. It tries again at the next call if that failed.
 */
export function unusablePasswordHash(hasher: Hasher): () => Promise<string> {
  let made: Promise<string> | undefined;
  return () => {
    made ??= hasher.hash(randomBytes(32).toString('base64url')).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
