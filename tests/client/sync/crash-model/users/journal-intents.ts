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
  /** The new text, if it changes. Used once, so that its origin is known. */
  note?: string;
  /** The new time (device's clock, ms), if it changes. */
  at?: number;
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

/**
 * Changes the note of an entry that the device shows, makes its date an hour earlier, or both. Whether the note stays
 * is no random choice, so that it does not change the random numbers of all other choices. An entry without a note gets
 * one, which identifies it when its plant is restored.
 */
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
  const isMoved = random.chance(0.5);
  const keepsNote = isMoved && entry.note !== null && /[02468]$/.test(note);
  const change = { ...(!keepsNote && { note }), ...(isMoved && { at: entry.at - hourMs }) };
  await editEntry(device.page, plantKey, entry, { ...entry, ...change }, now);
  await expectShown(sim, device, plantKey, id, change);
  return { kind: 'edit_entry', entryId: id, ...change };
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
  return { kind: 'remove_entry', entryId: entry.id };
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
  await expectShown(sim, device, plantKey, entryId, { at, note });
  return { kind: 'add_entry', entryId, at, note };
}

/** A change is shown at once, even if other ops wait in the outbox. `change` null: the entry is no longer shown. */
async function expectShown(
  sim: Simulation,
  device: ModelDevice,
  plantKey: string,
  id: string,
  change: Pick<EntryIntent, 'at' | 'note'> | null,
): Promise<void> {
  const { entries } = await readJournal(device.db, plantKey);
  const shown: ShownEntry | undefined = entries.find((entry) => entry.id === id);
  if (!change && !shown) return;
  if (change && shown) {
    const { note = shown.note, at = shown.at } = change;
    // Once it is confirmed, the entry has the server's time.
    if (shown.note === note && (shown.at === at || shown.state === 'saved')) return;
  }
  const text = JSON.stringify(change);
  sim.effects.violations.push(`${device.name}: the entry ${id} is not shown with ${text}`);
}
