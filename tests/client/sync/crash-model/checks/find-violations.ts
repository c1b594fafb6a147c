import { readPlants } from '#client/store/plants.ts';
import { readStatus } from '#client/store/sync-status.ts';
import {
  type FieldGroup,
  fieldGroups,
  type PlantFields,
  plantFieldNames,
} from '#domain/plant/fields.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import type { ModelDevice } from '../model-device.ts';
import type { AccountContent } from '../model-server.ts';
import type { Simulation } from '../simulation.ts';
import { type Intent, labelOf } from '../users/intent.ts';
import type { Users } from '../users/users.ts';
import type { EffectLog, ExpectedPlant } from './effect-log.ts';
import {
  journalViolations,
  lostEntries,
  serverJournalViolations,
  wasChangedUnsent,
} from './journal-checks.ts';
import {
  detachedPhotos,
  lostPhotos,
  photoViolations,
  serverPhotoViolations,
} from './photo-checks.ts';

const sameWateringMs = 10 * 60_000;

/** Compares what people did, what the server executed and what the devices show at the end. One line per violation. */
export async function findViolations(
  sim: Simulation,
  users: Users,
  devices: readonly ModelDevice[],
): Promise<string[]> {
  const found = [...sim.effects.violations];
  const labels = new Set(users.intents.map(({ label }) => label));
  for (const label of labels) {
    const own = users.intents.filter((intent) => intent.label === label);
    found.push(...lostIntents(own, sim.effects.plantOf(label), sim.clocks.areSet));
  }
  for (const account of new Set(devices.map((device) => device.account))) {
    const content = await sim.server.contentOf(account);
    found.push(...serverJournalViolations(sim.effects, content));
    found.push(...serverPhotoViolations(sim.effects, content));
    found.push(...detachedPhotos(users.intents, content));
    for (const device of devices.filter((one) => one.account === account)) {
      found.push(...(await deviceViolations(sim.effects, users, device, content)));
    }
  }
  return found;
}

function lostIntents(
  own: readonly Intent[],
  plant: ExpectedPlant | undefined,
  areClocksSet: boolean,
): string[] {
  const label = own[0]?.label;
  const wasDeleted = own.some(({ kind }) => kind === 'delete');
  if (!plant || plant.isDeleted) {
    return wasDeleted ? [] : [`${label} is missing, and nobody deleted it`];
  }
  if (wasDeleted) return [`${label} was deleted and still exists`];
  return [
    ...lostEdits(own, plant),
    ...(areClocksSet ? lostWateringIds(own, plant) : lostWaterings(own, plant)),
    ...lostEntries(own, plant, areClocksSet),
    ...lostPhotos(own, plant),
  ];
}

/** A field has the last value of one of the devices: which one depends on the order of sending. */
function lostEdits(own: readonly Intent[], plant: ExpectedPlant): string[] {
  return fieldGroups.flatMap((group) => {
    const edits = own.filter((one) => one.kind === 'update' && group.some((n) => n in one.fields));
    const last = new Map(edits.map((edit) => [edit.device, edit.fields]));
    const created = own.find(({ kind }) => kind === 'create')?.fields ?? {};
    const allowed = (last.size > 0 ? [...last.values()] : [created]).map((f) => textOf(group, f));
    const actual = textOf(group, plant.fields);
    if (allowed.includes(actual)) return [];
    return [`${plant.label}: ${actual}, expected ${allowed.join(' or ')}`];
  });
}

function textOf(group: FieldGroup, fields: Partial<PlantFields>): string {
  return group.map((name) => `${name} ${fields[name]}`).join(', ');
}

/** Two waterings of a device within ten minutes may count as one. */
function lostWaterings(own: readonly Intent[], { label, waterings }: ExpectedPlant): string[] {
  const taps = own.filter(({ kind }) => kind === 'water');
  const lost = taps.filter(
    (tap) =>
      !wasChangedUnsent(tap, own) &&
      ![...waterings].some(
        ([stored, by]) => by === tap.device && Math.abs(stored - tap.moment) <= sameWateringMs,
      ),
  );
  const invented = [...waterings].filter(
    ([stored, by]) => !taps.some(({ device, moment }) => device === by && moment === stored),
  );
  return [
    ...lost.map(({ moment }) => `${label}: the watering of ${moment} is lost`),
    ...invented.map(([stored]) => `${label}: nobody watered at ${stored}`),
  ];
}

/** Compares waterings by id, because times may differ from those of the taps if a schedule sets devices' clocks. */
function lostWateringIds(own: readonly Intent[], { label, wateringIds }: ExpectedPlant): string[] {
  const taps = own.filter(({ kind }) => kind === 'water');
  const ids = new Set(taps.flatMap(({ opId }) => opId ?? []));
  const lost = taps.filter(
    (tap) => tap.opId !== undefined && !wasChangedUnsent(tap, own) && !wateringIds.has(tap.opId),
  );
  return [
    ...lost.map(({ opId }) => `${label}: the watering ${opId} is lost`),
    ...[...wateringIds].filter((id) => !ids.has(id)).map((id) => `${label}: nobody made ${id}`),
  ];
}

