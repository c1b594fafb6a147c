import { ApiError } from '#client/api/http.ts';
import { fetchJournal, fetchJournals } from '#client/api/journal.ts';
import { serverIdOf } from '#client/store/ids.ts';
import { needsFetch } from '#client/store/journal/journal.ts';
import { deleteStoredPhoto } from '#client/store/photos/photo-files.ts';
import type { DeviceDb, JournalRow } from '#client/store/schema.ts';
import { journalLimits, type PlantJournal } from '#contract/journal.ts';
import { mayHaveEntries } from '#domain/journal/entry.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import { chunksOf } from '../rows/plant-rows.ts';

/**
 * Fetches the journal of the plant whose history was opened last, if it has to be fetched, and then every journal that
 * is missing or whose stored version differs from the plant's `journal_version`. A few long ones whose first page is
 * stored are fetched one by one, so that their histories are not shortened, the others together. A failed request does
 * not stop the others, but after a 425 or 429 no more are requested. Rejects after a 401 and once the signal aborts.
 */
export async function pullJournals(context: SyncContext): Promise<void> {
  if ((await pullOpenedJournal(context)) === 'later') return;
  const outdated = await plantsWithOutdatedJournal(context.db);
  const allLong = await plantsWithLongJournal(context.db, outdated);
  const long = allLong.length > maxFetchedAlone ? [] : allLong;
  const others = outdated.filter((id) => !long.includes(id));
  for (const ids of [...requestsOf(others), ...long.map((id) => [id])]) {
    if ((await fetchAndStore(context, ids)) === 'later') return;
  }
}

/** If more long journals are outdated, e.g. because all plants were watered, one request each would take too long. */
const maxFetchedAlone = 10;

function requestsOf(plantIds: readonly string[]): string[][] {
  const { plants } = journalLimits;
  const count = Math.ceil(plantIds.length / plants);
  return Array.from({ length: count }, (_, i) => plantIds.slice(i * plants, (i + 1) * plants));
}

async function pullOpenedJournal(context: SyncContext): Promise<'done' | 'later'> {
  const opened = await readOpenedHistory(context);
  if (!opened) return 'done';
  const result = await fetchAndStore(context, [opened.plantId]);
  if (result === 'later') return 'later';
  if (result !== 'no-response') await forgetOpenedHistory(context.db, opened.nonce);
  return 'done';
}

/** later: the server wants no further calls for now. Rejects after a 401. */
async function fetchAndStore(
  context: SyncContext,
  plantIds: readonly string[],
): Promise<'done' | 'failed' | 'no-response' | 'later'> {
  context.signal.throwIfAborted();
  try {
    await putJournals(context, await fetchFromServer(context, plantIds));
    return 'done';
  } catch (error) {
    const isAborted = context.signal.aborted;
    if (!(error instanceof ApiError) || error.status === 401 || isAborted) throw error;
    console.warn(error.message);
    if (error.status === null) return 'no-response';
    return error.isPause ? 'later' : 'failed';
  }
}

/** A single journal is fetched with a whole page of entries, several only with their newest ones. */
async function fetchFromServer(
  context: SyncContext,
  plantIds: readonly string[],
): Promise<ReadonlyMap<string, PlantJournal>> {
  const call = requestOptions(context);
  const [first, ...others] = plantIds;
  if (first === undefined || others.length > 0) return fetchJournals(plantIds, call);
  return new Map([[first, await fetchJournal(first, {}, call)]]);
}

/**
 * Writes journals, except those of plants that were deleted meanwhile. A stored journal is replaced only by one that is
 * at least as new as itself and as the plant's record. The record counts too, because the stored journal may contain a
 * newly confirmed entry although its own version is older. Photos that the server no longer has are deleted.
 */
