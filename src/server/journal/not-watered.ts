import { uuidv7 } from 'uuidv7';
import type { NotWateredReason } from '#domain/journal/entry.ts';
import type { Transaction } from '../database/transaction.ts';
import { isPlant, type PlantKey, plants } from '../plants/schema.ts';
import { raisedVersions } from './plant-dates.ts';
import { journalEntries } from './schema.ts';

interface NotWatered {
  reason: NotWateredReason;
  at: Date;
}

/**
 * Adds a `not_watered` entry to the plant's journal and increments the plant's versions. The transaction must hold the
 * lock of the plant's row.
 */
export async function addNotWatered(
  tx: Transaction,
  plant: PlantKey,
  { reason, at }: NotWatered,
): Promise<void> {
  const { userId, id: plantId } = plant;
  const entry = { userId, plantId, id: uuidv7(), type: 'not_watered' as const, reason, at };
  await tx.insert(journalEntries).values(entry);
  await tx.update(plants).set(raisedVersions).where(isPlant(plant));
}

/**
 * Like addNotWatered, but adds nothing if the journal has an entry with this reason from the 24 h before `at` and the
 * plant has not been watered since that entry.
 */
export async function addNotWateredOnce(
  tx: Transaction,
  plant: PlantKey,
  { reason, at }: NotWatered,
): Promise<void> {
  const { rows } = await tx.$client.query({
    name: 'known-not-watered',
    text: `SELECT FROM plants p JOIN journal_entries e ON e.user_id = $1 AND e.plant_id = p.id
      WHERE p.user_id = $1 AND p.id = $2 AND e.type = 'not_watered' AND e.reason = $3
        AND e.at > greatest($4::timestamptz - interval '24 hours', p.last_watered) LIMIT 1`,
    values: [plant.userId, plant.id, reason, at],
  });
  if (rows.length === 0) await addNotWatered(tx, plant, { reason, at });
}
