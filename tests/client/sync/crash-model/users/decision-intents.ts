import { idsOfPlant } from '#client/store/ids.ts';
import { readJournal } from '#client/store/journal/journal.ts';
import type { ShownEntry } from '#client/store/journal/shown-entries.ts';
import { type Change, type Conflict, readChanges } from '#client/store/outbox/changes.ts';
import {
  addEntryAgain,
  discardOp,
  dismissConflict,
  restoreAsNew,
  retryOp,
  undoConflict,
} from '#client/store/outbox/decisions.ts';
import { entryIdOf, type Op } from '#client/store/outbox/op.ts';
import { opsOfPlant } from '#client/store/outbox/outbox.ts';
import { canDrop } from '#client/store/outbox/outbox-change.ts';
import { changePlant } from '#client/store/outbox/plant-changes.ts';
import { readPlants } from '#client/store/plants.ts';
import { type PlantFields, plantFieldNames } from '#domain/plant/fields.ts';
import type { PlantEdit } from '#domain/plant/form.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import type { ModelDevice } from '../model-device.ts';
import type { Simulation } from '../simulation.ts';
import { type Intent, labelOf } from './intent.ts';

/** A change that a decision has queued. */
export type DecisionIntent = Omit<Intent, 'device' | 'account'>;

/** A decision, and the plant that it has added. */
export interface Decision {
  intents: DecisionIntent[];
  added?: { label: string; localId: string };
}

const nothing: Decision = { intents: [] };

/**
 * Decides at random about a rejected change or a conflict of the device, as a person can in the list of changes. A
 * restored plant gets `newLabel`, because no two plants may have the same label.
 */
export async function decideOne(
  sim: Simulation,
  device: ModelDevice,
  newLabel: string,
): Promise<Decision> {
  const { random } = sim;
  const { changes, conflicts } = await readChanges(device.db);
  const rejected = changes.filter(({ state }) => state !== 'waiting');
  if (rejected.length > 0 && (conflicts.length === 0 || random.chance(0.7))) {
    return decideRejected(sim, device, random.pick(rejected), newLabel);
  }
  if (conflicts.length === 0) return nothing;
  // `readChanges` orders conflicts of the same moment by random ids, so a repeated run could differ.
  const [conflict] = conflicts.sort((a, b) => (valuesOf(a) < valuesOf(b) ? -1 : 1));
  if (!conflict) return nothing;
  const { id, theirs, plantKey } = conflict;
  sim.effects.overwritten.delete(`${device.name}|${id}`);
  if (random.chance(0.4)) {
    const { page } = device;
    await page.transaction('rw', page.conflicts, () => dismissConflict(page, id));
    return nothing;
  }
  const label = await labelOfPlant(device, plantKey);
  await undoConflict(device.page, id, sim.timeOf(device));
  // The plant was deleted meanwhile.
  if (label === null) return nothing;
  return { intents: [{ kind: 'update', label, fields: theirs, moment: sim.timeOf(device) }] };
}

/** Edits a plant, which deletes the conflicts of the edited fields that are stored by then. */
export async function changeWithConflicts(
  { effects }: Simulation,
  { name, page }: ModelDevice,
  plantKey: string,
  edit: PlantEdit,
  moment: number,
): Promise<void> {
  const tables = [page.plants, page.outbox, page.idmap, page.conflicts];
  // In one transaction, because the engine may store a conflict at any time.
  const before = await page.transaction('rw', tables, async () => {
    const stored = await page.conflicts.toArray();
    const ids = await idsOfPlant(page, plantKey);
    await changePlant(page, plantKey, edit, moment);
    return stored.filter(({ entity }) => ids.includes(entity));
  });
  for (const { id, mine } of before) {
    const isEdited = Object.keys(mine).some((field) => field in edit.edits);
    if (isEdited) effects.overwritten.delete(`${name}|${id}`);
  }
}

async function decideRejected(
  sim: Simulation,
  device: ModelDevice,
  { opId, state, plantKey }: Change,
  newLabel: string,
): Promise<Decision> {
  if (sim.random.chance(0.2)) {
    await discardOp(device.page, opId);
    return nothing;
  }
  const seq = (await device.db.outbox.where('opId').equals(opId).first())?.seq;
  sim.effects.queuedAgain.add(`${device.name} ${seq}`);
  if (state === 'gone') return restore(sim, device, { opId, plantKey }, newLabel);
  if (state === 'entry-gone') return addAgain(sim, device, { opId, plantKey });
  await retryOp(device.page, opId);
  return nothing;
}

/**
 * Restores a plant. Reports notes and photos of pending changes of the old one that the new one does not show, and
 * removed photos that it shows.
 */
