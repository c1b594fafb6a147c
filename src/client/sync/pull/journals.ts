import { ApiError } from '#client/api/http.ts';
import { fetchJournal, fetchJournals } from '#client/api/journal.ts';
import { serverIdOf } from '#client/store/ids.ts';
import { isPartial } from '#client/store/journal/journal.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { journalLimits, type PlantJournal } from '#contract/journal.ts';
import { mayHaveEntries } from '#domain/journal/entry.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { requestOptions, type SyncContext } from '../context.ts';
import { chunksOf } from './plant-rows.ts';

/**
 * Fetches the journals that have changed since they were stored, and that of the plant whose history was opened last,
 * which goes first. Nothing is requested while no plant's `journal_version` differs from the stored one. A failed
 * request does not stop the others, but after a 429 no more are requested. Rejects after a 401 and once the signal
 * aborts.
 */
export async function pullJournals(context: SyncContext): Promise<void> {
  const { db } = context;
  const opened = await readOpened(context);
  if (opened?.isNeeded) {
    const { plantId } = opened;
    const result = await attempt(context, async (call) => {
      return new Map([[plantId, await fetchJournal(plantId, {}, call)]]);
    });
    if (result === 'later') return;
    if (result !== 'unanswered') await forgetOpened(db, opened.nonce);
  }
  const behind = await plantsBehind(db);
  for (let i = 0; i < behind.length; i += journalLimits.plants) {
    const ids = behind.slice(i, i + journalLimits.plants);
    const [only, ...others] = ids;
    const result = await attempt(context, async (call) =>
      only !== undefined && others.length === 0
        ? new Map([[only, await fetchJournal(only, {}, call)]])
        : fetchJournals(ids, call),
    );
    if (result === 'later') return;
  }
}

/** Stores the fetched journals. Rejects after a 401. */
async function attempt(
  context: SyncContext,
  fetchAll: (call: ReturnType<typeof requestOptions>) => Promise<ReadonlyMap<string, PlantJournal>>,
): Promise<'done' | 'failed' | 'unanswered' | 'later'> {
  context.signal.throwIfAborted();
  try {
    const journals = await fetchAll(requestOptions(context));
    await putJournals(context, journals);
    return 'done';
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    console.warn(error.message);
    if (error.status === null) return 'unanswered';
    return error.status === 429 || error.status === 425 ? 'later' : 'failed';
  }
}

/** Writes journals, except of plants that were deleted meanwhile and those that are older than the stored ones. */
async function putJournals(
  { db, signal }: SyncContext,
  journals: ReadonlyMap<string, PlantJournal>,
): Promise<void> {
  await db.transaction('rw', db.plants, db.journal, async () => {
    signal.throwIfAborted();
    const ids = [...journals.keys()];
    const isPage = ids.length === 1;
    const [plants, rows] = await Promise.all([db.plants.bulkGet(ids), db.journal.bulkGet(ids)]);
    const fetched = ids.flatMap((plantId, i) => {
      const journal = journals.get(plantId);
      const isNewer = journal && journal.version >= (rows[i]?.version ?? 0);
      if (!plants[i] || !isNewer) return [];
      const { version, entries, next, photos = [] } = journal;
      return [{ plantId, version, isPage: isPage || next === null, entries, next, photos }];
    });
    for (const rows of chunksOf(fetched)) await db.journal.bulkPut(rows);
  });
}

/** The plants whose stored journal is of another version than their record. */
async function plantsBehind(db: DeviceDb): Promise<string[]> {
  return db.transaction('r', db.plants, db.journal, async () => {
    const [rows, keys] = await Promise.all([
      db.plants.toArray(),
      db.journal.orderBy('[plantId+version]').keys() as Promise<unknown> as Promise<
        [plantId: string, version: number][]
      >,
    ]);
    const stored = new Map(keys);
    return rows.filter(({ id, record }) => isBehind(record, stored.get(id))).map(({ id }) => id);
  });
}

function isBehind(record: PlantRecord, stored: number | undefined): boolean {
  if (stored === undefined) return mayHaveEntries(record);
  return typeof record.journal_version === 'number' && record.journal_version !== stored;
}

interface Opened {
  plantId: string;
  nonce: string;
  isNeeded: boolean;
}

/** The plant whose history was opened last, if it was not fetched since. */
async function readOpened({ db, now }: SyncContext): Promise<Opened | null> {
  return db.transaction('r', db.syncState, db.idmap, db.plants, db.journal, async () => {
    const row = await db.syncState.get('history');
    if (row?.id !== 'history') return null;
    const plantId = await serverIdOf(db, row.plantKey);
    const [plant, journal] = await Promise.all([db.plants.get(plantId), db.journal.get(plantId)]);
    return {
      plantId,
      nonce: row.nonce,
      isNeeded: plant !== undefined && isPartial(journal, now()),
    };
  });
}

async function forgetOpened(db: DeviceDb, nonce: string): Promise<void> {
  await db.transaction('rw', db.syncState, async () => {
    const row = await db.syncState.get('history');
    if (row?.id === 'history' && row.nonce === nonce) await db.syncState.delete('history');
  });
}
