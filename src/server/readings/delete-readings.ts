import type pg from 'pg';
import type { PlantKey } from '../plants/schema.ts';

/** Readings that one statement deletes. */
const step = 20_000;

/**
 * Deletes the readings of a locked plant, oldest first, until at most `step` are left. Deleting the plant deletes the
 * rest, but in a single statement, which would exceed the query timeout for a plant with millions of readings.
 */
export async function deleteMostReadings(
  client: pg.PoolClient,
  { userId, id }: PlantKey,
): Promise<void> {
  let from = '-infinity';
  for (;;) {
    // From the end of the last step, because the deleted rows before it are still in the index.
    const { rows } = await client.query<{ end: string }>({
      name: 'end-of-step',
      text: `SELECT ts::text AS end FROM sensor_logs WHERE user_id = $1 AND plant_id = $2 AND ts >= $3
        ORDER BY ts OFFSET $4 LIMIT 1`,
      values: [userId, id, from, step],
    });
    const [next] = rows;
    if (!next) return;
    await client.query({
      name: 'delete-step',
      text: 'DELETE FROM sensor_logs WHERE user_id = $1 AND plant_id = $2 AND ts >= $3 AND ts < $4',
      values: [userId, id, from, next.end],
    });
    from = next.end;
  }
}
