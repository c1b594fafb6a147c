import { mayHaveEntries } from '#domain/journal/entry.ts';
import { dayMs } from '#domain/time.ts';
import { serverIdOf } from '../ids.ts';
import { type LiveStore, liveStore } from '../live-store.ts';
import { newOpId, type Op } from '../outbox/op.ts';
import { opsOfPlant } from '../outbox/outbox.ts';
import { applyPhotoOps, type PlantPhoto } from '../photos/photos.ts';
import { type DeviceDb, type JournalRow, notFetched } from '../schema.ts';
import { applyEntryOps, type ShownEntry } from './shown-entries.ts';

/** A plant's journal as screens show it. */
export interface ShownJournal {
  /** Newest first, with the pending changes. */
  entries: ShownEntry[];
  /** Newest first, with the pending changes. */
  photos: PlantPhoto[];
  /** The plant's pending ops. Apply them also to older entries, which are not stored but loaded from the server. */
  ops: Op[];
  /** False if the journal was never fetched although the server may have entries: only those of this device are known. */
  isStored: boolean;
  /**
   * The cursor for loading the entries that are older than the stored ones; null if there are none, or if the journal
   * was never fetched.
   */
  next: string | null;
  /** The version of the stored entries. Older entries that were loaded at another version may be out of date. */
  version: number;
  /** The version on the server, as far as it is known: higher than `version` if the journal has to be fetched. */
  serverVersion: number;
}

/** The journal of a plant by its local or its server id, live. */
export function watchJournal(db: DeviceDb, plantKey: string): LiveStore<ShownJournal> {
  return liveStore(db, () => readJournal(db, plantKey));
}

export function readJournal(db: DeviceDb, plantKey: string): Promise<ShownJournal> {
  return db.transaction('r', db.plants, db.journal, db.outbox, db.idmap, async () => {
    const plantId = await serverIdOf(db, plantKey);
    const [plant, row, ops] = await Promise.all([
      db.plants.get(plantId),
      db.journal.get(plantId),
      opsOfPlant(db, plantId),
    ]);
    const { entries = [], photos = [], next = null, version = 0 } = row ?? {};
    return {
      entries: applyEntryOps(entries, ops),
      photos: applyPhotoOps(photos, ops),
      ops,
      isStored: row ? row.version !== notFetched : !plant || !mayHaveEntries(plant.record),
      next,
      version,
      serverVersion: plant?.record.journal_version ?? 0,
    };
  });
}

/**
 * How long after a watering its `soil_after` may still change: the server adds it when readings arrive, without
 * changing a version.
 */
const soilAfterKnownMs = dayMs;

/**
 * Whether a journal should be fetched when it is opened at `now` (ms): its first page is not stored, or it has a
 * watering whose `soil_after` may have changed.
 */
export function needsFetch(
  row: Pick<JournalRow, 'isPage' | 'entries'> | undefined,
  now: number,
): boolean {
  if (!row?.isPage) return true;
  return row.entries.some(
    ({ soil_before, at }) => soil_before !== null && now - Date.parse(at) < soilAfterKnownMs,
  );
}

/**
 * Makes sync fetch the first page of a plant's journal if needsFetch is true; called when its history is opened at
 * `now` (ms, device's clock).
 */
export function requestJournal(db: DeviceDb, plantKey: string, now: number): Promise<void> {
  return db.transaction('rw', db.journal, db.idmap, db.syncState, async () => {
    const row = await db.journal.get(await serverIdOf(db, plantKey));
    if (needsFetch(row, now)) await db.syncState.put({ id: 'history', plantKey, nonce: newOpId() });
  });
}
