import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import type { LatestRow } from '#client/store/schema.ts';
import type { GardenCounts } from '#domain/plant/filter.ts';
import { readStoredSnapshot, storeSnapshot } from './stored-session.ts';

// At the start, the first cards are shown from this snapshot until the device's database has opened. It is stored next
// to the token and deleted with it.

/** The first plants as they were last shown. */
export interface GardenSnapshot {
  /** Oldest first, as the screens list them. */
  plants: PlantWithPending[];
  /** Newest values by plant key; null if none are stored. A plant that never reported has a row of nulls. */
  latest: Record<string, LatestRow | null>;
  /** Counts of all plants, not only of those in the snapshot. */
  counts: GardenCounts;
  /** When the plants were last pulled (device's clock, ms). */
  pulledAt: number | null;
}

/** Enough for the first screen of a large monitor. */
export const snapshotPlantCount = 24;

/**
 * The account and the build of a snapshot. Another owner's snapshot is not shown: its format may differ if the build
 * differs.
 */
interface Owner {
  dbName: string;
  build: string;
}

let atStart: { dbName: string; snapshot: GardenSnapshot } | null = null;

/** Loads the snapshot of the last visit if it belongs to this account and this build. */
export function loadGardenSnapshot(owner: Owner): void {
  const snapshot = readSnapshot(owner);
  atStart = snapshot && { dbName: owner.dbName, snapshot };
}

/** The snapshot to show until the database has opened and discardStartSnapshot is called. */
export function snapshotAtStart(dbName: string): GardenSnapshot | null {
  return atStart?.dbName === dbName ? atStart.snapshot : null;
}

/** Call it once the database has opened or the session has ended. */
export function discardStartSnapshot(): void {
  atStart = null;
}

/**
 * Stores a snapshot for the next start if `token` is still the stored one. For an empty garden it deletes the old one.
 */
export function saveGardenSnapshot(token: string, owner: Owner, snapshot: GardenSnapshot): void {
  const isEmpty = snapshot.plants.length === 0;
  storeSnapshot(token, isEmpty ? null : JSON.stringify({ ...owner, garden: snapshot }));
}

function readSnapshot({ dbName, build }: Owner): GardenSnapshot | null {
  try {
    const stored = JSON.parse(readStoredSnapshot() ?? 'null');
    const isOurs = stored?.build === build && stored.dbName === dbName;
    return isOurs && isSnapshot(stored.garden) ? stored.garden : null;
  } catch {
    return null;
  }
}

/** Checks only the main fields, since this build wrote the snapshot. A schema's code would delay the first cards. */
function isSnapshot(stored: Partial<GardenSnapshot> | null): stored is GardenSnapshot {
  const { plants, latest, counts } = stored ?? {};
  const hasNumbers = counts?.stats !== undefined && counts.byFilter !== undefined;
  return Array.isArray(plants) && plants.every(isPlant) && latest !== undefined && hasNumbers;
}

function isPlant(stored: Partial<PlantWithPending> | null): boolean {
  const { key, record, stamp, waiting, rejected } = stored ?? {};
  const hasText = typeof key === 'string' && typeof stamp === 'string';
  const hasOps = Array.isArray(waiting) && Array.isArray(rejected);
  return hasText && hasOps && typeof record === 'object' && record !== null && 'id' in record;
}
