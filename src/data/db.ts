import { Dexie, type EntityTable, type Table } from 'dexie';
import type { LatestFields, PlantRecord } from '#domain/plant.ts';
import type { ReadingSeries } from '#domain/reading-series.ts';
import type { Op } from './op.ts';
import type { SyncStatus } from './sync-state.ts';

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

/** All readings of one plant in one row: storing costs per row, not per reading. */
export interface ReadingsRow {
  plantId: string;
  latest: LatestFields;
  series: ReadingSeries;
  rev: number;
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

export interface DeviceDb extends Dexie {
  plants: EntityTable<PlantRow, 'id'>;
  outbox: EntityTable<Op, 'seq'>;
  idmap: EntityTable<IdMapRow, 'localId'>;
  readings: EntityTable<ReadingsRow, 'plantId'>;
  syncState: Table<SyncStatus | RequestRow, string>;
  meta: EntityTable<MetaRow, 'id'>;
}

/** The device's database of one account. Opening is lazy: the first query does it. */
export function openDeviceDb(name: string): DeviceDb {
  const db = new Dexie(name, { cache: 'immutable' }) as DeviceDb;
  db.version(1).stores({
    plants: 'id',
    outbox: '++seq, &opId, entity',
    idmap: 'localId, serverId',
    readings: 'plantId',
    syncState: 'id',
    meta: 'id',
  });
  // Another tab has a newer version to install: let go, and stay closed rather than write an old shape into it.
  db.on('versionchange', () => db.close());
  return db;
}
