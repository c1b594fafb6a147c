import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import type { LatestRow } from '#client/store/schema.ts';
import type { GardenCounts } from '#domain/plant/filter.ts';
import { readStoredGarden, storeGarden } from './stored-session.ts';

// Until the device's database has opened, a start shows the first cards from this copy. It is stored next to the token
// and deleted with it.

/** The first plants as they were last shown. */
export interface KeptGarden {
  /** Oldest first, as the screens list them. */
  plants: PlantWithPending[];
  /** Newest values by plant key; null for a plant that never reported. */
  latest: Record<string, LatestRow | null>;
  /** Of the whole garden. */
  counts: GardenCounts;
}

/** Enough for the first screen of a large monitor. */
export const keptPlantCount = 24;

/** Copies of another account, or of another build, whose format may differ, are not shown. */
interface Owner {
  dbName: string;
  build: string;
}

let atStart: { dbName: string; garden: KeptGarden } | null = null;

/** Reads the copy of the last visit; null when there is none of this account and this build. */
export function loadKeptGarden(owner: Owner): void {
  const garden = readGarden(owner);
  atStart = garden && { dbName: owner.dbName, garden };
}

/** The garden to show until the database has answered, which ends with `endStart`. */
export function gardenAtStart(dbName: string): KeptGarden | null {
  return atStart?.dbName === dbName ? atStart.garden : null;
}

/** The database has answered, or the session has ended. */
export function endStart(): void {
  atStart = null;
}

/** Keeps it for the next start, as long as `token` is this device's; an empty garden has nothing to show early. */
export function keepGarden(token: string, owner: Owner, garden: KeptGarden): void {
  const isEmpty = garden.plants.length === 0;
  storeGarden(token, isEmpty ? null : JSON.stringify({ ...owner, garden }));
}

function readGarden({ dbName, build }: Owner): KeptGarden | null {
  try {
    const kept = JSON.parse(readStoredGarden() ?? 'null');
    const isOurs = kept?.build === build && kept.dbName === dbName;
    return isOurs && isGarden(kept.garden) ? kept.garden : null;
  } catch {
    return null;
  }
}

/** Checked by hand: the schemas' code would delay the first cards. The values are of this build's own writing. */
function isGarden(kept: Partial<KeptGarden> | null): kept is KeptGarden {
  const { plants, latest, counts } = kept ?? {};
  const hasNumbers = counts?.stats !== undefined && counts.byFilter !== undefined;
  return Array.isArray(plants) && plants.every(isPlant) && latest !== undefined && hasNumbers;
}

function isPlant(kept: Partial<PlantWithPending> | null): boolean {
  const { key, record, stamp, waiting, rejected } = kept ?? {};
  const hasText = typeof key === 'string' && typeof stamp === 'string';
  const hasOps = Array.isArray(waiting) && Array.isArray(rejected);
  return hasText && hasOps && typeof record === 'object' && record !== null && 'id' in record;
}