async function restore(
  sim: Simulation,
  device: ModelDevice,
  { opId, plantKey }: Pick<Change, 'opId' | 'plantKey'>,
  label: string,
): Promise<Decision> {
  const moment = sim.timeOf(device);
  const before = additionsOf(await opsOfPlant(device.db, plantKey));
  await relabel(device, opId, label);
  const key = await restoreAsNew(device.page, opId, moment);
  if (key === null) return nothing;
  const { entries, photos } = await readJournal(device.db, key);
  const newIds = new Map(entries.map((entry) => [contentOf(entry), entry.id]));
  const report = (what: string) =>
    sim.effects.violations.push(`${device.name}: ${what} of ${plantKey} is not restored`);
  const intents: DecisionIntent[] = [
    { kind: 'create', label, fields: await shownFields(device, key), moment },
  ];
  for (const { content, note, at } of before.entries.values()) {
    const entryId = newIds.get(content);
    if (note === null) {
      // A watering without an entry was coalesced into another one within ten minutes.
      intents.push({
        kind: 'water',
        label,
        fields: {},
        moment: at,
        ...(entryId && { opId: entryId }),
      });
    } else if (entryId === undefined) report(note);
    else {
      const entry = { kind: 'add_entry', entryId, note, at } as const;
      intents.push({ kind: 'journal', label, fields: {}, moment, entry });
    }
  }
  const removed = photos.filter(({ id }) => !before.photos.has(id));
  for (const { id } of removed) sim.effects.violations.push(`${device.name}: ${id} was removed`);
  for (const [photoId, oldEntryId] of before.photos) {
    const shown = photos.find(({ id }) => id === photoId);
    const content = before.entries.get(oldEntryId ?? '')?.content;
    const entryId = newIds.get(content ?? '') ?? shown?.entry_id ?? null;
    if (shown?.entry_id !== entryId) report(`the photo ${photoId} with its entry`);
    const photo = { kind: 'add_photo', photoId, entryId } as const;
    intents.push({ kind: 'photo', label, fields: {}, moment, photo });
  }
  return { intents, added: { label, localId: key } };
}

/** Sets the description in the op's edits, which the restored plant gets. */
async function relabel({ page }: ModelDevice, opId: string, description: string): Promise<void> {
  await page.transaction('rw', page.outbox, () =>
    page.outbox
      .where('opId')
      .equals(opId)
      .modify((op) => {
        op.edits.description = description;
      }),
  );
}

/** Adds an entry again that another device has removed. Its unsent and rejected photos must move to the new entry. */
async function addAgain(
  sim: Simulation,
  device: ModelDevice,
  { opId, plantKey }: Pick<Change, 'opId' | 'plantKey'>,
): Promise<Decision> {
  const label = await labelOfPlant(device, plantKey);
  const ops = await opsOfPlant(device.db, plantKey);
  const edit = ops.find((op) => op.opId === opId);
  if (label === null || !edit?.entry || !(await addEntryAgain(device.page, opId))) return nothing;
  const { note, at, id: oldId } = edit.entry;
  const { entries, photos } = await readJournal(device.db, plantKey);
  const isAdded = (entry: ShownEntry) => entry.note === note && entry.id !== oldId;
  const entryId = entries.find(isAdded)?.id ?? 'none';
  const moment = sim.timeOf(device);
  const added = { kind: 'add_entry', entryId, at, ...(note !== null && { note }) } as const;
  const intents: DecisionIntent[] = [{ kind: 'journal', label, fields: {}, moment, entry: added }];
  for (const { type, photo } of ops.filter(canDrop)) {
    if (type !== 'add_photo' || photo?.entryId !== oldId) continue;
    const isMoved = photos.some(({ id, entry_id }) => id === photo.id && entry_id === entryId);
    if (!isMoved) sim.effects.violations.push(`${device.name}: ${photo.id} is not in ${entryId}`);
    const again = { kind: 'add_photo', photoId: photo.id, entryId } as const;
    intents.push({ kind: 'photo', label, fields: {}, moment, photo: again });
  }
  return { intents };
}

interface Additions {
  /** By id. A tap on Water Now has no note. */
  entries: Map<string, { content: string; note: string | null; at: number }>;
  /** The entry of each photo; null for a photo without one. */
  photos: Map<string, string | null>;
}

/** What these ops of a plant have added to its journal. They must be ordered from oldest to newest. */
function additionsOf(ops: readonly Op[]): Additions {
  const added: Additions = { entries: new Map(), photos: new Map() };
  for (const op of ops) {
    const { type, entry, photo, occurredAt } = op;
    const id = entryIdOf(op) ?? '';
    const { note = null, at = occurredAt } = entry ?? {};
    if (type === 'remove_entry') added.entries.delete(id);
    else if (entry || type === 'water') {
      const content = contentOf({ type: entry?.type ?? 'watered', at, note });
      added.entries.set(id, { content, note, at });
    }
    if (photo && type === 'add_photo') added.photos.set(photo.id, photo.entryId);
    if (photo && type === 'remove_photo') added.photos.delete(photo.id);
  }
  return added;
}

/** Identifies an entry without its id: each note is used once, and no two taps have the same moment. */
function contentOf({ type, at, note }: { type: string; at: number; note: string | null }): string {
  return note ?? `${type} at ${at}`;
}

async function shownFields(device: ModelDevice, key: string): Promise<Partial<PlantFields>> {
  const record = await shownRecord(device, key);
  return Object.fromEntries(plantFieldNames.map((name) => [name, record?.[name] ?? null]));
}

async function labelOfPlant(device: ModelDevice, key: string): Promise<string | null> {
  const record = await shownRecord(device, key);
  return record ? labelOf(record) : null;
}

async function shownRecord({ db }: ModelDevice, key: string): Promise<PlantRecord | undefined> {
  return (await readPlants(db)).find((plant) => plant.key === key)?.record;
}

function valuesOf({ mine, theirs }: Pick<Conflict, 'mine' | 'theirs'>): string {
  return JSON.stringify([mine, theirs]);
}
