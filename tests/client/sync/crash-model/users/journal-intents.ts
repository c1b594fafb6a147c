import { readJournal } from '#client/store/journal/journal.ts';
import { isOwnEntry, type ShownEntry } from '#client/store/journal/shown-entries.ts';
import { addEntry, editEntry, removeEntry } from '#client/store/outbox/entries.ts';
import { type AddableType, addableTypes } from '#domain/journal/entry.ts';
import type { ModelDevice } from '../model-device.ts';
import type { Simulation } from '../simulation.ts';

/** What a person did to an entry. */
export interface EntryIntent {
  kind: 'add_entry' | 'edit_entry' | 'remove_entry';
  entryId: string;
  /** Used once, so that its origin is known. */
  note: string | null;
}

type OwnEntry = ShownEntry & { type: AddableType };

const hourMs = 3_600_000;

/** A random change of a plant's journal: adds an entry, or edits or removes one that the device shows. */
export async function changeJournal(
  sim: Simulation,
  device: ModelDevice,
  plantKey: string,
  note: string,
): Promise<EntryIntent> {
  const { random } = sim;
  const own = await ownEntries(device, plantKey);
  const choice = random.below(10);
  if (own.length === 0 || choice < 4) return add(sim, device, plantKey, note);
  const entry = random.pick(own);
  if (choice < 7) return editShown(sim, device, plantKey, entry, note);
  return removeShown(sim, device, plantKey, entry);
}

/**
 * The entries that the device shows and a person may change, in an order that is the same when a run is repeated:
 * screens order entries of the same time by their ids, which are random.
 */
export async function ownEntries({ db }: ModelDevice, plantKey: string): Promise<OwnEntry[]> {
  const { entries } = await readJournal(db, plantKey);
  const textOf = ({ type, note }: OwnEntry) => `${type} ${note}`;
  return entries
    .filter((entry): entry is OwnEntry => isOwnEntry(entry))
    .sort((a, b) => b.at - a.at || (textOf(a) < textOf(b) ? -1 : 1));
}

/** Changes the note of an entry that the device shows, and in half of the cases makes its date an hour earlier. */
export async function editShown(
  sim: Simulation,
  device: ModelDevice,
  plantKey: string,
  entry: ShownEntry,
  note: string,
): Promise<EntryIntent> {
  const { random } = sim;
  const now = sim.timeOf(device);
  const { id } = entry;
  const at = random.chance(0.5) ? entry.at : entry.at - hourMs;
  await editEntry(device.page, plantKey, entry, { at, note, amount_ml: null }, now);
  await expectShown(sim, device, plantKey, id, note);
  return { kind: 'edit_entry', entryId: id, note };
}

/** Removes an entry that the device shows. */
export async function removeShown(
  sim: Simulation,
  device: ModelDevice,
  plantKey: string,
  entry: ShownEntry,
): Promise<EntryIntent> {
  await removeEntry(device.page, plantKey, entry, sim.timeOf(device));
  await expectShown(sim, device, plantKey, entry.id, null);
  return { kind: 'remove_entry', entryId: entry.id, note: null };
}

/** Adds a random entry. Some have an earlier date; a snooze always has the present time. */
async function add(
  sim: Simulation,
  device: ModelDevice,
  plantKey: string,
  note: string,
): Promise<EntryIntent> {
  const { random } = sim;
  const now = sim.timeOf(device);
  const type = random.pick(addableTypes);
  const isSnooze = type === 'snoozed';
  const at = !isSnooze && random.chance(0.5) ? now - random.below(720) * hourMs : now;
  const days = isSnooze ? 1 + random.below(7) : null;
  const entryId = await addEntry(
    device.page,
    plantKey,
    { type, at, note, days, amount_ml: null },
    now,
  );
  await expectShown(sim, device, plantKey, entryId, note);
  return { kind: 'add_entry', entryId, note };
}

/** A change is shown at once, even if other ops wait in the outbox. `note` null: the entry must no longer be shown. */
async function expectShown(
  sim: Simulation,
  device: ModelDevice,
  plantKey: string,
  id: string,
  note: string | null,
): Promise<void> {
  const { entries } = await readJournal(device.db, plantKey);
  const shown: ShownEntry | undefined = entries.find((entry) => entry.id === id);
  if ((shown?.note ?? null) === note && (note !== null || !shown)) return;
  sim.effects.violations.push(`${device.name}: the entry ${id} is not shown with ${note}`);
}
