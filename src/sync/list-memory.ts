import type { DeviceDb } from '#data/db.ts';

/**
 * What is remembered of the two lists. Their ETags stand for the rows as the lists made them: a row that came another
 * way makes them worthless, or a 304 would leave it for ever. The generation counts all that was written to rows; a
 * list that was asked for in an earlier one is out of date.
 */
const etagIds = { plants: 'etag:plants', withReadings: 'etag:with-readings' } as const;
const generationId = 'rows-generation';

export interface ListMemory {
  plantsEtag: string | null;
  withReadingsEtag: string | null;
  generation: number;
}

export function readListMemory(db: DeviceDb): Promise<ListMemory> {
  return db.transaction('r', db.meta, db.plants, db.latest, async () => {
    const etagOf = async (id: string) => textOf((await db.meta.get(id))?.value);
    return {
      // What is gone from here has to come again, whatever its ETag.
      plantsEtag: (await db.plants.count()) > 0 ? await etagOf(etagIds.plants) : null,
      withReadingsEtag: (await db.latest.count()) > 0 ? await etagOf(etagIds.withReadings) : null,
      generation: await readGeneration(db),
    };
  });
}

export async function readGeneration(db: DeviceDb): Promise<number> {
  return Number((await db.meta.get(generationId))?.value ?? 0);
}

/** Within the transaction that writes rows by a list. */
export async function rememberList(
  db: DeviceDb,
  list: keyof typeof etagIds,
  etag: string | null,
): Promise<void> {
  await db.meta.put({ id: etagIds[list], value: etag });
}

/** Within every transaction that writes rows. */
export async function nextGeneration(db: DeviceDb): Promise<void> {
  await db.meta.put({ id: generationId, value: (await readGeneration(db)) + 1 });
}

/** Within every transaction that writes rows another way than by a list. */
export async function forgetLists(db: DeviceDb): Promise<void> {
  await nextGeneration(db);
  const known = await db.meta.bulkGet(Object.values(etagIds));
  await db.meta.bulkDelete(known.filter((row) => row !== undefined).map(({ id }) => id));
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
