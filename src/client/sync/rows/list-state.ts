import type { DeviceDb, ListsRow } from '#client/store/schema.ts';

/**
 * The rows are up to date with the state of the server that the ETags identify: no row is older, and the next delta
 * contains all later changes. When a row that may be older is written, the ETags must be deleted, because no delta
 * would correct the row. `generation` counts the transactions that write rows; a list that was requested in an earlier
 * generation may be older than the rows.
 */
export type ListState = Omit<ListsRow, 'id'>;
export type ListEtags = Omit<ListState, 'generation'>;

const initial: ListState = { plantsEtag: null, withReadingsEtag: null, generation: 0 };

/**
 * The ETags to send, and the generation. If a table has no rows, its ETag is null, so that the whole list is requested
 * next: the rows may have been deleted to free storage.
 */
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

/** Call it in the transaction that writes rows from the lists, with the ETags of the lists that have changed. */
export async function saveListState(db: DeviceDb, etags: Partial<ListEtags>): Promise<void> {
  const state = await readRow(db);
  await db.syncState.put({ ...state, ...etags, id: 'lists', generation: state.generation + 1 });
}

/**
 * Call it in a transaction that writes rows from the response to an op: lists that were requested before it may be
 * older than these rows.
 */
export async function advanceGeneration(db: DeviceDb): Promise<void> {
  await saveListState(db, {});
}

/** Call it if written rows may be older than the lists: the next pull then requests whole lists. */
export async function invalidateLists(db: DeviceDb): Promise<void> {
  await saveListState(db, { plantsEtag: null, withReadingsEtag: null });
}

async function readRow(db: DeviceDb): Promise<ListState> {
  const row = await db.syncState.get('lists');
  return row?.id === 'lists' ? row : initial;
}
