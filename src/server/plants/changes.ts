import type pg from 'pg';
import { wateringLimits } from '#domain/watering/rule.ts';
import type { Database } from '../database/database.ts';
import { transaction } from '../database/transaction.ts';
import { etagMatches } from '../http/etag.ts';
import type { PlantKey } from './schema.ts';

/**
 * A reading that arrives this long after the one before it counts as a change of the record, because the plant may have
 * been `stale` or of unknown health in between. Half the time after which a plant is stale, as a tolerance for clocks
 * that differ.
 */
const recordGapMs = wateringLimits.maxAgeMs / 2;

/** A reading after a gap that began before this counts as a change of the record. */
export function gapSince(now: Date): Date {
  return new Date(now.getTime() - recordGapMs);
}

interface PlantChange {
  now: Date;
  /** The time of a reading that was stored without a change number; it gets the number of this change. */
  readingAt?: Date | null;
  isDeleted?: boolean;
}

/**
 * The statement that records a change of a plant. Must be the last one of its transaction. For readings there is
 * readingsStatement.
 *
 * Both increment the change counter of the account. The counter's row stays locked until the commit, so change numbers
 * are committed in ascending order: a transaction that reads a number also reads all changes with smaller numbers.
 * Plants are locked before the counter, because a transaction that has locked the counter and waits for a plant could
 * deadlock. storeReadingsOfAccounts locks the counters first, but does not wait for plants: it skips locked ones.
 */
export function changeStatement(
  { userId, id }: PlantKey,
  { now, readingAt = null, isDeleted = false }: PlantChange,
): pg.QueryConfig {
  return {
    name: 'record-change',
    text: 'SELECT record_change($1, $2, $3, $4, false, $5)',
    values: [userId, id, readingAt, isDeleted ? now : null, gapSince(now)],
  };
}

/** Identifies a state of an account's plants. Sent as the ETag of their lists. */
export interface ListVersion {
  change: number;
  /** ms; some fields depend on the time. */
  at: number;
  epoch: string;
}

/**
 * SQL: a text that identifies the counter of account $1 in this database, because the same number means another change
 * in another database or account. A browser's cache may send the ETag of the account that was signed in before. A
 * restore, a transfer and a failover change PostgreSQL's start time or the table's file, and so also this text. A restart
 * of an API process does not change it.
 */
const epoch = `left(md5(concat_ws('/', extract(epoch FROM pg_postmaster_start_time()),
  pg_relation_filepath('change_counters'), $1::uuid)), 12)`;

/** SQL: the account's current state, one row. `forgotten`: the newest deletion that is no longer recorded. */
export const currentState = `(SELECT
  coalesce((SELECT last FROM change_counters WHERE user_id = $1), 0)::float8 AS change,
  coalesce((SELECT forgotten FROM change_counters WHERE user_id = $1), 0)::float8 AS forgotten,
  ${epoch} AS epoch)`;

export function listVersionEtag({ change, at, epoch }: ListVersion): string {
  return `"c${change}.${at}.${epoch}"`;
}

/**
 * The first list version of an If-None-Match header. Null if it contains none: version 0.1 used a content hash instead.
 * Also null if a malformed header contains the version's text, but not as an ETag. Otherwise the response to such a
 * request could be an empty body instead of a 304.
 */
export function listVersionIn(header: string | undefined): ListVersion | null {
  const [, change, at, epoch = ''] =
    /"c(\d{1,15})\.(\d{1,15})\.(\w{0,32})"/.exec(header ?? '') ?? [];
  if (change === undefined) return null;
  const version = { change: Number(change), at: Number(at), epoch };
  return etagMatches(header, listVersionEtag(version)) ? version : null;
}

/** Larger than the number of changes that a plant or an account can have between a backup and its restore. */
const restoreStep = 1_000_000;

/**
 * Gives every plant and journal a version that no device has seen, so that devices load them again. A restored database
 * repeats the versions that were given after the backup: a device that has seen one would keep the history that it
 * belonged to, and its ETag would match a plant that it does not know.
 */
export async function renewVersions({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await transaction({ pool }, async ({ $client }) => {
    await $client.query(
      `UPDATE plants SET version = version + ${restoreStep}, journal_version = journal_version + ${restoreStep}`,
    );
    await $client.query(
      `UPDATE plant_changes SET change = change + ${restoreStep}, record_change = record_change + ${restoreStep}`,
    );
    await $client.query(`UPDATE change_counters SET last = last + ${restoreStep}`);
  });
}
