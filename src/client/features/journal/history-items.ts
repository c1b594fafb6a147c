import type { ShownEntry } from '#client/store/journal/shown-entries.ts';
import { oldestOnServer } from '#client/store/journal/unstored-entries.ts';
import { groupBy } from '#domain/group-by.ts';
import { dayIn, type TimeZone } from '#domain/zone.ts';
import type { ShownPhoto } from '../photos/shown-photos.ts';

/** The entries whose form is open, by id, as they were when it was opened. */
export type EditedEntries = ReadonlyMap<string, ShownEntry>;

/**
 * An item of a history: an entry, or the photos of one day that belong to no entry. `at` in ms. `isGone`: the entry has
 * been deleted while its form is open.
 */
export type HistoryItem =
  | { type: 'entry'; id: string; at: number; entry: ShownEntry; isGone: boolean }
  | { type: 'photos'; id: string; at: number; photos: readonly ShownPhoto[] };

/** An entry whose form is open stays at its place, because moving to another day would clear the form. */
export function entryItems(
  entries: readonly ShownEntry[],
  editing: EditedEntries = new Map(),
): HistoryItem[] {
  return entries.map((entry) => {
    const at = editing.get(entry.id)?.at ?? entry.at;
    return { type: 'entry', id: entry.id, at, entry, isGone: false };
  });
}

/** The entries whose form is open and which are not among `entries`. */
export function missingFrom(entries: readonly ShownEntry[], editing: EditedEntries): ShownEntry[] {
  const ids = new Set(entries.map(({ id }) => id));
  return [...editing.values()].filter(({ id }) => !ids.has(id));
}

/**
 * Items for the entries whose form is open and which are no longer among `entries`. `hasOlder`: there are older entries
 * that are not loaded. An edited entry may then be one of these, because another device may have changed its date, so
 * its `isGone` is false.
 */
export function missingItems(
  editing: EditedEntries,
  entries: readonly ShownEntry[],
  hasOlder: boolean,
): HistoryItem[] {
  return missingFrom(entries, editing).map((entry) => {
    const { id, at } = entry;
    return { type: 'entry', id, at, entry, isGone: !hasOlder };
  });
}

/**
 * The photos without an entry, one item per day, at the time of the day's newest photo. `hasOlder`: older entries are
 * not loaded yet. Then photos that are older than the oldest of `entries` on the server are left out. So are photos whose
 * entry is not among `entries`, because it may be an older one.
 */
export function photoItems(
  photos: readonly ShownPhoto[],
  entries: readonly ShownEntry[],
  hasOlder: boolean,
  zone: TimeZone,
): HistoryItem[] {
  const ids = new Set(entries.map(({ id }) => id));
  const from = hasOlder ? oldestOnServer(entries) : 0;
  const withoutEntry = photos.filter(({ entry_id, taken_at }) => {
    // Photos of a deleted entry are listed too, once all entries are loaded.
    const hasEntry = entry_id !== null && (hasOlder || ids.has(entry_id));
    return !hasEntry && Date.parse(taken_at) >= from;
  });
  const days = groupBy(withoutEntry, ({ taken_at }) => dayIn(zone, Date.parse(taken_at)));
  return [...days].map(([day, ofDay]) => {
    const at = Math.max(...ofDay.map(({ taken_at }) => Date.parse(taken_at)));
    return { type: 'photos', id: `photos-${day}`, at, photos: ofDay };
  });
}

export function newestFirst(items: readonly HistoryItem[]): HistoryItem[] {
  return items.toSorted((a, b) => b.at - a.at);
}
