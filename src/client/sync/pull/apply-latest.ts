import type { DeviceDb, LatestRow } from '#client/store/schema.ts';
import type { PlantWithReadings } from '#contract/plants.ts';
import type { LatestFields } from '#domain/plant/plant.ts';
import { chunksOf } from './plant-rows.ts';

/**
 * Writes the latest values that a list brought, where they differ. A plant that never reported has a row too: no rows
 * at all means that they were thrown away. Within the transaction of a pull.
 */
export async function applyLatest(db: DeviceDb, plants: PlantWithReadings[]): Promise<void> {
  const known = new Map((await db.latest.toArray()).map((row) => [row.plantId, row]));
  const changed = plants
    .map((plant) => nextLatest(known.get(String(plant.id)), plant))
    .filter((row): row is LatestRow => row !== null);
  for (const rows of chunksOf(changed)) await db.latest.bulkPut(rows);
}

function nextLatest(known: LatestRow | undefined, plant: PlantWithReadings): LatestRow | null {
  const values = latestOf(plant);
  if (known && JSON.stringify(known.values) === JSON.stringify(values)) return null;
  return {
    plantId: String(plant.id),
    values,
    newestKept: known?.newestKept ?? null,
    rev: (known?.rev ?? 0) + 1,
  };
}

function latestOf(plant: PlantWithReadings): LatestFields {
  return {
    latest_soil_humidity: plant.latest_soil_humidity ?? null,
    latest_air_humidity: plant.latest_air_humidity ?? null,
    latest_temperature: plant.latest_temperature ?? null,
    latest_luminance: plant.latest_luminance ?? null,
    last_reading_time: plant.last_reading_time ?? null,
  };
}
