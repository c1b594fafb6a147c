import type { ModelDevice } from '../model-device.ts';
import type { AccountContent } from '../model-server.ts';
import type { Intent } from '../users/intent.ts';
import type { EffectLog, ExpectedPlant } from './effect-log.ts';
import type { JournalLog } from './journal-log.ts';

/**
 * One line for each lost change of an entry of an existing plant. `areClocksSet`: times are not compared, because those
 * on the server may differ from those that people entered.
 */
export function lostEntries(
  own: readonly Intent[],
  { label, journal }: Pick<ExpectedPlant, 'label' | 'journal'>,
  areClocksSet: boolean,
): string[] {
  const fields = areClocksSet ? (['note'] as const) : (['note', 'at'] as const);
  const lost = own.flatMap((intent) => {
    const { entry, kind, device } = intent;
    if (!entry) return [];
    const isLost =
      entry.kind === 'remove_entry'
        ? journal.entries.has(entry.entryId)
        : fields.some((field) => isLostIn(field, intent, own, journal));
    return isLost ? [`${label}: ${kind} of ${entry.entryId} by ${device} is lost`] : [];
  });
  return lost.concat(fields.flatMap((field) => overwritten(field, own, { label, journal })));
}

function isLostIn(
  field: 'note' | 'at',
  { entry, device }: Intent,
  own: readonly Intent[],
  journal: JournalLog,
): boolean {
  if (entry?.[field] === undefined) return false;
  const { entryId } = entry;
  const had = field === 'note' ? journal.notes : journal.times;
  if (had.has(`${entryId} ${entry[field]}`)) return false;
  // Not lost if a later change of the field by the device replaced it, or if the entry was removed.
  const later = own.slice(own.findIndex((one) => one.entry === entry) + 1);
  const isReplaced = later.some(
    (one) =>
      one.device === device &&
      one.entry?.entryId === entryId &&
      (one.entry.kind === 'remove_entry' || one.entry[field] !== undefined),
  );
  const isGone = journal.added.has(entryId) && !journal.entries.has(entryId);
  return !isReplaced && !isGone;
}

/** A field of an entry has the last value of one of the devices that changed it: a device sends only what it changed. */
function overwritten(
  field: 'note' | 'at',
  own: readonly Intent[],
  { label, journal }: Pick<ExpectedPlant, 'label' | 'journal'>,
): string[] {
  return [...journal.entries.values()].flatMap((stored) => {
    const changes = own.filter(({ entry }) => entry?.entryId === stored.id);
    const last = new Map(
      changes.flatMap(({ entry, device }) =>
        entry?.[field] === undefined ? [] : [[device, entry[field]]],
      ),
    );
    // The values of a tap on Water Now.
    const taps = own.filter(({ opId, device }) => opId === stored.id && !last.has(device));
    const tapped = taps.map(({ moment }) => (field === 'at' ? moment : null));
    const allowed = [...last.values(), ...tapped];
    if (allowed.includes(stored[field])) return [];
    return [`${label}: ${stored.id} has the ${field} ${stored[field]}, expected ${allowed}`];
  });
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
