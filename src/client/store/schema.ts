import type { Dexie, EntityTable, Table } from 'dexie';
import type { PhotoSize } from '#contract/photos.ts';
import type { JournalEntry } from '#domain/journal/entry.ts';
import type { JournalPhoto } from '#domain/journal/photo.ts';
import type { PlantFields } from '#domain/plant/fields.ts';
import type { LatestFields, PlantRecord } from '#domain/plant/plant.ts';
import type { BucketSeries } from '#domain/reading/bucket-series.ts';
import type { RangeName } from '#domain/reading/ranges.ts';
import type { ReadingArrays } from '#domain/reading/reading-arrays.ts';
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

/** A plant's newest values. Stored separately from the readings, so that a screen full of plants reads little data. */
export interface LatestRow {
  plantId: string;
  values: LatestFields;
  /**
   * The stored readings are complete up to this timestamp, usually that of the newest one; null: not known to be
   * complete.
   */
  newestKept: string | null;
  /** When the values were stored (device's clock, ms). Rows that earlier versions of the app stored lack it. */
  storedAt?: number;
  /** Changes whenever the values or the readings do. */
  rev: number;
}

/** All stored readings of one plant in one row, because IndexedDB's cost is per row. */
export interface ReadingsRow {
  plantId: string;
  series: ReadingArrays;
}

/** The version of a journal that was not fetched yet. */
export const notFetched = -1;

/** The newest part of a plant's journal, and its photos without their bytes, as the server last sent them. */
export interface JournalRow {
  plantId: string;
  /**
   * The plant's `journal_version` at that time. If its record has another one, the row is out of date. `notFetched`: the
   * row has only what this device has sent.
   */
  version: number;
  /**
   * Whether its first page (up to 100 entries) is stored; otherwise at most its newest 20, from a request for several
   * journals, or only what this device has sent.
   */
  isPage: boolean;
  /** Newest first, usually at most 100. */
  entries: JournalEntry[];
  /** The cursor of the page after the last entry; null when there are no older ones. */
  next: string | null;
  /** All photos of the plant, newest first as fetched; a photo sent by this device is put first. */
  photos: JournalPhoto[];
}

/** A photo of which this device stores bytes. */
export interface PhotoRow {
  id: string;
  /** The server's id of its plant, or the local id of a plant made on this device. */
  plantId: string;
  /** Whether it was made on this device and not sent yet, so that its bytes exist only here. */
  isWaiting: boolean;
  /** Which sizes are stored. */
  sizes: PhotoSize[];
}

/** The bytes of one size of a photo, a JPEG. */
export interface PhotoFileRow {
  photoId: string;
  size: PhotoSize;
  bytes: ArrayBuffer;
  /**
   * When it was stored or, for the full size, last shown (device's clock, ms; accurate to an hour). The least recently
   * shown full sizes are deleted first.
   */
  usedAt: number;
}

/** The readings of one plant in one range, as the server summarized them, and whether they are wanted. */
export interface SeriesRow {
  plantId: string;
  range: RangeName;
  /**
   * 1 from a request until the series is fetched, cannot be stored, or the server responds with an error other than 425
   * or 429. A number, because IndexedDB cannot index booleans.
   */
  isWanted: 0 | 1;
  /** Null until it was fetched. */
  series: BucketSeries | null;
  /** When the series was fetched (device's clock, ms). */
  fetchedAt: number | null;
  /**
   * The plant's last watering that the server had confirmed when the series was requested (ISO 8601 UTC). Missing until
   * it was fetched, and in rows that an earlier version of the app stored.
   */
  lastWatered?: string | null;
  /** Whether the last request failed. */
  hasFailed: boolean;
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

/**
 * Whether the server responded to the last request that sent ops, read the plant of an op or fetched the lists. An upload
 * without a response does not count. Screens show it as the state of the network.
 */
export type Connectivity = 'unknown' | 'online' | 'offline' | 'unreachable';

/** The state of the sync engine, one row; only sync writes it. */
export interface SyncStatus {
  id: 'status';
  connectivity: Connectivity;
  /** Device's clock, ms; null before the first complete pull. */
  pulledAt: number | null;
  /** Why the last pull failed, as text for a person; null when it succeeded. */
  pullError: string | null;
  /**
   * When a pull last failed (device's clock, ms). Each failure changes it, so that screens see the end of a retry.
   */
  pullFailedAt: number | null;
  /** How many ops the server has confirmed since the outbox last had no waiting op. */
  sentCount: number;
}

/** Written to request a round of the leading tab. Its nonce is new each time, so that sync detects it. */
export interface RoundRequestRow {
  id: 'request';
  nonce: string;
}

/**
 * The plant whose readings were opened last, by the id that screens use: sync pulls them first. 'look' is a stored key.
 */
export interface PriorityRow {
  id: 'look';
  plantKey: string;
}

/** The upload of a photo that is running, or the last one. */
export interface UploadRow {
  id: 'upload';
  opId: string;
  /** The share of its bytes that have been sent: 0–1. */
  share: number;
}

/** A file of a photo that a screen shows and that is not on this device. */
export interface WantedPhoto {
  /** The server's id. */
  plantId: string;
  photoId: string;
  size: PhotoSize;
  /**
   * The plant's `journal_version` in which the server did not have this photo, which is the plant's picture. It is
   * requested again after that version has changed.
   */
  missingIn?: number;
}

export interface WantedPhotosRow {
  id: 'photos';
  wanted: readonly WantedPhoto[];
}

/**
 * The plant whose history was opened last, if its journal has to be fetched. Sync does that and deletes the row.
 */
export interface HistoryRequestRow {
  id: 'history';
  /** The id that screens use. */
  plantKey: string;
  /** A new value for each request, so that sync also detects a repeated request for the same plant. */
  nonce: string;
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
 * A field, or a group of fields (`fieldGroups`), that was changed both here and elsewhere: this device's value won.
 * Stored until the person dismisses or undoes it or edits the field again, or the plant is deleted.
 */
export interface ConflictRow {
  /** The op's id and the first of the fields. */
  id: string;
  /** A plant's server id or local id, as in the op. */
  entity: string;
  /** The values that were sent, or those of later edits that wait to be sent. */
  mine: Partial<PlantFields>;
  /** The values that they replaced. */
  theirs: Partial<PlantFields>;
  /** Device's clock, ms. */
  at: number;
}

export type SyncStateRow =
  | SyncStatus
  | RoundRequestRow
  | PriorityRow
  | HistoryRequestRow
  | ListsRow
  | UploadRow
  | WantedPhotosRow;

export interface DeviceDb extends Dexie {
  plants: EntityTable<PlantRow, 'id'>;
  outbox: EntityTable<Op, 'seq'>;
  idmap: EntityTable<IdMapRow, 'localId'>;
  latest: EntityTable<LatestRow, 'plantId'>;
  readings: EntityTable<ReadingsRow, 'plantId'>;
  journal: EntityTable<JournalRow, 'plantId'>;
  photos: EntityTable<PhotoRow, 'id'>;
  photoFiles: Table<PhotoFileRow, [photoId: string, size: PhotoSize]>;
  series: Table<SeriesRow, [plantId: string, range: RangeName]>;
  syncState: Table<SyncStateRow, string>;
  conflicts: EntityTable<ConflictRow, 'id'>;
  meta: EntityTable<MetaRow, 'id'>;
  storageProblem: StorageProblemLog;
}
