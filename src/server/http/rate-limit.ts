import { createHash } from 'node:crypto';
import { normalizeIdentifier } from '#domain/account.ts';
import { clearBucket, countAttempt, uncountAttempt } from '../database/rate-limits.ts';
import type { AppDeps } from '../deps.ts';
import { ApiError } from './api-error.ts';
import { rateLimitAddress } from './client-address.ts';

export type LimitedCall = 'login' | 'register' | 'forgot-password' | 'reset-password';

/** An attempt within the limit. */
export interface Attempt {
  /** After a successful login: uncounts this attempt and the failed ones for the same identifier. */
  forgive(): Promise<void>;
}

const windowMs = 15 * 60_000;
/** A whole household or office may share one address, so an address gets this many times an account's limit. */
const addressFactor = 10;

const unlimited: Attempt = { forgive: async () => undefined };

/**
 * Counts an attempt per target (an identifier, email or token) and address, before any work is done for it. Throws a
 * 429 with Retry-After in seconds when a limit is exceeded.
 */
export async function limitAttempts(
  deps: Pick<AppDeps, 'db' | 'clock' | 'authRateLimit'>,
  call: LimitedCall,
  target: string,
  ip: string,
): Promise<Attempt> {
  const { db, clock, authRateLimit } = deps;
  if (authRateLimit === 0) return unlimited;
  const address = rateLimitAddress(ip);
  const keys = [hashOf(call, normalizeIdentifier(target), address), hashOf(call, address)];
  const now = clock();
  const buckets = await countAttempt(db, { keys, now, windowMs });
  const [ofTarget, ofAddress] = keys.map((key) => buckets.find((bucket) => bucket.key === key));
  if (!ofTarget || !ofAddress) throw new Error('an attempt was not counted');
  const exceeded = [
    ...(ofTarget.count > authRateLimit ? [ofTarget] : []),
    ...(ofAddress.count > authRateLimit * addressFactor ? [ofAddress] : []),
  ];
  if (exceeded.length > 0) throw tooManyAttempts(Math.max(...exceeded.map(msLeftAt(now))));
  return {
    forgive: async () => {
      await clearBucket(db, ofTarget);
      await uncountAttempt(db, ofAddress);
    },
  };
}

function msLeftAt(now: Date) {
  return ({ resetsAt }: { resetsAt: Date }): number => resetsAt.getTime() - now.getTime();
}

function tooManyAttempts(waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const minutes = Math.ceil(seconds / 60);
  const later = minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
  return new ApiError(429, 'too_many_requests', `Too many attempts. Please try again ${later}.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

/** Hashed, so that the table contains neither identifiers nor addresses. */
function hashOf(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
