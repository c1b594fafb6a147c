import type pg from 'pg';

/** Readings that one statement deletes. Takes about a second on a slow disk, far below QUERY_TIMEOUT_MS. */
const defaultStep = 20_000;

/**
 * Deletes the readings of a locked plant, oldest first, until at most `step` are left. Deleting the plant deletes the
 * rest, but in a single statement, which would exceed the query timeout for a plant with millions of readings.
 */
export async function deleteMostReadings(
  client: pg.PoolClient,
  { userId, id }: { userId: string; id: string },
  step = defaultStep,
): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query({
      name: 'delete-oldest-readings',
      text: `DELETE FROM sensor_logs WHERE user_id = $1 AND plant_id = $2 AND ts < (
          SELECT ts FROM sensor_logs WHERE user_id = $1 AND plant_id = $2 ORDER BY ts OFFSET $3 LIMIT 1)`,
      values: [userId, id, step],
    });
    if (!rowCount) return;
  }
}
