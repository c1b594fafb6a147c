import type { DeviceDb, ListsRow } from '#client/store/schema.ts';

/**
 * The ETags of the two lists are valid only while the rows are as those lists wrote them. When anything else writes a
 * row, they must be dropped: a 304 would otherwise never correct that row. `generation` counts these writes; a list
 * requested in an earlier generation is out of date.
 */
export type ListState = Omit<ListsRow, 'id'>;
export type ListEtags = Omit<ListState, 'generation'>;

const initial: ListState = { plantsEtag: null, withReadingsEtag: null, generation: 0 };

/** The ETags to send; null where the rows they stand for are missing, as after freeing storage. */
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

/** Within every transaction that writes rows from anything but a list. */
export async function invalidateLists(db: DeviceDb): Promise<void> {
  await saveListState(db, { plantsEtag: null, withReadingsEtag: null });
}

async function readRow(db: DeviceDb): Promise<ListState> {
  const row = await db.syncState.get('lists');
  return row?.id === 'lists' ? row : initial;
}
