import { useSyncExternalStore } from 'react';
import { differingFields, type EntryChange } from '#client/store/journal/changed-fields.ts';
import type { ShownEntry } from '#client/store/journal/shown-entries.ts';
import {
  addEntry,
  editEntry,
  removeEntry,
  undoAddition,
  undoEdit,
  undoRemoval,
} from '#client/store/outbox/entries.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
import type { AddableType } from '#domain/journal/entry.ts';
import { entryTitles } from '#domain/journal/words.ts';
import { daysOf } from '#domain/watering/schedule.ts';

/**
 * The changes that a person can make to a plant's journal, and the offer to undo the last one. Each change is written to
 * the outbox at once, and its function rejects if that fails. All but `addAgain` offer to undo the change; an edit that
 * changes nothing offers nothing.
 */

/** A plant as the offer to undo names it, which may be shown outside the plant's dialog. */
type NamedPlant = Readonly<{ id: string; nickname: string }>;

export async function addAndOffer(
  db: DeviceDb,
  { id, nickname }: NamedPlant,
  input: EntryChange & { type: AddableType },
): Promise<void> {
  const values = { ...input, days: null };
  const entryId = await addEntry(db, id, values, Date.now());
  const undo = () => undoAddition(db, id, { ...values, id: entryId }, Date.now());
  const done = entryTitles[input.type].toLowerCase();
  const text = input.type === 'note' ? `Note added to ${nickname}` : `${nickname} ${done}`;
  offerUndo({ db, plantKey: id, text, undo });
}

export async function editAndOffer(
  db: DeviceDb,
  { id, nickname }: NamedPlant,
  entry: ShownEntry,
  change: EntryChange,
): Promise<void> {
  await editEntry(db, id, entry, change, Date.now());
  if (differingFields(entry, change).length === 0) return;
  const undo = () => undoEdit(db, id, entry, change, Date.now());
  offerUndo({ db, plantKey: id, text: `Entry of ${nickname} changed`, undo });
}

export async function removeAndOffer(
  db: DeviceDb,
  { id, nickname }: NamedPlant,
  entry: ShownEntry,
): Promise<void> {
  await removeEntry(db, id, entry, Date.now());
  const undo = () => undoRemoval(db, id, entry, Date.now());
  offerUndo({ db, plantKey: id, text: `Entry of ${nickname} deleted`, undo });
}

/** If an entry was deleted while it was edited, adds it again with the edited values. */
export async function addAgain(
  db: DeviceDb,
  { id }: NamedPlant,
  entry: ShownEntry,
  change: EntryChange,
): Promise<void> {
  await undoRemoval(db, id, { ...entry, ...change }, Date.now());
  announce('Entry added again');
}

/** Snoozes a due plant: it is due again after `days` days. */
export async function snoozeAndOffer(
  db: DeviceDb,
  { id, nickname }: NamedPlant,
  days: number,
): Promise<void> {
  const now = Date.now();
  const snooze = { type: 'snoozed', at: now, days, note: null, amount_ml: null } as const;
  const entryId = await addEntry(db, id, snooze, now);
  const undo = () => undoAddition(db, id, { ...snooze, id: entryId }, Date.now());
  offerUndo({ db, plantKey: id, text: `${nickname} snoozed for ${daysOf(days)}`, undo });
}

/** The last change of a journal on this page. It can be undone until `until`. */
export interface LastChange {
  db: DeviceDb;
  plantKey: string;
  /** What was done: 'Monty fertilized'. */
  text: string;
  /** Until when undo is offered (ms). */
  until: number;
  undo: () => Promise<unknown>;
}

/** How long undo is offered. */
export const offeredMs = 10_000;
const listeners = new Set<() => void>();
let last: LastChange | null = null;

/** Offers to undo a change that was just made, in place of the previous change, and announces it. */
export function offerUndo(change: Omit<LastChange, 'until'>): void {
  set({ ...change, until: Date.now() + offeredMs });
  announce(`${change.text}, with ten seconds to undo it`);
}

/** The last change, also after its `until`; null if it was cleared or was made in the database of another account. */
export function useLastChange(db: DeviceDb): LastChange | null {
  const change = useSyncExternalStore(subscribe, () => last);
  return change?.db === db ? change : null;
}

export function clearLastChange(): void {
  set(null);
}

function set(change: LastChange | null): void {
  last = change;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
