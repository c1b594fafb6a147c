import type { Database } from '../database/database.ts';
import { isUuid } from '../http/is-uuid.ts';

/** The device_id of the account's plant: null for none, undefined when there is no such plant. */
export async function deviceOfPlant(
  { pool }: Pick<Database, 'pool'>,
  userId: string,
  plantId: string,
): Promise<string | null | undefined> {
  if (!isUuid(plantId)) return undefined;
  const { rows } = await pool.query<{ device_id: string | null }>({
    name: 'device-of-plant',
    text: 'SELECT device_id FROM plants WHERE user_id = $1 AND id = $2',
    values: [userId, plantId],
  });
  return rows[0]?.device_id;
}
