import { entryIdOf, isRejected } from '../outbox/op.ts';
import type { ShownJournal } from './journal.ts';
import { applyEntryOps, type ShownEntry } from './shown-entries.ts';

/**
 * Once an entry with an old date is confirmed, sync does not store it if it belongs to a page that is not stored. It
 * would disappear from the open history, and look lost. So the history tracks the entries that were added or edited
 * while it is open, and also shows those that are no longer stored.
 */
export interface TrackedEntries {
  /** The journal as it was read last. */
  journal: ShownJournal | null;
  entries: ReadonlyMap<string, TrackedEntry>;
}

interface TrackedEntry {
  /** As it was shown last. */
  entry: ShownEntry;
  /** shown: it is in the journal · removed: its removal is pending · unstored: it belongs to a page that is not stored. */
  state: 'shown' | 'removed' | 'unstored';
}

export const noneTracked: TrackedEntries = { journal: null, entries: new Map() };

/** The tracked entries after the journal was read again. Pure. */
export function trackEntries(before: TrackedEntries, journal: ShownJournal): TrackedEntries {
  const shown = new Map(journal.entries.map((entry) => [entry.id, entry]));
  const removals = journal.ops.filter((op) => op.type === 'remove_entry' && !isRejected(op));
  const removed = new Set(removals.map(entryIdOf));
  // An op is deleted together with the plant's update to the confirmed version. If the version is still the same, the
  // person has undone or discarded the change.
  const isConfirmed = journal.serverVersion > (before.journal?.serverVersion ?? 0);
  const entries = new Map<string, TrackedEntry>();
  for (const [id, { entry, state }] of before.entries) {
    const current = shown.get(id);
    if (current) entries.set(id, { entry: current, state: 'shown' });
    else if (removed.has(id)) entries.set(id, { entry, state: 'removed' });
    else if (
      state === 'unstored' ||
      (state === 'shown' && isConfirmed && isOlder(entry, journal)) ||
      (state === 'removed' && !isConfirmed)
    ) {
      entries.set(id, { entry, state: 'unstored' });
    }
  }
  for (const entry of journal.entries) {
    if (entry.state !== 'saved') entries.set(entry.id, { entry, state: 'shown' });
  }
  return { journal, entries };
}

/** Whether the entry belongs to a page that is not stored. */
function isOlder({ at }: ShownEntry, { entries, next }: ShownJournal): boolean {
  return next !== null && at < oldestOnServer(entries);
}

/** The time of the oldest of these entries on the server, ms. Infinity if the server has none of them. */
export function oldestOnServer(entries: readonly ShownEntry[]): number {
  return Math.min(...entries.flatMap(({ serverAt }) => serverAt ?? []));
}

/** The tracked entries that are not stored, with their pending edits. Their times on the server are unknown. */
export function unstoredEntries({ journal, entries }: TrackedEntries): ShownEntry[] {
  const unstored = [...entries.values()].filter(({ state }) => state === 'unstored');
  const ids = new Set(unstored.map(({ entry }) => entry.id));
  const saved = unstored.map(({ entry }) => ({ ...entry, at: new Date(entry.at).toISOString() }));
  return applyEntryOps(saved, journal?.ops ?? [])
    .filter(({ id }) => ids.has(id))
    .map((entry) => ({ ...entry, serverAt: null }));
}
