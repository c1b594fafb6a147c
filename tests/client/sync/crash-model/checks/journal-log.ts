import { entryFields } from '#domain/journal/entry.ts';
import type { SentOp } from './request-checks.ts';

/** An entry as the logged effects have made it. */
export interface ExpectedEntry {
  id: string;
  type: string;
  /** ms */
  at: number;
  note: string | null;
}

/** An entry in the response to the request that changed it. */
export interface StoredEntry {
  at: string;
}

/**
 * The moment (ms) that the server stored for an entry. It may be up to `maxAheadMs` earlier than the requested time
 * (ISO), because the server replaces a time in the future by its own. Null if it differs otherwise, or if the response
 * has no entry. Without a requested time any moment is accepted.
 */
export function storedMoment(
  requested: string | null,
  stored: StoredEntry | null,
  maxAheadMs: number,
): number | null {
  const moment = Date.parse(stored?.at ?? '');
  const ahead = requested === null ? 0 : Date.parse(requested) - moment;
  const isAllowed = ahead >= 0 && ahead <= maxAheadMs;
  return isAllowed && !Number.isNaN(moment) ? moment : null;
}

/** The journal of one plant: its present entries, and all ids, notes and times that its entries have ever had. */
export class JournalLog {
  readonly entries = new Map<string, ExpectedEntry>();
  /** Ids of the entries that were ever added. */
  readonly added = new Set<string>();
  /** Every note that an entry ever had, as 'id note'. */
  readonly notes = new Set<string>();
  /** Every time (ms) that an entry ever had, as 'id time'. */
  readonly times = new Set<string>();
  private readonly maxAheadMs: number;

  constructor(maxAheadMs: number) {
    this.maxAheadMs = maxAheadMs;
  }

  /** The moment of the newest watering (ms); null when there is none. */
  get lastWatered(): number | null {
    const moments = [...this.entries.values()]
      .filter(({ type }) => type === 'watered')
      .map(({ at }) => at);
    return moments.length > 0 ? Math.max(...moments) : null;
  }

  /** A tap on Water Now: its entry has the id of its op. */
  water(id: string, at: number): void {
    this.put({ id, type: 'watered', at, note: null });
  }

  /**
   * Records the effect of a request that changes an entry, with the entry in its response. Returns a description if it
   * violates a rule; otherwise null.
   */
  record({ op, path, body }: SentOp, stored: StoredEntry | null): string | null {
    const values: { id?: string; type?: string; at?: string; note?: string | null } = JSON.parse(
      body ?? '{}',
    );
    const id = values.id ?? decodeURIComponent(path.split('/')[5] ?? '');
    const known = this.entries.get(id);
    if (op.type === 'remove_entry') {
      this.entries.delete(id);
      return known ? null : 'removed an entry that is not there';
    }
    const isNew = op.type === 'add_entry';
    if (isNew && this.added.has(id)) return 'was added twice';
    if (!isNew && !known) return 'changed an entry that is not there';
    const fields = entryFields.filter((field) => field in values);
    if (!isNew && String(fields) !== String(op.entry?.changed)) return `sent ${fields}`;
    // An edit keeps the fields that it does not send.
    const { type = known?.type ?? '', at, note = known?.note ?? null } = values;
    const moment =
      at === undefined
        ? storedMoment(new Date(known?.at ?? 0).toISOString(), stored, 0)
        : storedMoment(at, stored, this.maxAheadMs);
    if (moment === null) return 'was stored with another time';
    this.put({ id, type, at: moment, note });
    return null;
  }

  private put(entry: ExpectedEntry): void {
    this.entries.set(entry.id, entry);
    this.added.add(entry.id);
    this.notes.add(`${entry.id} ${entry.note}`);
    this.times.add(`${entry.id} ${entry.at}`);
  }
}
