import { hourMs } from '#domain/durations.ts';
import type { Clock } from '../clock.ts';
import { isConnectionLost } from '../database/connection-lost.ts';
import type { Database } from '../database/database.ts';
import { createRounds, type Rounds } from './rounds.ts';

export interface HousekeepingOptions {
  db: Database;
  clock: Clock;
  /** Told what went wrong in a code, never in words that may name a person. */
  onFailure: (code: string) => void;
  /** An hour, unless told otherwise. */
  everyMs?: number;
  /** Rows that one statement removes at most. */
  batchSize?: number;
}

/** As long as the answer to a keyed request is promised to be repeated. */
const keyLifeMs = 90 * 24 * hourMs;

/** What ends by itself, by the column that says when, and how long it is kept after that. */
const endings = [
  { table: 'sessions', column: 'expires_at', keptMs: 0 },
  { table: 'account_tokens', column: 'expires_at', keptMs: 0 },
  { table: 'rate_limits', column: 'resets_at', keptMs: 0 },
  { table: 'idempotency_keys', column: 'created_at', keptMs: keyLifeMs },
] as const;

/** Removes what has ended, at the start and then every hour. Any number of processes may run it. */
export function createHousekeeping(options: HousekeepingOptions): Rounds {
  return createRounds(options.everyMs ?? hourMs, (stopping) => tidyUp(options, stopping));
}

/** One round through all tables. Never rejects. */
export async function tidyUp(options: HousekeepingOptions, stopping?: AbortSignal): Promise<void> {
  const { db, clock, onFailure, batchSize = 1_000 } = options;
  try {
    for (const { table, column, keptMs } of endings) {
      const before = new Date(clock().getTime() - keptMs);
      let removed = batchSize;
      while (removed === batchSize && !stopping?.aborted) {
        removed = await removeBatch(db, { table, column, before, batchSize });
      }
    }
  } catch (error) {
    if (isConnectionLost(error)) db.recover();
    else onFailure((error as Error & { code?: string }).code ?? (error as Error).name);
  }
}

/** What another process is removing or using is left to it. */
async function removeBatch(
  db: Database,
  batch: { table: string; column: string; before: Date; batchSize: number },
): Promise<number> {
  const { table, column, before, batchSize } = batch;
  const { rowCount } = await db.pool.query(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${table} WHERE ${column} <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    [before, batchSize],
  );
  return rowCount ?? 0;
}
