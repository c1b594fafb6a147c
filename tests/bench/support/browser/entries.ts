import { idOf } from '../../../e2e/support/screens/plant-dialog.ts';
import type { AppServer } from '../../../e2e/support/server/app-server.ts';

/**
 * Adds `count` entries of five types to the journal of the plant with this name, one every six hours. Must be called
 * before a device signs in, so that no device has an older version of the journal.
 */
export async function addEntries(
  server: AppServer,
  nickname: string,
  count: number,
): Promise<void> {
  const values = [await idOf(server, nickname), count];
  await server.query(
    `INSERT INTO waterings (user_id, plant_id, id, watered_at, source, amount_ml)
      SELECT p.user_id, p.id, gen_random_uuid(), now() - n * interval '6 hours', 'manual', 150
      FROM plants p, generate_series(1, $2::int - 1) n WHERE p.id = $1 AND n % 2 = 0`,
    values,
  );
  await server.query(
    `INSERT INTO journal_entries (user_id, plant_id, id, type, at, note)
      SELECT p.user_id, p.id, gen_random_uuid(), (ARRAY['note', 'fertilized', 'pruned', 'repotted'])[1 + n / 2 % 4],
        now() - n * interval '6 hours',
        CASE WHEN n = 0 THEN 'The newest note' ELSE 'Two new leaves, and the old one turns yellow at its tip' END
      FROM plants p, generate_series(0, $2::int - 1) n WHERE p.id = $1 AND (n % 2 = 1 OR n = 0)`,
    values,
  );
  await server.query('UPDATE plants SET journal_version = $2 WHERE id = $1', values);
}
