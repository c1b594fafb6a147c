import { healthFromReadings, type ServerHealth } from '#domain/plant/health.ts';
import type { ReadingLog } from '#domain/reading/reading.ts';
import type { Transaction } from '../database/database.ts';
import { runIn } from '../database/run-in.ts';
import { brightestOf, recentJson } from '../readings/readings-json.ts';

type JudgedPlant = Parameters<typeof healthFromReadings>[0] & { userId: string; id: string };

/** A plant's health by its newest readings, as the row would keep it. */
export async function healthNow(
  tx: Pick<Transaction, 'execute'>,
  plant: JudgedPlant,
  now: Date,
): Promise<ServerHealth> {
  const [known] = await runIn(tx)<{ recent: ReadingLog[]; brightest: number | null }>({
    name: 'recent-readings',
    text: `SELECT ${recentJson} AS recent, ${brightestOf('$3')} AS brightest
      FROM plants p WHERE p.user_id = $1::uuid AND p.id = $2::uuid`,
    values: [plant.userId, plant.id, now],
  });
  return healthFromReadings(plant, known?.recent ?? [], now.getTime(), known?.brightest ?? null);
}
