import type { ModelDevice } from '../model-device.ts';
import type { AccountContent } from '../model-server.ts';
import type { Intent } from '../users/intent.ts';
import type { EffectLog, ExpectedPlant } from './effect-log.ts';
import type { JournalLog } from './journal-log.ts';

/** One line for each lost change of an entry of an existing plant. */
export function lostEntries(
  own: readonly Intent[],
  { label, journal }: Pick<ExpectedPlant, 'label' | 'journal'>,
): string[] {
  return own.flatMap((intent) =>
    intent.entry && isLost(intent, own, journal)
      ? [`${label}: ${intent.kind} of ${intent.entry.entryId} by ${intent.device} is lost`]
      : [],
  );
}

function isLost({ entry, device }: Intent, own: readonly Intent[], journal: JournalLog): boolean {
  if (!entry) return false;
  const { kind, entryId, note } = entry;
  if (kind === 'remove_entry') return journal.entries.has(entryId);
  if (journal.notes.has(`${entryId} ${note}`)) return false;
  // Not lost if coalesced into a later change of the device, or if the entry was removed.
  const later = own.slice(own.findIndex((one) => one.entry === entry) + 1);
  const isMerged = later.some((one) => one.device === device && one.entry?.entryId === entryId);
  const isGone = journal.added.has(entryId) && !journal.entries.has(entryId);
  return !isMerged && !isGone;
}

/** Whether the device changed or removed the entry of a tap on Water Now, so that the tap may never have been sent. */
export function wasChangedUnsent({ device, opId }: Intent, own: readonly Intent[]): boolean {
  return own.some((one) => one.device === device && one.entry?.entryId === opId);
}

/** Checks that a device's journals match the logged effects, and that their versions are those in its plant records. */
export async function journalViolations(
  effects: EffectLog,
  { name, db }: ModelDevice,
): Promise<string[]> {
  const found: string[] = [];
  for (const { id, record } of await db.plants.toArray()) {
    const row = await db.journal.get(id);
    const expected = textOf([...(effects.plants.get(id)?.journal.entries.values() ?? [])]);
    const actual = textOf(
      (row?.entries ?? []).map((entry) => ({ ...entry, at: Date.parse(entry.at) })),
    );
    if (actual !== expected) found.push(`${name} stores for ${id} ${actual}, expected ${expected}`);
    const version = row?.version ?? 0;
    if (version !== record.journal_version) {
      found.push(`${name} stores journal ${version} of ${id}, expected ${record.journal_version}`);
    }
  }
  return found;
}

/** Checks that the server has the entries that result from the logged effects, each once. */
export function serverJournalViolations(
  effects: EffectLog,
  { journals }: Pick<AccountContent, 'journals'>,
): string[] {
  return [...journals].flatMap(([plantId, entries]) => {
    const expected = textOf([...(effects.plants.get(plantId)?.journal.entries.values() ?? [])]);
    const actual = textOf(entries);
    return actual === expected
      ? []
      : [`the server has for ${plantId} ${actual}, expected ${expected}`];
  });
}

function textOf(
  entries: readonly { id: string; type: string; at: number; note: string | null }[],
): string {
  const lines = entries.map(({ id, type, at, note }) => `${id} ${type} ${at} ${note}`);
  return `[${lines.sort().join(', ')}]`;
}
