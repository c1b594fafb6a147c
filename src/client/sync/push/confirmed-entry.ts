import * as v from 'valibot';
import { entryIdOf, type Op } from '#client/store/outbox/op.ts';
import type { DeviceDb, JournalRow } from '#client/store/schema.ts';
import { journalEntryField, journalEntrySchema, journalLimits } from '#contract/journal.ts';
import { type JournalEntry, mayHaveEntries, newestFirst } from '#domain/journal/entry.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';

/** A row may grow by this many entries before it is fetched again. */
const longestRow = journalLimits.page + 50;

/**
 * Stores the entry of a confirmed op in the plant's journal, in the caller's transaction, so that the journal need not
 * be fetched. Does so only if the stored journal is exactly one version behind the response; otherwise the journal is
 * fetched later. Call it before the plant's row is written.
 */
export async function storeConfirmedEntry(
  db: DeviceDb,
  op: Op,
  record: PlantRecord,
): Promise<void> {
  const version = record.journal_version ?? 0;
  if (op.type === 'create' && record.journal_version === 0) {
    await db.journal.put(emptyJournal(String(record.id)));
  }
  const id = entryIdOf(op);
  const row = await journalOneBehind(db, record);
  if (id === null || !row) return;
  const parsed = v.safeParse(v.nullable(journalEntrySchema), entryIn(record));
  if (!parsed.success) return;
  const entries = entriesWith(row, id, parsed.output);
  if (entries.length <= longestRow) await db.journal.put({ ...row, version, entries });
}

/**
 * The stored journal of a plant if it lacks nothing but the op whose response contained this record: it is exactly one
 * version behind. Null if it has to be fetched. Call it before the plant's row is written.
 */
export async function journalOneBehind(
  db: DeviceDb,
  { id, journal_version }: PlantRecord,
): Promise<JournalRow | null> {
  const plantId = String(id);
  const row = (await db.journal.get(plantId)) ?? (await newJournal(db, plantId));
  return row?.version === (journal_version ?? 0) - 1 ? row : null;
}

function entryIn(record: PlantRecord & { [journalEntryField]?: unknown }): unknown {
  return record[journalEntryField];
}

/** The empty journal of a plant to which nothing was done yet, which need not be fetched. */
async function newJournal(db: DeviceDb, plantId: string): Promise<JournalRow | undefined> {
  const row = await db.plants.get(plantId);
  return row?.record.journal_version === 0 && !mayHaveEntries(row.record)
    ? emptyJournal(plantId)
    : undefined;
}

function emptyJournal(plantId: string): JournalRow {
  return { plantId, version: 0, isPage: true, entries: [], next: null, photos: [] };
}

/**
 * The entries of the row with the confirmed one added or replaced; null: it was removed. One that is older than all of
 * them belongs to a page that is not stored.
 */
function entriesWith(row: JournalRow, id: string, entry: JournalEntry | null): JournalEntry[] {
  const others = row.entries.filter((one) => one.id !== id);
  const last = others.at(-1);
  const isOlder = entry && last && row.next !== null && newestFirst(last, entry) < 0;
  return entry && !isOlder ? [...others, entry].sort(newestFirst) : others;
}
