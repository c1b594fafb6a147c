import { Dexie, type EntityTable, type Table } from 'dexie';
import type { PlantFields } from '#domain/plant/fields.ts';
import type { LatestFields, PlantRecord } from '#domain/plant/plant.ts';
import type { ReadingSeries } from '#domain/reading/series.ts';
import type { Op } from './outbox/op.ts';
import { newOpId } from './outbox/op-id.ts';
import {
  clearStorageProblem,
  newStorageProblemLog,
  reportStorageProblem,
  type StorageProblemLog,
} from './storage-problem.ts';
import type { SyncStatus } from './sync-state.ts';
import { addNoticeFlag, renameOpFields, splitLatestFromSeries } from './upgrades.ts';

/** A plant as the server last confirmed it. Only sync writes it; the screens' view is computed, never stored. */
export interface PlantRow {
  /** The record's id as text. */
  id: string;
  record: PlantRecord;
  etag: string | null;
  /** Device's clock, ms. */
  fetchedAt: number;
  /** Another number whenever the record differs; components memoise on it. */
  rev: number;
}

/** A plant's newest values, without the series: a screen full of plants reads no more than these. */
export interface LatestRow {
  plantId: string;
  values: LatestFields;
  /** The newest moment of the plant's series as it is kept here; null when none is. */
  newestKept: string | null;
  /** Another number whenever the values or the series differ. */
  rev: number;
}

/** All readings of one plant in one row: storing costs per row, not per reading. */
export interface ReadingsRow {
  plantId: string;
  series: ReadingSeries;
}

/** Which server id a plant made on this device got. Kept, so that open screens may keep the local id. */
export interface IdMapRow {
  localId: string;
  serverId: string;
}

export interface MetaRow {
  id: string;
  value: string | number | null;
}

export interface RequestRow {
  id: 'request';
  nonce: string;
}

/** The plant whose readings somebody opened last, as screens know it: sync asks for them first. */
export interface PriorityRow {
  id: 'look';
  plantKey: string;
}

/** What sync remembers of the two lists it asks for. */
export interface ListsRow {
  id: 'lists';
  plantsEtag: string | null;
  withReadingsEtag: string | null;
  /** Counts all that was written to rows. */
  generation: number;
}

/**
 * A field, or a pair that counts as one, that was changed here and elsewhere: this device's value won. Kept until the
 * person has seen it.
 */
export interface ConflictRow {
  /** The op's id and the first of the fields. */
  id: string;
  /** As in the op: a plant's server id, or its local one. */
  entity: string;
  /** What was sent. */
  mine: Partial<PlantFields>;
  /** What it replaced. */
  theirs: Partial<PlantFields>;
  /** Device's clock, ms. */
  at: number;
}

export interface DeviceDb extends Dexie {
  plants: EntityTable<PlantRow, 'id'>;
  outbox: EntityTable<Op, 'seq'>;
  idmap: EntityTable<IdMapRow, 'localId'>;
  latest: EntityTable<LatestRow, 'plantId'>;
  readings: EntityTable<ReadingsRow, 'plantId'>;
  syncState: Table<SyncStatus | RequestRow | PriorityRow | ListsRow, string>;
  conflicts: EntityTable<ConflictRow, 'id'>;
  meta: EntityTable<MetaRow, 'id'>;
  storageProblem: StorageProblemLog;
}

/** The device's database of one account. Opening is lazy: the first query does it. */
export function openDeviceDb(name: string): DeviceDb {
  const db = new Dexie(name, { cache: 'immutable' }) as DeviceDb;
  db.storageProblem = newStorageProblemLog();
  db.version(1).stores({
    plants: 'id',
    outbox: '++seq, &opId, entity',
    idmap: 'localId, serverId',
    readings: 'plantId',
    syncState: 'id',
    meta: 'id',
  });
  db.version(2)
    .stores({ outbox: '++seq, &opId, entity, state', conflicts: 'id, at' })
    .upgrade(addNoticeFlag);
  db.version(3).stores({ latest: 'plantId' }).upgrade(splitLatestFromSeries);
  db.version(4).upgrade(renameOpFields);
  followConnection(db);
  return db;
}

/** Whatever befalls the connection reaches a person: live queries alone would only fall silent. */
function followConnection(db: DeviceDb): void {
  // Another tab installs a newer version, or signs out: let go, and stay closed rather than write an old shape into it.
  db.on('versionchange', ({ newVersion }) => {
    reportStorageProblem(db.storageProblem, newVersion ? 'updated' : 'removed');
    db.close();
  });
  db.on('blocked', () => reportStorageProblem(db.storageProblem, 'blocked'));
  // Dexie opens a database that is newer than this code all the same.
  const refuseNewer = () => {
    const installed = (db.backendDB()?.version ?? 0) / 10;
    if (Math.floor(installed) <= db.verno)
      return clearStorageProblem(db.storageProblem, 'blocked', 'broken');
    reportStorageProblem(db.storageProblem, 'updated');
    throw new Error(`This database is of version ${installed}`);
  };
  db.on('ready', refuseNewer, true);
  // A browser may cut the connection, or evict what it led to: open anew rather than wait for the next query, and fill
  // what may be empty now.
  db.on('close', () => {
    queueMicrotask(() => {
      if (db.isOpen() || db.hasFailed()) return;
      openNow(db, () => db.syncState.put({ id: 'request', nonce: newOpId() }));
    });
  });
}

/** A browser that has just cut a connection needs a moment before it grants the next. */
const openAgainMs = [200, 1_000, 3_000] as const;
const blockedAfterMs = 3_000;

/**
 * Opens the database now, so that a failure is known although queries swallow it. Tries a few times before it is
 * called broken. `onOpen`: what to do then.
 */
export function openNow(db: DeviceDb, onOpen?: () => Promise<unknown>, tries = 0): void {
  // Of two that wait for the same tab, the page and its worker, the browser tells only the first.
  const slow = setTimeout(() => reportStorageProblem(db.storageProblem, 'blocked'), blockedAfterMs);
  const opened = db.open().finally(() => clearTimeout(slow));
  opened.then(onOpen).catch((error: Error) => {
    console.warn('The device’s database did not open:', error.message);
    if (db.storageProblem.current === 'updated' || db.storageProblem.current === 'removed') return;
    if (isDenied(error)) return reportStorageProblem(db.storageProblem, 'denied');
    const delayMs = openAgainMs[tries];
    if (delayMs === undefined) return reportStorageProblem(db.storageProblem, 'broken');
    setTimeout(() => openNow(db, onOpen, tries + 1), delayMs);
  });
}

/** Browsers agree on no name for it: Chromium's is only in the words, others have no database at all then. */
function isDenied({ name, message }: Error): boolean {
  return /^(SecurityError|MissingAPIError)$/.test(name) || /denied/.test(message);
}
