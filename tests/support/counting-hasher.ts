import type { Hasher } from '#server/accounts/password.ts';
import { cheapHasher } from './server.ts';

/** Cheap passwords; what was asked for is kept, for an answer's time is the hashing's. */
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
