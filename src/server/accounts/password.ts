import { hash, verify } from '@node-rs/argon2';

/** How passwords are kept; tests bring a cheaper one. */
export interface Hasher {
  hash(password: string): Promise<string>;
  verify(hashed: string, password: string): Promise<boolean>;
}

/** Argon2id with 19 MiB and two passes, as OWASP advises. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const argon2Hasher: Hasher = {
  hash: (password) => hash(password, parameters),
  verify: (hashed, password) => verify(hashed, password),
};
