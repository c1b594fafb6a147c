import type { Hasher } from './accounts/password.ts';
import type { Clock } from './clock.ts';
import type { Database } from './database/database.ts';

/** What routes work with; the outside world comes in here and nowhere else. */
export interface AppDeps {
  db: Database;
  clock: Clock;
  hasher: Hasher;
  /** A hash to check against when there is no such account, so that both refusals take the same time. */
  absentAccountHash: () => Promise<string>;
  /** Attempts per account and address in 15 minutes; 0: no limit. */
  authRateLimit: number;
  /** Real time, for answers that must take as long as others. */
  pause: (ms: number) => Promise<unknown>;
  /** What links in mails start with; no slash at the end. Known once the server listens. */
  publicUrl: () => string;
  /** Called when a mail's transaction has committed. */
  mailQueued: () => void;
}
