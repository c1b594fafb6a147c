import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * Adds accounts, each with a copy of the plant `plantId`, one device and a day of readings. Resolves to the devices'
 * tokens.
 */
export async function addCrowd(url: string, plantId: string, count: number): Promise<string[]> {
  const tokens = Array.from(
    { length: count },
    () => `sprig_${randomBytes(32).toString('base64url')}`,
  );
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('base64url'));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `CREATE TEMP TABLE crowd AS SELECT gen_random_uuid() AS user_id, gen_random_uuid() AS plant_id, n, hash
        FROM unnest($1::text[]) WITH ORDINALITY AS given (hash, n)`,
      [hashes],
    );
    await client.query(`INSERT INTO users (id, email, email_key, username, username_key, password_hash, is_verified, created_at)
      SELECT user_id, 'crowd-' || n, 'crowd-' || n, 'crowd-' || n, 'crowd-' || n, '', true, now() FROM crowd`);
    const { rows } = await client.query<{ columns: string }>(
      `SELECT string_agg(format('%I', attname), ', ') AS columns FROM pg_attribute
        WHERE attrelid = 'plants'::regclass AND attnum > 0 AND NOT attisdropped AND attname NOT IN ('user_id', 'id')`,
    );
    const columns = rows[0]?.columns;
    await client.query(
      `INSERT INTO plants (user_id, id, ${columns})
        SELECT crowd.user_id, crowd.plant_id, ${columns} FROM crowd, plants WHERE plants.id = $1`,
      [plantId],
    );
    await client.query(
      `INSERT INTO device_tokens (user_id, id, device_id, token_hash, created_at)
        SELECT crowd.user_id, gen_random_uuid(), plants.device_id, hash, now()
        FROM crowd JOIN plants ON plants.user_id = crowd.user_id`,
    );
    await client.query(`INSERT INTO sensor_logs
      SELECT user_id, plant_id, now() - n * interval '5 minutes', 45, 50, 21, CASE WHEN n < 144 THEN 3000 ELSE 0 END
      FROM generate_series(288, 1, -1) n CROSS JOIN (SELECT user_id, plant_id FROM crowd) c`);
    await client.query('INSERT INTO change_counters (user_id, last) SELECT user_id, 1 FROM crowd');
    await client.query(`INSERT INTO plant_changes (user_id, plant_id, change, record_change, last_reading_at)
      SELECT user_id, plant_id, 1, 1, now() - interval '5 minutes' FROM crowd`);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
  return tokens;
}
