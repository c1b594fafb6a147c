import { createHash } from 'node:crypto';
import { normalizeIdentifier } from '#domain/account.ts';
import type { Database } from '../database/database.ts';
import { ApiError } from './api-error.ts';
import type { AppDeps } from './app-deps.ts';
import { rateLimitAddress } from './client-address.ts';

export type LimitedCall =
  | 'login'
  | 'register'
  | 'forgot-password'
  | 'reset-password'
  | 'confirm-password'
  | 'change-email'
  | 'calendar'
  | 'test-reminder'
  | 'unsubscribe';

/** An attempt within the limit. */
export interface Attempt {
  /** After the right password: resets the target's count and removes this attempt from the other ones. */
  uncount(): Promise<void>;
}

const windowMs = 15 * 60_000;
/** A household or an office may share one IP address, so an address gets this many times an account's limit. */
const addressFactor = 10;
/**
 * A name gets this many times an account's limit of failed sign-ins from all IP addresses together. So high that it
 * takes a hundred addresses to keep a person from signing in; sessions stay open meanwhile.
 */
const nameFactor = 100;

const unlimited: Attempt = { uncount: async () => undefined };

/**
 * Counts an attempt twice: for its IP address, and for its target (an account, email, username or token) from that
 * address; a sign-in also for its name from all addresses. Throws a 429 with Retry-After in seconds when one of the
 * limits is exceeded. An attempt beyond the limit of the address is not counted for its target, so that an address
 * cannot store any number of rows, and one beyond the limit of the target is not counted for the name, so that an
 * address alone cannot block it.
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
  const now = clock();
  const ofAddress = await countAttempt(db, hashOf(call, address), now);
  if (ofAddress.count > authRateLimit * addressFactor) throw tooManyAttempts(ofAddress, now);
  const name = normalizeIdentifier(target);
  const ofTarget = await countAttempt(db, hashOf(call, name, address), now);
  if (ofTarget.count > authRateLimit) throw tooManyAttempts(ofTarget, now);
  const ofName =
    call === 'login' ? await countAttempt(db, hashOf(call, name, 'from', 'everywhere'), now) : null;
  if (ofName && ofName.count > authRateLimit * nameFactor) throw tooManyAttempts(ofName, now);
  return {
    uncount: async () => {
      await clearBucket(db, ofTarget);
      await uncountAttempt(db, ofAddress);
      if (ofName) await uncountAttempt(db, ofName);
    },
  };
}

function tooManyAttempts({ resetsAt }: Bucket, now: Date): ApiError {
  const seconds = Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1_000));
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

interface Bucket {
  key: string;
  count: number;
  resetsAt: Date;
}

/** SQL: whether the window of a stored bucket includes this moment ($2). $3 is the end of a window that begins now. */
const isRunning = 'stored.resets_at > $2 AND stored.resets_at <= $3';

/**
 * Counts an attempt in a bucket and returns the bucket. This is one statement, so that each of several parallel attempts
 * gets its own count. A bucket starts again at 1 when its window is over. It also does so if its window ends later than
 * a window that begins now, which means that the clock was ahead when the window began.
 */
async function countAttempt(db: Database, key: string, now: Date): Promise<Bucket> {
  const { rows } = await db.pool.query<Bucket>({
    name: 'count-attempt',
    text: `INSERT INTO rate_limits AS stored (key, count, resets_at) VALUES ($1, 1, $3)
      ON CONFLICT (key) DO UPDATE SET
        count = CASE WHEN ${isRunning} THEN stored.count + 1 ELSE 1 END,
        resets_at = CASE WHEN ${isRunning} THEN stored.resets_at ELSE excluded.resets_at END
      RETURNING key, count, resets_at AS "resetsAt"`,
    values: [key, now, new Date(now.getTime() + windowMs)],
  });
  const [bucket] = rows;
  if (!bucket) throw new Error('an attempt was not counted');
  return bucket;
}

/** Decrements the counter, unless the bucket's window has changed since. */
async function uncountAttempt(db: Database, { key, resetsAt }: Bucket): Promise<void> {
  await db.pool.query(
    'UPDATE rate_limits SET count = count - 1 WHERE key = $1 AND resets_at = $2 AND count > 0',
    [key, resetsAt],
  );
}

async function clearBucket(db: Database, { key }: Bucket): Promise<void> {
  await db.pool.query('DELETE FROM rate_limits WHERE key = $1', [key]);
}
