import type { PlantRecord } from '../plant/plant.ts';

/** The types of entries that a person can add to a plant's journal. */
export const addableTypes = [
  'watered',
  'fertilized',
  'repotted',
  'pruned',
  'note',
  'snoozed',
] as const;

export type AddableType = (typeof addableTypes)[number];

/** `not_watered`: automatic watering did not water although the soil was too dry; only the server adds it. */
export type EntryType = AddableType | 'not_watered';

/**
 * Why automatic watering did not water a plant that was too dry. These are the reasons of the watering rule for which
 * the journal gets an entry, and `pump_failed`, which a device reports. `soaking` and `under_way` are left out because
 * they occur in every watering.
 */
export const notWateredReasons = ['locked', 'runs_used', 'water_used', 'pump_failed'] as const;

export type NotWateredReason = (typeof notWateredReasons)[number];

/** An entry of a plant's journal, as the API sends it and the device stores it. */
export interface JournalEntry {
  /** A UUID. The device that adds an entry chooses it, so that the entry has the same id before it is sent. */
  id: string;
  /** An EntryType. A newer server may send further ones. */
  type: string;
  /** 'manual': a person added it. 'auto': automatic watering caused it; such an entry cannot be changed. */
  source: 'manual' | 'auto';
  /** When it was done, ISO 8601 UTC. */
  at: string;
  note: string | null;
  /** watered: ml, if known */
  amount_ml: number | null;
  /** watered: soil humidity (%) before it, and the highest in the 2 hours after it (wateringLimits.effectMs) */
  soil_before: number | null;
  soil_after: number | null;
  /** snoozed: the plant is due again after this many days */
  days: number | null;
  /** not_watered: the reason as a code (NotWateredReason); a newer server may send further ones */
  reason: string | null;
}

/** What a person sets when adding an entry. */
export interface NewEntry {
  id: string;
  type: AddableType;
  /** ISO 8601 */
  at: string;
  note: string | null;
  amount_ml: number | null;
  days: number | null;
}

/** The fields of an entry that a person can change later. */
export const entryFields = ['at', 'note', 'amount_ml'] as const;

export type EntryField = (typeof entryFields)[number];

/** A change of an entry: the new values of the fields that change. */
export type EntryEdit = Partial<Pick<NewEntry, EntryField>>;

/** How far back (days) a request may date a watering by hand or the date on which a plant was added. */
export const maxBackDays = 60;

export const entryLimits = {
  /** Characters. */
  note: 4_000,
  /** How far back an entry may be dated. */
  backDays: 365,
  /** ml */
  amount: { min: 1, max: 10_000 },
} as const;

/** The numbers of days to choose from when a due plant is snoozed because its soil is still wet. */
export const snoozeDays = [1, 2, 3, 7] as const;

/** Orders entries newest first, and those with the same time by id, so that every device shows the same order. */
export function newestFirst(
  a: Pick<JournalEntry, 'at' | 'id'>,
  b: Pick<JournalEntry, 'at' | 'id'>,
): number {
  return Date.parse(b.at) - Date.parse(a.at) || (a.id < b.id ? 1 : -1);
}

/**
 * Whether the server may have journal entries of a plant. At version 0 it may have some if the plant was watered or
 * fertilized, because servers without a journal stored that without incrementing the version.
 */
export function mayHaveEntries({
  journal_version,
  last_watered,
  last_fertilized,
}: Pick<PlantRecord, 'journal_version' | 'last_watered' | 'last_fertilized'>): boolean {
  if (typeof journal_version !== 'number') return false;
  return journal_version > 0 || Boolean(last_watered || last_fertilized);
}
