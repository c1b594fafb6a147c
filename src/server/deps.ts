import type { Hasher } from './accounts/password.ts';
import type { Database } from './database/database.ts';

/** The server's only source of time. Never SQL's now(), so that tests and all processes agree. */
export type Clock = () => Date;

/** Everything that routes need from outside; tests replace parts of it. */
export interface AppDeps {
  db: Database;
  clock: Clock;
  hasher: Hasher;
  /** A hash that no password matches. Verified when an account does not exist, so that both refusals take equally long. */
  dummyPasswordHash: () => Promise<string>;
  /** Attempts per account and address within 15 minutes; 0 means no limit. */
  authRateLimit: number;
  /** Waits in real time, for answers that must not reveal how long their work took. */
  pause: (ms: number) => Promise<unknown>;
  /** Base URL of links in emails, without a trailing slash. Known once the server listens. */
  publicUrl: () => string;
  /** To be called after the transaction that queued an email has committed. */
  emailQueued: () => void;
}
