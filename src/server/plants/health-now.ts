import { healthFromReadings, type ServerHealth } from '#domain/plant/health.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import type { Queryable } from '../database/transaction.ts';
import { brightestOf, recentJson } from '../readings/readings-json.ts';

type JudgedPlant = Parameters<typeof healthFromReadings>[0] & { userId: string; id: string };

/** A plant's health by its newest readings, as the row would keep it. */
export async function healthNow(
  db: Queryable,
  plant: JudgedPlant,
  now: Date,
): Promise<ServerHealth> {
  const { rows } = await db.query<{ recent: ReadingLog[]; brightest: number | null }>({
    name: 'recent-readings',
    text: `SELECT ${recentJson} AS recent, ${brightestOf('$3')} AS brightest
      FROM plants p WHERE p.user_id = $1::uuid AND p.id = $2::uuid`,
    values: [plant.userId, plant.id, now],
  });
  return healthFromReadings(
    plant,
    rows[0]?.recent ?? [],
    now.getTime(),
    rows[0]?.brightest ?? null,
  );
}
