import type { Hasher } from '#server/accounts/password.ts';
import { cheapHasher } from './server.ts';

/** Fast hashing for tests. Records its calls, because response times depend on how often the server hashes. */
export interface CountingHasher extends Hasher {
  calls: ('hash' | 'verify')[];
}

export function countingHasher(): CountingHasher {
  const calls: CountingHasher['calls'] = [];
  return {
    calls,
    hash: async (password) => {
      calls.push('hash');
      return await cheapHasher.hash(password);
    },
    verify: async (hashed, password) => {
      calls.push('verify');
      return await cheapHasher.verify(hashed, password);
    },
  };
}
