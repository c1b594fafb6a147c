import { wateringLimits } from '#domain/watering/rule.ts';
import type { Transaction } from '../database/transaction.ts';

/**
 * A reading after this much silence changes the record, since it may end `stale` or an unknown health. Half the time
 * after which a plant is stale, so that it holds although clocks differ.
 */
const silentAfterMs = wateringLimits.freshMs / 2;

/** A plant whose newest reading is older was silent at `now`. */
export function silentSince(now: Date): Date {
  return new Date(now.getTime() - silentAfterMs);
}

interface PlantChange {
  now: Date;
  /** Of a reading that was stored with it. */
  readingAt?: Date | null;
  isDeleted?: boolean;
}

/**
 * Records that a plant has changed, as the last statement of its transaction; storeReadings does so for readings.
 *
 * Every transaction that changes a plant or its readings increments the counter of its account, as the last lock that it
 * takes. The lock is held until the commit, so numbers are committed in their order: who sees a number sees all before.
 * A transaction that locked a plant after the counter could deadlock with one that holds the plant.
 */
export async function recordChange(
  tx: Transaction,
  { userId, id }: { userId: string; id: string },
  { now, readingAt = null, isDeleted = false }: PlantChange,
): Promise<void> {
  await tx.$client.query({
    name: 'record-change',
    text: 'SELECT record_change($1, $2, $3, $4, false, $5)',
    values: [userId, id, readingAt, isDeleted ? now : null, silentSince(now)],
  });
}

/** A state of an account's plants; the ETag of their list. */
export interface Cursor {
  change: number;
  /** ms; some fields depend on the time. */
  at: number;
  epoch: string;
}

/**
 * SQL: identifies the counters of this database, since others count from elsewhere. A restore, a transfer and a failover
 * change the start of the server, the database or the table's file; a start of an API process changes nothing.
 */
const epoch = `left(md5(concat_ws('/', extract(epoch FROM pg_postmaster_start_time()),
  pg_relation_filepath('change_counters'))), 12)`;

/** SQL: the account's current state, one row. `forgotten`: the newest deletion that is not recorded any more. */
export const currentState = `(SELECT
  coalesce((SELECT last FROM change_counters WHERE user_id = $1), 0)::float8 AS change,
  coalesce((SELECT forgotten FROM change_counters WHERE user_id = $1), 0)::float8 AS forgotten,
  ${epoch} AS epoch)`;

export function cursorEtag({ change, at, epoch }: Cursor): string {
  return `"c${change}.${at}.${epoch}"`;
}

/** The first cursor of an If-None-Match header; null if there is none, such as the content hash of version 0.1. */
export function cursorIn(header: string | undefined): Cursor | null {
  const [, change, at, epoch = ''] =
    /"c(\d{1,15})\.(\d{1,15})\.(\w{0,32})"/.exec(header ?? '') ?? [];
  return change === undefined ? null : { change: Number(change), at: Number(at), epoch };
}