async function deviceViolations(
  effects: EffectLog,
  users: Users,
  device: ModelDevice,
  content: Pick<AccountContent, 'plants' | 'entryOfPhoto'>,
): Promise<string[]> {
  const { name, db, account } = device;
  const found: string[] = [];
  const existing = [...effects.plants.values()].filter(
    (plant) => !plant.isDeleted && plant.label.startsWith(account.email),
  );
  const shown = await readPlants(db);
  const describe = (plant: PlantRecord) =>
    `${plant.id}: ${textOf(plantFieldNames, plant as never)}`;
  const expected = existing.map(({ id, fields }) => describe({ id, ...fields }));
  const actual = shown.map(({ record }) => describe(record));
  found.push(...notIn(expected, actual).map((one) => `${name} shows ${one}`));
  found.push(...notIn(actual, expected).map((one) => `${name} does not show ${one}`));
  for (const { record } of shown) {
    const last = effects.plants.get(String(record.id))?.journal.lastWatered ?? null;
    const actual = record.last_watered ? Date.parse(record.last_watered) : null;
    if (actual !== last) found.push(`${name} shows ${labelOf(record)} as watered at ${actual}`);
  }
  const stored = (await db.plants.toArray()).map(({ record, etag }) => jsonOf({ ...record, etag }));
  const listed = content.plants.map(jsonOf);
  found.push(...notIn(listed, stored).map((one) => `${name} stores ${one}`));
  found.push(...notIn(stored, listed).map((one) => `${name} does not store ${one}`));
  for (const { localId, serverId } of await db.idmap.toArray()) {
    const label = effects.plants.get(serverId)?.label ?? '';
    if (users.localIds.get(label) !== localId) found.push(`${name} maps ${localId} to ${label}`);
  }
  for (const { type, state, entity, entry, lastError } of await db.outbox.toArray()) {
    const serverId = (await db.idmap.get(entity))?.serverId ?? entity;
    const isDeleted = effects.plants.get(serverId)?.isDeleted ?? false;
    if (state === 'rejected' && isDeleted && type !== 'delete') continue;
    // An entry that was removed elsewhere can no longer be edited.
    const journal = effects.plants.get(serverId)?.journal;
    const isEntryGone = entry && !journal?.entries.has(entry.id);
    if (state === 'rejected' && type === 'edit_entry' && isEntryGone) continue;
    found.push(`${name} still has a ${state} ${type} of ${entity}: ${lastError?.message}`);
  }
  const { sentCount } = await readStatus(db);
  if (sentCount > 0) found.push(`${name} still counts ${sentCount} sent ops`);
  found.push(...(await journalViolations(effects, device)));
  found.push(...(await photoViolations(effects, device, content)));
  found.push(...(await wrongConflicts(effects, users, device)));
  return found;
}

/**
 * A stored conflict must have the overwritten values. Its own values are those that were sent, or of a later edit that
 * waited when it was stored. If that edit has the overwritten values, no conflict is stored.
 */
async function wrongConflicts(
  { overwritten, plants }: EffectLog,
  { intents }: Users,
  { name, db }: ModelDevice,
): Promise<string[]> {
  const rows = await db.conflicts.toArray();
  const stored = new Map(rows.map((row) => [`${name}|${row.id}`, row]));
  const found: string[] = [];
  for (const [id, { plantId, mine, theirs }] of overwritten) {
    const plant = plants.get(plantId);
    if (!id.startsWith(`${name}|`) || plant?.isDeleted) continue;
    const row = stored.get(id);
    stored.delete(id);
    const edits = intents
      .filter(({ device, label }) => device === name && label === plant?.label)
      .map(({ fields }) => fields);
    const names = plantFieldNames.filter((field) => field in mine);
    const isSentOrLater = (values: Partial<PlantFields>) =>
      names.every((field) => {
        const sent = edits.findIndex((edit) => edit[field] === mine[field]);
        const later = edits.slice(sent + 1).filter((edit) => field in edit);
        return [mine, ...later].some((edit) => edit[field] === values[field]);
      });
    const isRight = row
      ? isSentOrLater(row.mine) && textOf(names, row.theirs) === textOf(names, theirs)
      : isSentOrLater(theirs);
    if (!isRight) {
      const what = row ? `${JSON.stringify(row)} instead of` : 'no conflict row for';
      found.push(`${what} ${id} ${JSON.stringify({ mine, theirs })}`);
    }
  }
  const others = [...stored.values()].map(({ id, mine, theirs }) =>
    JSON.stringify({ id, mine, theirs }),
  );
  return [...found, ...others.map((one) => `conflict row without an overwrite: ${one}`)];
}

function jsonOf(record: object): string {
  return JSON.stringify(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function notIn(known: readonly string[], all: readonly string[]): string[] {
  return all.filter((one) => !known.includes(one));
}
