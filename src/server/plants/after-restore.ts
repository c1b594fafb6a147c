import type { Database } from '../database/database.ts';
import { transaction } from '../database/transaction.ts';

/** More than the changes of a plant or an account between a backup and its restore. */
const step = 1_000_000;

/**
 * Gives every plant and journal a version that no device has seen, so that devices load them again. A restored database
 * repeats the versions that were given after the backup: a device that has seen one would keep the history that it
 * belonged to, and its ETag would match a plant that it does not know.
 */
export async function renewVersions({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await transaction({ pool }, async ({ $client }) => {
    await $client.query(
      `UPDATE plants SET version = version + ${step}, journal_version = journal_version + ${step}`,
    );
    await $client.query(
      `UPDATE plant_changes SET change = change + ${step}, record_change = record_change + ${step}`,
    );
    await $client.query(`UPDATE change_counters SET last = last + ${step}`);
  });
}
