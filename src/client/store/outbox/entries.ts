import type { EntryField, NewEntry } from '#domain/journal/entry.ts';
import { plantRowOf, serverIdOf } from '../ids.ts';
import { differingFields, type EntryChange, pickFields } from '../journal/changed-fields.ts';
import {
  applyEntryOps,
  entriesBesides,
  isOwnEntry,
  type ShownEntry,
} from '../journal/shown-entries.ts';
import { type DeviceDb, notFetched } from '../schema.ts';
import { enqueueIn } from './enqueue.ts';
import {
  entryIdOf,
  isUnsent,
  type KnownEntries,
  newOp,
  newOpId,
  type Op,
  type OpEntry,
  undoMs,
} from './op.ts';
import { opsOfPlant } from './outbox.ts';
import { canDrop } from './outbox-change.ts';
import { writeChange } from './write-change.ts';

/** The values that a person enters; `at` in ms of the device's clock. */
export type EntryInput = Omit<NewEntry, 'id' | 'at'> & { at: number };

/** Adds an entry to a plant's journal at `now` (ms, device's clock). Resolves with its id, which is also the op's. */
export function addEntry(
  db: DeviceDb,
  plantKey: string,
  input: EntryInput,
  now: number,
): Promise<string> {
  const id = newOpId();
  return write(db, async () => {
    await enqueueEntryOp(db, plantKey, 'add_entry', { ...input, id }, { occurredAt: now });
    return id;
  });
}

/**
 * Changes an entry at `now` (ms, device's clock). `shown`: the entry as screens show it. Only the fields in which
 * `change` differs from it are changed, so that another device's changes of other fields are kept. Does nothing if the
 * server added the entry.
 */
export function editEntry(
  db: DeviceDb,
  plantKey: string,
  shown: ShownEntry,
  change: EntryChange,
  now: number,
): Promise<void> {
  const fields = differingFields(shown, change);
  return write(db, async () => {
    await enqueueEdit(db, plantKey, { ...shown, ...change }, fields, now);
  });
}

/** Undoes the addition of an entry, even if it has been sent. `now`: ms, device's clock. */
export function undoAddition(
  db: DeviceDb,
  plantKey: string,
  added: OpEntry,
  now: number,
): Promise<void> {
  return write(db, () => enqueueEntryOp(db, plantKey, 'remove_entry', added, { occurredAt: now }));
}

/**
 * Restores the earlier values of the fields that `change` has changed, at `now` (ms, device's clock). If the edit is
 * unsent and contains no other change, it is deleted: sending the earlier values would overwrite what another device has
 * changed since. A time that came from the server is sent as it was, even if the server has confirmed the edit.
 */
export function undoEdit(
  db: DeviceDb,
  plantKey: string,
  before: ShownEntry,
  change: EntryChange,
  now: number,
): Promise<void> {
  const fields = differingFields(before, change);
  return write(db, async () => {
    const ops = await opsOfPlant(db, plantKey);
    const [edit, ...others] = ops.filter((op) => entryIdOf(op) === before.id);
    const isAlone = before.state === 'saved' && others.length === 0;
    if (isAlone && edit && isUnsent(edit) && edit.entry?.changed?.join() === fields.join())
      return await db.outbox.delete(edit.seq);
    await enqueueEdit(db, plantKey, before, fields, now);
  });
}

/**
 * Removes an entry at `now` (ms, device's clock). `shown`: the entry as screens show it. If the entry has been sent,
 * its removal is sent only after ten seconds, so that it can be undone until then. Does nothing for an entry that
 * a person may not edit.
 */
export function removeEntry(
  db: DeviceDb,
  plantKey: string,
  shown: ShownEntry,
  now: number,
): Promise<void> {
  const times = { occurredAt: now, undoUntil: now + undoMs };
  return write(db, async () => {
    const entry = opEntry(shown);
    if (entry) await enqueueEntryOp(db, plantKey, 'remove_entry', entry, times);
  });
}

/**
 * Restores a removed entry as it was shown before, at `now` (ms, device's clock). An unsent removal is deleted, and the
 * edits that it has replaced are made again. If the entry is in the journal, it gets the values of `removed`. If it is
 * not, because the removal was sent or the entry was never sent, it is added again under a new id, with its unsent
 * photos.
 */
