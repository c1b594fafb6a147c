import type { Database } from './database.ts';

export interface Bucket {
  key: string;
  count: number;
  resetsAt: Date;
}

/**
 * Counts an attempt in every bucket and returns the buckets. One statement, so that each of several parallel attempts
 * gets its own count. A bucket whose window is over starts again at 1.
 */
export async function countAttempt(
  db: Database,
  options: { keys: string[]; now: Date; windowMs: number },
): Promise<Bucket[]> {
  const { keys, now, windowMs } = options;
  const { rows } = await db.pool.query<Bucket>({
    name: 'count-attempt',
    text: `INSERT INTO rate_limits AS kept (key, count, resets_at)
      SELECT key, 1, $3 FROM unnest($1::text[]) WITH ORDINALITY AS given (key, place) ORDER BY place
      ON CONFLICT (key) DO UPDATE SET
        count = CASE WHEN kept.resets_at > $2 THEN kept.count + 1 ELSE 1 END,
        resets_at = CASE WHEN kept.resets_at > $2 THEN kept.resets_at ELSE excluded.resets_at END
      RETURNING key, count, resets_at AS "resetsAt"`,
    values: [keys, now, new Date(now.getTime() + windowMs)],
  });
  return rows;
}

/** Takes an attempt back, unless the bucket's window has changed since. */
export async function uncountAttempt(db: Database, { key, resetsAt }: Bucket): Promise<void> {
  await db.pool.query(
    'UPDATE rate_limits SET count = count - 1 WHERE key = $1 AND resets_at = $2 AND count > 0',
    [key, resetsAt],
  );
}

export async function clearBucket(db: Database, { key }: Bucket): Promise<void> {
  await db.pool.query('DELETE FROM rate_limits WHERE key = $1', [key]);
}
