import { createHash, randomBytes } from 'node:crypto';

/** What opens something to whoever brings it: 43 characters that nobody guesses. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a token: it can be recognised, not read back. */
export function tokenHashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
