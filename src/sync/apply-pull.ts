import type { PlantWithReadings } from '#contract/plants.ts';
import type { DeviceDb, PlantRow, ReadingsRow } from '#data/db.ts';
import type { LatestFields, PlantRecord } from '#domain/plant.ts';
import { mergeReadings } from '#domain/reading-series.ts';
import type { SyncContext } from './context.ts';
import { nextRow } from './plant-rows.ts';

export interface PulledLists {
  plants: PlantRecord[] | 'unchanged';
  plantsEtag: string | null;
  withReadings: PlantWithReadings[] | 'unchanged';
  withReadingsEtag: string | null;
}

/** Fifty rows in one put wake every live query on the table instead of those that read the rows. */
const rowsPerPut = 49;
const emptySeen = 'empty-list-seen';

/** Makes the device's rows what the server said, in one transaction; what did not change is not written. */
export async function applyPull({ db, now }: SyncContext, lists: PulledLists): Promise<void> {
  await db.transaction('rw', [db.plants, db.readings, db.outbox, db.idmap, db.meta], async () => {
    if (lists.plants !== 'unchanged' && (await believes(db, lists.plants))) {
      await applyPlants(db, lists.plants, now());
      await db.meta.put({ id: 'etag:plants', value: lists.plantsEtag });
    }
    if (lists.withReadings !== 'unchanged') {
      await applyLatest(db, lists.withReadings);
      await db.meta.put({ id: 'etag:with-readings', value: lists.withReadingsEtag });
    }
  });
}

/** An empty list over data is believed only the second time: it is how a broken server deletes a garden. */
async function believes(db: DeviceDb, plants: PlantRecord[]): Promise<boolean> {
  const suspicious = plants.length === 0 && (await db.plants.count()) > 0;
  const seenBefore = (await db.meta.get(emptySeen)) !== undefined;
  if (suspicious && !seenBefore) await db.meta.put({ id: emptySeen, value: 1 });
  else await db.meta.delete(emptySeen);
  return !suspicious || seenBefore;
}

async function applyPlants(db: DeviceDb, records: PlantRecord[], fetchedAt: number): Promise<void> {
  const known = new Map((await db.plants.toArray()).map((row) => [row.id, row]));
  const changed = records
    .map((record) => nextRow(known.get(String(record.id)), record, null, fetchedAt))
    .filter((row): row is PlantRow => row !== null);
  const listed = new Set(records.map((record) => String(record.id)));
  const gone = [...known.keys()].filter((id) => !listed.has(id));
  for (const rows of chunks(changed)) await db.plants.bulkPut(rows);
  for (const ids of chunks(gone)) {
    await db.plants.bulkDelete(ids);
    await db.readings.bulkDelete(ids);
  }
}

async function applyLatest(db: DeviceDb, plants: PlantWithReadings[]): Promise<void> {
  const known = new Map((await db.readings.toArray()).map((row) => [row.plantId, row]));
  const changed = plants
    .map((plant) => nextReadings(known.get(String(plant.id)), plant))
    .filter((row): row is ReadingsRow => row !== null);
  for (const rows of chunks(changed)) await db.readings.bulkPut(rows);
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

function chunks<T>(all: T[]): T[][] {
  const count = Math.ceil(all.length / rowsPerPut);
  return Array.from({ length: count }, (_, i) => all.slice(i * rowsPerPut, (i + 1) * rowsPerPut));
}
