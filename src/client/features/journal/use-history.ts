import { useObservable } from 'dexie-react-hooks';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { loadOlderEntries } from '#client/session/older-entries.ts';
import { requestJournal, type ShownJournal, watchJournal } from '#client/store/journal/journal.ts';
import { applyEntryOps, type ShownEntry } from '#client/store/journal/shown-entries.ts';
import {
  noneTracked,
  trackEntries,
  unstoredEntries,
} from '#client/store/journal/unstored-entries.ts';
import type { JournalEntry } from '#domain/journal/entry.ts';
import { type EditedEntries, missingFrom } from './history-items.ts';

/** The older entries that were loaded, and the cursor of the next page. They belong to one version of the journal. */
interface OlderEntries {
  version: number;
  entries: JournalEntry[];
  next: string | null;
}

export interface HistoryView {
  /** Undefined until it has been read from the device's database. */
  journal: ShownJournal | undefined;
  /** The stored ones, newest first, followed by the older ones that were loaded and those of unstored-entries.ts. */
  entries: ShownEntry[];
  hasOlder: boolean;
  /** State of loading older entries: the text of the last failure, and whether they are being loaded. */
  failure: string | null;
  isLoading: boolean;
  /** Loads older entries until `isWanted` accepts one of them, or `isStopped` after a page. */
  loadOlder: (
    isWanted: (entry: JournalEntry) => boolean,
    isStopped: () => boolean,
  ) => Promise<LoadedEntries>;
}

interface LoadedEntries {
  /** How many of the newly loaded entries `isWanted` accepts; 0 after a failure. */
  found: number;
  /** Whether all entries are loaded now; false after a failure. */
  isLast: boolean;
}

const noEntries: EditedEntries = new Map();

/**
 * A plant's journal: what is stored on the device, and older entries from the server, on demand or until all `editing`
 * entries are among them.
 */
export function useHistory(plantKey: string, editing = noEntries): HistoryView {
  const db = useDb();
  const journal = useObservable(() => watchJournal(db, plantKey), [db, plantKey]);
  const version = journal?.version;
  const [tracked, setTracked] = useState(noneTracked);
  if (journal && journal !== tracked.journal) setTracked(trackEntries(tracked, journal));
  const [older, setOlder] = useState<OlderEntries | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(false);
  // Makes sync fetch the journal's first page if it is not completely stored or may be out of date.
  useEffect(() => {
    requestJournal(db, plantKey, Date.now()).catch((error: unknown) => console.warn(error));
  }, [db, plantKey]);
  const next = older ? older.next : (journal?.next ?? null);

  const read = useCallback(
    async (
      from: string | null,
      known: JournalEntry[],
      isEnough: (entries: JournalEntry[]) => boolean,
    ): Promise<OlderEntries | null> => {
      if (version === undefined) return null;
      setLoading(true);
      let loaded: OlderEntries = { version, entries: known, next: from };
      try {
        while (loaded.next !== null && !isEnough(loaded.entries)) {
          const page = await loadOlderEntries(db, plantKey, loaded.next);
          loaded = { version, entries: [...loaded.entries, ...page.entries], next: page.next };
        }
        setOlder(loaded);
        setFailure(null);
      } catch (error) {
        setFailure(error instanceof Error ? error.message : String(error));
        // Keeps the pages that were loaded, unless they replace outdated entries, which then stay.
        setOlder((shown) => (shown && shown.version !== version ? shown : loaded));
        setLoading(false);
        return null;
      }
      setLoading(false);
      return loaded;
    },
    [db, plantKey, version],
  );

  // After a change older entries may be out of date, so those that are shown are loaded again.
  const isOutdated = older !== null && version !== undefined && older.version !== version;
  const count = older?.entries.length ?? 0;
  const first = journal?.next ?? null;
  useEffect(() => {
    if (isOutdated) void read(first, [], (entries) => entries.length >= count);
  }, [isOutdated, read, first, count]);

  // After a failure the outdated entries are still shown. The next attempt starts at the first page again.
  const mustReload = isOutdated && failure !== null;
  // Once all entries are loaded, one that is not among them has been deleted on another device.
  const isWhole = next === null && !isOutdated;
  const entries = useMemo(() => {
    const loaded = withOlder(journal, older?.entries ?? []);
    return isWhole ? loaded : withOthers(loaded, unstoredEntries(tracked));
  }, [journal, older, tracked, isWhole]);

  // Another device may have changed the date of an edited entry, so that it is one of the older entries now. It is
  // loaded, because otherwise it would not be known whether the entry was deleted.
  const isWanted = missingFrom(entries, editing).length > 0 && next !== null;
  const mustSearch = isWanted && !isOutdated && !isLoading && failure === null;
  useEffect(() => {
    if (mustSearch) void read(next, older?.entries ?? [], (entries) => entries.length > count);
  }, [mustSearch, read, next, older, count]);

  async function loadOlder(
    isWanted: (entry: JournalEntry) => boolean,
    isStopped: () => boolean,
  ): Promise<LoadedEntries> {
    const [from, known] = isOutdated ? [first, []] : [next, older?.entries ?? []];
    const wantedIn = (entries: JournalEntry[]) => entries.slice(count).filter(isWanted).length;
    const loaded = await read(from, known, (entries) => isStopped() || wantedIn(entries) > 0);
    return { found: wantedIn(loaded?.entries ?? []), isLast: loaded?.next === null };
  }

  return {
    journal,
    entries,
    hasOlder: next !== null || mustReload,
    failure: isLoading ? null : failure,
    isLoading,
    loadOlder,
  };
}

/** The stored entries followed by the older ones. An entry that was added with an old date may be in both. */
function withOlder(journal: ShownJournal | undefined, older: JournalEntry[]): ShownEntry[] {
  return journal ? withOthers(journal.entries, applyEntryOps(older, journal.ops)) : [];
}

/** The entries followed by those of `more` that are not among them. */
function withOthers(entries: readonly ShownEntry[], more: readonly ShownEntry[]): ShownEntry[] {
  const ids = new Set(entries.map(({ id }) => id));
  return [...entries, ...more.filter(({ id }) => !ids.has(id))];
}
