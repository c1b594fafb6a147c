import type { DeviceDb, ListsRow } from '#client/store/schema.ts';

/**
 * The ETags name the state of the server that the rows have reached: no row is older, and the next delta brings what
 * has changed since. Writing a row that may be older must drop them, because no delta would correct it. `generation`
 * counts the writes; a list that was requested in an earlier generation may be older than the rows.
 */
export type ListState = Omit<ListsRow, 'id'>;
export type ListEtags = Omit<ListState, 'generation'>;

const initial: ListState = { plantsEtag: null, withReadingsEtag: null, generation: 0 };

/** The ETags to send. An ETag is null when its rows were deleted to free storage, so that the next list is whole. */
export function readListState(db: DeviceDb): Promise<ListState> {
  return db.transaction('r', db.syncState, db.plants, db.latest, async () => {
    const state = await readRow(db);
    const [plants, latest] = await Promise.all([db.plants.count(), db.latest.count()]);
    return {
      plantsEtag: plants > 0 ? state.plantsEtag : null,
      withReadingsEtag: latest > 0 ? state.withReadingsEtag : null,
      generation: state.generation,
    };
  });
}

export async function readGeneration(db: DeviceDb): Promise<number> {
  return (await readRow(db)).generation;
}

/** Within the transaction that writes rows from the lists, with the ETags of those that differed. */
export async function saveListState(db: DeviceDb, etags: Partial<ListEtags>): Promise<void> {
  const state = await readRow(db);
  await db.syncState.put({ ...state, ...etags, id: 'lists', generation: state.generation + 1 });
}

/** Within every transaction that writes rows from an answer to an op: they are newer than the lists. */
export async function advanceGeneration(db: DeviceDb): Promise<void> {
  await saveListState(db, {});
}

/** The same for rows that may be older than the lists: the next pull requests whole lists. */
export async function invalidateLists(db: DeviceDb): Promise<void> {
  await saveListState(db, { plantsEtag: null, withReadingsEtag: null });
}

async function readRow(db: DeviceDb): Promise<ListState> {
  const row = await db.syncState.get('lists');
  return row?.id === 'lists' ? row : initial;
}
