import { type AddableType, addableTypes, type JournalEntry } from '#domain/journal/entry.ts';
import { entryIdOf, isRejected, type KnownEntries, type Op } from '../outbox/op.ts';
import { changedValues } from './changed-fields.ts';

/** An entry of a plant's journal with the changes that the server has not confirmed yet. */
export interface ShownEntry extends Omit<JournalEntry, 'at'> {
  /** ms */
  at: number;
  /** The time of the entry on the server, ms; null if the server does not have it. */
  serverAt: number | null;
  /** The time used to compute the plant's dates, ms. Null: the server rejected the change that added the entry. */
  countedAt: number | null;
  /** rejected: the server rejected the shown change. */
  state: 'saved' | 'waiting' | 'rejected';
}

/** The entries of a journal with a plant's pending ops (oldest first) applied, newest first. Pure. */
export function applyEntryOps(entries: readonly JournalEntry[], ops: readonly Op[]): ShownEntry[] {
  const shown = new Map(entries.map((entry) => [entry.id, savedEntry(entry)]));
  for (const op of ops) {
    const id = entryIdOf(op);
    if (id === null) continue;
    const known = shown.get(id);
    const changed = applyEntryOp(known, op);
    if (changed) shown.set(id, changed);
    else shown.delete(id);
  }
  return [...shown.values()].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
}

function savedEntry(entry: JournalEntry): ShownEntry {
  const at = Date.parse(entry.at);
  return { ...entry, at, serverAt: at, countedAt: at, state: 'saved' };
}

/** The entry after the op; undefined if the op removed it or changes an entry that is not stored. */
function applyEntryOp(known: ShownEntry | undefined, op: Op): ShownEntry | undefined {
  const state = isRejected(op) ? 'rejected' : 'waiting';
  switch (op.type) {
    case 'water':
      return {
        ...(known ?? newEntry(op)),
        at: op.occurredAt,
        ...counted(op, op.occurredAt),
        state,
      };
    case 'add_entry': {
      if (!op.entry) return known;
      const { type, at, note, amount_ml, days } = op.entry;
      const added = known ?? newEntry(op);
      return { ...added, type, at, note, amount_ml, days, ...counted(op, at), state };
    }
    case 'edit_entry': {
      if (!op.entry || !known) return known;
      const values = changedValues(op.entry);
      const countedAt = isRejected(op) ? known.countedAt : (values.at ?? known.countedAt);
      return { ...known, ...values, countedAt, state };
    }
    case 'remove_entry':
      return isRejected(op) && known ? { ...known, state } : undefined;
    default:
      return known;
  }
}

/** A rejected new entry does not count for the plant's dates, because it is not on the server. */
function counted(op: Op, at: number): Pick<ShownEntry, 'countedAt'> {
  return { countedAt: isRejected(op) ? null : at };
}

function newEntry(op: Op): ShownEntry {
  return {
    id: entryIdOf(op) ?? op.opId,
    type: 'watered',
    source: 'manual',
    at: op.occurredAt,
    serverAt: null,
    countedAt: null,
    note: null,
    amount_ml: null,
    soil_before: null,
    soil_after: null,
    days: null,
    reason: null,
    state: 'waiting',
  };
}

/** Whether the person may edit and remove the entry. False for entries that the server added. */
export function isOwnEntry(
  entry: Pick<ShownEntry, 'type' | 'source'>,
): entry is Pick<ShownEntry, 'source'> & { type: AddableType } {
  return entry.source === 'manual' && addableTypes.some((type) => type === entry.type);
}

/** The last watering and fertilizing in the plant's stored record, ms; null: never. */
export interface RecordedDates {
  watered: number | null;
  fertilized: number | null;
}

/**
 * The data from which the plant's dates are computed while a change of the entry `id` is pending. It combines the
 * newest other entries with the plant's recorded dates, since a recorded date may come from an entry that is not
 * stored. `isWhole`: the plant has no entries older than `entries`.
 */
export function entriesBesides(
  id: string,
  entries: readonly ShownEntry[],
  recorded: RecordedDates,
  isWhole: boolean,
): KnownEntries {
  const changed = entries.find((entry) => entry.id === id);
  const others = entries.flatMap(({ countedAt, ...entry }) =>
    entry.id === id || countedAt === null ? [] : [{ ...entry, countedAt }],
  );
  const newest = (type: keyof RecordedDates) => {
    const times = others.filter((entry) => entry.type === type).map((entry) => entry.countedAt);
    // The plant's recorded date may come from the changed entry. Then it does not count.
    const ofPlant = recorded[type] === changed?.serverAt ? null : recorded[type];
    if (ofPlant !== null) times.push(ofPlant);
    return times.length > 0 ? Math.max(...times) : null;
  };
  const dates = { watered: newest('watered'), fertilized: newest('fertilized') };
  const before = changed && timeBefore(changed, dates, isWhole);
  const [snooze] = others
    .filter(({ type, days }) => type === 'snoozed' && days !== null)
    .sort((a, b) => b.countedAt - a.countedAt);
  return {
    ...dates,
    ...(before !== undefined && { before }),
    snooze: snooze ? { at: snooze.countedAt, days: snooze.days ?? 0 } : null,
  };
}

/**
 * The time of an entry before its change. Undefined if the entry did not count, or if older entries that are not stored
 * may decide the plant's date. The date then stays until the server sends the new one.
 */
function timeBefore(
  changed: ShownEntry,
  others: RecordedDates,
  isWhole: boolean,
): number | undefined {
  const mayHaveOlder = !isWhole && changed.serverAt !== null;
  const isDateUnknown = mayHaveOlder && isDated(changed) && others[changed.type] === null;
  return isDateUnknown ? undefined : (changed.countedAt ?? undefined);
}

function isDated<T extends { type: string }>(entry: T): entry is T & { type: keyof RecordedDates } {
  return entry.type === 'watered' || entry.type === 'fertilized';
}