async function putJournals(
  { db, signal }: SyncContext,
  journals: ReadonlyMap<string, PlantJournal>,
): Promise<void> {
  const tables = [db.plants, db.journal, db.photos, db.photoFiles, db.outbox];
  await db.transaction('rw', tables, async () => {
    signal.throwIfAborted();
    const ids = [...journals.keys()];
    const isPage = ids.length === 1;
    const [plants, rows] = await Promise.all([db.plants.bulkGet(ids), db.journal.bulkGet(ids)]);
    const fetched = ids.flatMap((plantId, i) => {
      const journal = journals.get(plantId);
      const [plant, row] = [plants[i], rows[i]];
      const known = row ? Math.max(row.version, plant?.record.journal_version ?? 0) : 0;
      if (!plant || !journal || journal.version < known) return [];
      const { version, entries, next, photos = [] } = journal;
      return [{ plantId, version, isPage: isPage || next === null, entries, next, photos }];
    });
    for (const rows of chunksOf(fetched)) await db.journal.bulkPut(rows);
    // Without a stored journal an older one is written too, which may lack a newly confirmed photo.
    const current = fetched.filter(({ plantId, version }) => {
      const record = plants[ids.indexOf(plantId)]?.record;
      return journals.get(plantId)?.photos && version >= (record?.journal_version ?? 0);
    });
    await deleteUnlistedPhotos(db, current);
  });
}

/** Deletes the photos of these journals' plants that they do not list, except those that may still have to be sent. */
async function deleteUnlistedPhotos(
  db: DeviceDb,
  journals: readonly Pick<JournalRow, 'plantId' | 'photos'>[],
): Promise<void> {
  const listed = new Set(journals.flatMap(({ photos }) => photos.map(({ id }) => id)));
  const plantIds = journals.map(({ plantId }) => plantId);
  const stored = await db.photos.where('plantId').anyOf(plantIds).toArray();
  const unlisted = stored.filter(({ id, isWaiting }) => !isWaiting && !listed.has(id));
  if (unlisted.length === 0) return;
  const ops = await db.outbox.filter(({ type }) => type === 'add_photo').toArray();
  const unsent = new Set(ops.map(({ photo }) => photo?.id));
  for (const { id } of unlisted) if (!unsent.has(id)) await deleteStoredPhoto(db, id);
}

/** The plants whose stored journal is of another version than their record, or missing although it may have entries. */
async function plantsWithOutdatedJournal(db: DeviceDb): Promise<string[]> {
  return db.transaction('r', db.plants, db.journal, async () => {
    const [rows, keys] = await Promise.all([
      db.plants.toArray(),
      // Dexie's type of `keys` does not know compound indexes.
      db.journal.orderBy('[plantId+version]').keys() as Promise<unknown> as Promise<
        [plantId: string, version: number][]
      >,
    ]);
    const storedVersions = new Map(keys);
    return rows
      .filter(({ id, record }) => isOutdated(record, storedVersions.get(id)))
      .map(({ id }) => id);
  });
}

/**
 * Those of these plants whose stored page would be replaced by fewer entries if their journals were fetched together.
 * Each change of a journal, which may add an entry, increases its version by one.
 */
async function plantsWithLongJournal(db: DeviceDb, plantIds: string[]): Promise<string[]> {
  return db.transaction('r', db.plants, db.journal, async () => {
    const [plants, rows] = await Promise.all([
      db.plants.bulkGet(plantIds),
      db.journal.bulkGet(plantIds),
    ]);
    return plantIds.filter((_, i) => {
      const row = rows[i];
      if (!row?.isPage) return false;
      const changes = (plants[i]?.record.journal_version ?? row.version) - row.version;
      return row.entries.length + changes > journalLimits.entriesOfEach;
    });
  });
}

function isOutdated(record: PlantRecord, storedVersion: number | undefined): boolean {
  if (storedVersion === undefined) return mayHaveEntries(record);
  return typeof record.journal_version === 'number' && record.journal_version !== storedVersion;
}

interface OpenedHistory {
  plantId: string;
  nonce: string;
}

/** The plant whose history was opened last; null if its journal need not be fetched. */
async function readOpenedHistory({ db, now }: SyncContext): Promise<OpenedHistory | null> {
  return db.transaction('r', db.syncState, db.idmap, db.plants, db.journal, async () => {
    const row = await db.syncState.get('history');
    if (row?.id !== 'history') return null;
    const plantId = await serverIdOf(db, row.plantKey);
    const [plant, journal] = await Promise.all([db.plants.get(plantId), db.journal.get(plantId)]);
    return plant && needsFetch(journal, now()) ? { plantId, nonce: row.nonce } : null;
  });
}

async function forgetOpenedHistory(db: DeviceDb, nonce: string): Promise<void> {
  await db.transaction('rw', db.syncState, async () => {
    const row = await db.syncState.get('history');
    if (row?.id === 'history' && row.nonce === nonce) await db.syncState.delete('history');
  });
}