export function undoRemoval(
  db: DeviceDb,
  plantKey: string,
  removed: ShownEntry,
  now: number,
): Promise<void> {
  return write(db, async () => {
    const ops = await opsOfPlant(db, plantKey);
    const removal = ops.find((op) => op.type === 'remove_entry' && op.entry?.id === removed.id);
    const undone = removal && isUnsent(removal) ? removal.entry : undefined;
    if (removal && undone) await db.outbox.delete(removal.seq);
    const present = await shownEntry(db, plantKey, removed.id);
    // Not compared with the present entry, which another device may have changed since the removal.
    const before = undone ?? present;
    const fields = before ? differingFields(before, removed).concat(undone?.changed ?? []) : [];
    if (fields.length > 0) await enqueueEdit(db, plantKey, removed, fields, now);
    const values = opEntry(removed);
    if (before || !values) return;
    const entry = { ...values, id: newOpId() };
    await enqueueEntryOp(db, plantKey, 'add_entry', entry, { occurredAt: now });
    await attachUnsentPhotos(db, ops, removed.id, entry.id);
  });
}

/**
 * Assigns the photos of the entry `from` that are unsent or rejected to the entry `to`, in the caller's transaction.
 * `ops`: those of the plant.
 */
export async function attachUnsentPhotos(
  db: DeviceDb,
  ops: readonly Op[],
  from: string,
  to: string,
): Promise<void> {
  for (const { photo, ...op } of ops) {
    if (op.type !== 'add_photo' || photo?.entryId !== from || !canDrop(op)) continue;
    await db.outbox.update(op.seq, { photo: { ...photo, entryId: to } });
  }
}

/** Sets these fields of an entry to those of `wanted`. The other fields of the op are as the device knows them. */
async function enqueueEdit(
  db: DeviceDb,
  plantKey: string,
  wanted: ShownEntry,
  changed: readonly EntryField[],
  now: number,
): Promise<void> {
  const known = (await shownEntry(db, plantKey, wanted.id)) ?? wanted;
  const time = changed.includes('at') && { serverAt: wanted.serverAt };
  const entry = opEntry({ ...known, ...pickFields(wanted, changed), ...time });
  if (!entry) return;
  await enqueueEntryOp(db, plantKey, 'edit_entry', { ...entry, changed }, { occurredAt: now });
}

/** An op that adds an entry has the id of the entry. */
async function enqueueEntryOp(
  db: DeviceDb,
  plantKey: string,
  type: 'add_entry' | 'edit_entry' | 'remove_entry',
  entry: OpEntry,
  times: Pick<Op, 'occurredAt' | 'undoUntil'>,
): Promise<void> {
  const known = await knownEntries(db, plantKey, entry.id);
  const opId = type === 'add_entry' ? entry.id : newOpId();
  await enqueueIn(db, newOp({ opId, entity: plantKey, type, entry, known, ...times }));
}

/** Null for an entry that the server added, which nobody can change. */
function opEntry(shown: ShownEntry): OpEntry | null {
  if (!isOwnEntry(shown)) return null;
  const { id, type, at, note, amount_ml, days, serverAt } = shown;
  return { id, type, at, note, amount_ml, days, ...(at === serverAt && { isServerTime: true }) };
}

async function shownEntries(db: DeviceDb, plantKey: string): Promise<ShownEntry[]> {
  const [plantId, ops] = await Promise.all([serverIdOf(db, plantKey), opsOfPlant(db, plantKey)]);
  return applyEntryOps((await db.journal.get(plantId))?.entries ?? [], ops);
}

async function shownEntry(
  db: DeviceDb,
  plantKey: string,
  entryId: string,
): Promise<ShownEntry | undefined> {
  return (await shownEntries(db, plantKey)).find(({ id }) => id === entryId);
}

async function knownEntries(db: DeviceDb, plantKey: string, id: string): Promise<KnownEntries> {
  const plantId = await serverIdOf(db, plantKey);
  const [entries, row, journal] = await Promise.all([
    shownEntries(db, plantKey),
    plantRowOf(db, plantKey),
    db.journal.get(plantId),
  ]);
  const recorded = {
    watered: timeOrNull(row?.record.last_watered),
    fertilized: timeOrNull(row?.record.last_fertilized),
  };
  const isWhole = journal?.next === null && journal.version !== notFetched;
  return entriesBesides(id, entries, recorded, isWhole);
}

function timeOrNull(iso: string | null | undefined): number | null {
  const time = Date.parse(iso ?? '');
  return Number.isNaN(time) ? null : time;
}

function write<T>(db: DeviceDb, act: () => Promise<T>): Promise<T> {
  return writeChange(db, () =>
    db.transaction('rw', db.plants, db.outbox, db.idmap, db.journal, act),
  );
}
