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

/** How the last request to the server went; what the screens say about the network. */
export type Connectivity = 'unknown' | 'online' | 'offline' | 'unreachable';

/** The engine's own account of itself, one row; only sync writes it. */
export interface SyncStatus {
  id: 'status';
  connectivity: Connectivity;
  /** Device's clock, ms; null before the first complete pull. */
  pulledAt: number | null;
  /** Why the last pull was refused, in the catalogue's words; null when it was not. */
  pullError: string | null;
  /** How many ops of the present queue have been sent; 0 once it is empty. */
  sentCount: number;
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
