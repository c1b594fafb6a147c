import type { DeviceDb, ListsRow } from '#client/store/schema.ts';

/**
 * What is remembered of the two lists. Their ETags stand for the rows as the lists made them: a row that came another
 * way makes them worthless, or a 304 would leave it for ever. A list that was asked for in an earlier generation is out
 * of date.
 */
export type ListMemory = Omit<ListsRow, 'id'>;
export type ListEtags = Omit<ListMemory, 'generation'>;

const nothingKnown: ListMemory = { plantsEtag: null, withReadingsEtag: null, generation: 0 };

export function readListMemory(db: DeviceDb): Promise<ListMemory> {
  return db.transaction('r', db.syncState, db.plants, db.latest, async () => {
    const known = await readRow(db);
    const [plants, latest] = await Promise.all([db.plants.count(), db.latest.count()]);
    return {
      // What is gone from here has to come again, whatever its ETag.
      plantsEtag: plants > 0 ? known.plantsEtag : null,
      withReadingsEtag: latest > 0 ? known.withReadingsEtag : null,
      generation: known.generation,
    };
  });
}

export async function readGeneration(db: DeviceDb): Promise<number> {
  return (await readRow(db)).generation;
}

/** Within the transaction that writes rows by the lists, with the ETags of those that differed. */
export async function rememberLists(db: DeviceDb, etags: Partial<ListEtags>): Promise<void> {
  const known = await readRow(db);
  const generation = known.generation + 1;
  await db.syncState.put({ ...known, ...etags, id: 'lists', generation });
}

/** Within every transaction that writes rows another way than by a list. */
export async function forgetLists(db: DeviceDb): Promise<void> {
  await rememberLists(db, { plantsEtag: null, withReadingsEtag: null });
}

async function readRow(db: DeviceDb): Promise<ListMemory> {
  const row = await db.syncState.get('lists');
  return row?.id === 'lists' ? row : nothingKnown;
}
