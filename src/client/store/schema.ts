import type { Dexie, EntityTable, Table } from 'dexie';
import type { PlantFields } from '#domain/plant/fields.ts';
import type { LatestFields, PlantRecord } from '#domain/plant/plant.ts';
import type { ReadingSeries } from '#domain/reading/series.ts';
import type { Op } from './outbox/op.ts';
import type { StorageProblemLog } from './storage-problem.ts';

/** A plant as the server last confirmed it. Only sync writes it; the screens' view is computed, never stored. */
export interface PlantRow {
  /** The record's id as text. */
  id: string;
  record: PlantRecord;
  etag: string | null;
  /** Device's clock, ms. */
  fetchedAt: number;
  /** Changes whenever the record changes; components are memoised by it. */
  rev: number;
}

/** A plant's newest values. Stored separately from the series, so that a screen full of plants reads little data. */
export interface LatestRow {
  plantId: string;
  values: LatestFields;
  /** The timestamp of the newest reading in the stored series; null without a series. */
  newestKept: string | null;
  /** Changes whenever the values or the series do. */
  rev: number;
}

/** All stored readings of one plant in one row, because IndexedDB's cost is per row. */
export interface ReadingsRow {
  plantId: string;
  series: ReadingSeries;
}

/** The server's id of a plant made on this device. Never deleted, because screens keep using the local id. */
export interface IdMapRow {
  localId: string;
  serverId: string;
}

export interface MetaRow {
  id: string;
  value: string | number | null;
}

/** How the last request to the server ended; the screens show it as the state of the network. */
export type Connectivity = 'unknown' | 'online' | 'offline' | 'unreachable';

/** The state of the sync engine, one row; only sync writes it. */
export interface SyncStatus {
  id: 'status';
  connectivity: Connectivity;
  /** Device's clock, ms; null before the first complete pull. */
  pulledAt: number | null;
  /** Why the last pull failed, as text for a person; null when it succeeded. */
  pullError: string | null;
  /** How many ops have been sent since the outbox was last empty. */
  sentCount: number;
}

export interface RequestRow {
  id: 'request';
  nonce: string;
}

/** The plant whose readings were opened last, by the id that screens use: sync pulls them first. */
export interface PriorityRow {
  id: 'look';
  plantKey: string;
}

/** Sync's state of the two lists that it pulls. */
export interface ListsRow {
  id: 'lists';
  plantsEtag: string | null;
  withReadingsEtag: string | null;
  /** Incremented by every write to the plant rows. */
  generation: number;
}

/**
 * A field, or the two ends of a range, that was changed both here and elsewhere: this device's value won. Stored until
 * the person dismisses or undoes it.
 */
export interface ConflictRow {
  /** The op's id and the first of the fields. */
  id: string;
  /** A plant's server id or local id, as in the op. */
  entity: string;
  /** The values that were sent. */
  mine: Partial<PlantFields>;
  /** The values that they replaced. */
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
