import type { PlantWithReadings } from '#contract/plants.ts';
import type { DeviceDb, ReadingsRow } from '#data/db.ts';
import type { LatestFields } from '#domain/plant.ts';
import { mergeReadings } from '#domain/reading-series.ts';
import { chunksOf } from './chunks.ts';

/** Writes the latest values that a list brought, where they differ. Within the transaction of a pull. */
export async function applyLatest(db: DeviceDb, plants: PlantWithReadings[]): Promise<void> {
  const known = new Map((await db.readings.toArray()).map((row) => [row.plantId, row]));
  const changed = plants
    .map((plant) => nextReadings(known.get(String(plant.id)), plant))
    .filter((row): row is ReadingsRow => row !== null);
  for (const rows of chunksOf(changed)) await db.readings.bulkPut(rows);
}

function nextReadings(
  known: ReadingsRow | undefined,
  plant: PlantWithReadings,
): ReadingsRow | null {
  const latest = latestOf(plant);
  if (latest.last_reading_time === null && !known) return null;
  if (known && JSON.stringify(known.latest) === JSON.stringify(latest)) return null;
  return {
    plantId: String(plant.id),
    latest,
    series: known?.series ?? mergeReadings(undefined, []),
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
