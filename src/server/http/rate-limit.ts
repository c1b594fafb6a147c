import { createHash } from 'node:crypto';
import { normalizeIdentifier } from '#domain/account.ts';
import { clearBucket, countAttempt, uncountAttempt } from '../database/rate-limits.ts';
import type { AppDeps } from '../deps.ts';
import { ApiError } from './api-error.ts';
import { countedAddress } from './client-address.ts';

export type LimitedCall = 'login' | 'register' | 'forgot-password' | 'reset-password';

/** An attempt that was let through. */
export interface Attempt {
  /** It was the owner: it does not count, nor does what they got wrong before. */
  forgive(): Promise<void>;
}

const windowMs = 15 * 60_000;
/** Behind one address there may be a household or an office, but no thousand accounts. */
const timesPerAddress = 10;

const unlimited: Attempt = { forgive: async () => undefined };

/**
 * Counts an attempt at the target (an identifier, an e-mail, a token) from the address, before any work is done for
 * it. Over the limit: a 429 with the whole seconds to wait.
 */
export async function limit(
  deps: Pick<AppDeps, 'db' | 'clock' | 'authRateLimit'>,
  call: LimitedCall,
  target: string,
  address: string,
): Promise<Attempt> {
  const { db, clock, authRateLimit } = deps;
  if (authRateLimit === 0) return unlimited;
  const from = countedAddress(address);
  const keys = [hashOf(call, normalizeIdentifier(target), from), hashOf(call, from)];
  const now = clock();
  const buckets = await countAttempt(db, { keys, now, windowMs });
  const [atTarget, atAll] = keys.map((key) => buckets.find((bucket) => bucket.key === key));
  if (!atTarget || !atAll) throw new Error('an attempt was not counted');
  const full = [
    ...(atTarget.count > authRateLimit ? [atTarget] : []),
    ...(atAll.count > authRateLimit * timesPerAddress ? [atAll] : []),
  ];
  if (full.length > 0) throw tooMany(Math.max(...full.map(msLeftAt(now))));
  return {
    forgive: async () => {
      await clearBucket(db, atTarget);
      await uncountAttempt(db, atAll);
    },
  };
}

function msLeftAt(now: Date) {
  return ({ resetsAt }: { resetsAt: Date }): number => resetsAt.getTime() - now.getTime();
}

function tooMany(waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const minutes = Math.ceil(seconds / 60);
  const later = minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
  return new ApiError(429, 'too_many_requests', `Too many attempts. Please try again ${later}.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

/** Names nobody: what is counted cannot be read back. */
function hashOf(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
