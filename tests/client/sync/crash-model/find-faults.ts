import { readPlants } from '#client/store/plants.ts';
import { readStatus } from '#client/store/sync-status.ts';
import {
  type FieldGroup,
  fieldGroups,
  type PlantFields,
  plantFieldNames,
} from '#domain/plant/fields.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { type Intent, markOf, type People } from './intents.ts';
import type { PlantBook } from './ledger.ts';
import type { ModelDevice } from './model-device.ts';
import type { World } from './world.ts';

const sameWateringMs = 10 * 60_000;

/** Compares what people did, what the server did, and what the devices show at the end. One line per fault. */
export async function findFaults(
  world: World,
  people: People,
  devices: readonly ModelDevice[],
): Promise<string[]> {
  const faults = [...world.ledger.faults];
  const marks = new Set(people.intents.map(({ mark }) => mark));
  for (const mark of marks) {
    const own = people.intents.filter((intent) => intent.mark === mark);
    faults.push(...lostIntents(own, world.ledger.plantOf(mark)));
  }
  for (const device of devices) faults.push(...(await deviceFaults(world, people, device)));
  faults.push(...(await serverFaults(world, devices)));
  return faults;
}

function lostIntents(own: readonly Intent[], plant: PlantBook | undefined): string[] {
  const mark = own[0]?.mark;
  const isMeantToGo = own.some(({ kind }) => kind === 'delete');
  if (!plant || plant.isDeleted) {
    return isMeantToGo ? [] : [`${mark} is gone, and nobody deleted it`];
  }
  if (isMeantToGo) return [`${mark} was deleted and is still there`];
  return [...lostEdits(own, plant), ...lostWaterings(own, plant)];
}

/** A field ends as one of the devices left it last; who came last wins, but no other has a say. */
function lostEdits(own: readonly Intent[], plant: PlantBook): string[] {
  return fieldGroups.flatMap((group) => {
    const edits = own.filter((one) => one.kind === 'update' && group.some((n) => n in one.fields));
    const last = new Map(edits.map((edit) => [edit.device, edit.fields]));
    const created = own.find(({ kind }) => kind === 'create')?.fields ?? {};
    const allowed = (last.size > 0 ? [...last.values()] : [created]).map((f) => textOf(group, f));
    const is = textOf(group, plant.fields);
    return allowed.includes(is) ? [] : [`${plant.mark}: ${is}, expected ${allowed.join(' or ')}`];
  });
}

function textOf(group: FieldGroup, fields: Partial<PlantFields>): string {
  return group.map((name) => `${name} ${fields[name]}`).join(', ');
}

/** Two taps of a device within ten minutes may be one watering. */
function lostWaterings(own: readonly Intent[], { mark, waterings }: PlantBook): string[] {
  const taps = own.filter(({ kind }) => kind === 'water');
  const lost = taps.filter(
    ({ device, moment }) =>
      ![...waterings].some(
        ([told, by]) => by === device && Math.abs(told - moment) <= sameWateringMs,
      ),
  );
  const invented = [...waterings].filter(
    ([told, by]) => !taps.some(({ device, moment }) => device === by && moment === told),
  );
  return [
    ...lost.map(({ moment }) => `${mark}: the watering of ${moment} is lost`),
    ...invented.map(([told]) => `${mark}: nobody watered at ${told}`),
  ];
}

async function deviceFaults(
  world: World,
  people: People,
  { name, db, account }: ModelDevice,
): Promise<string[]> {
  const faults: string[] = [];
  const living = [...world.ledger.plants.values()].filter(
    (plant) => !plant.isDeleted && plant.mark.startsWith(account.email),
  );
  const shown = await readPlants(db);
  const says = (plant: PlantRecord) => `${plant.id}: ${textOf(plantFieldNames, plant as never)}`;
  const expected = living.map(({ id, fields }) => says({ id, ...fields }));
  const actual = shown.map(({ record }) => says(record));
  faults.push(...notIn(expected, actual).map((one) => `${name} shows ${one}`));
  faults.push(...notIn(actual, expected).map((one) => `${name} does not show ${one}`));
  for (const { record } of shown) {
    const waterings = [...(world.ledger.plants.get(String(record.id))?.waterings.keys() ?? [])];
    const last = waterings.length > 0 ? Math.max(...waterings) : null;
    const told = record.last_watered ? Date.parse(record.last_watered) : null;
    if (told !== last) faults.push(`${name} says ${markOf(record)} was watered at ${told}`);
  }
  for (const { localId, serverId } of await db.idmap.toArray()) {
    const mark = world.ledger.plants.get(serverId)?.mark ?? '';
    if (people.localIds.get(mark) !== localId) faults.push(`${name} takes ${mark} for ${localId}`);
  }
  for (const { type, state, entity, lastError } of await db.outbox.toArray()) {
    const mapped = (await db.idmap.get(entity))?.serverId ?? entity;
    const isGone = world.ledger.plants.get(mapped)?.isDeleted ?? false;
    if (state === 'rejected' && isGone && type !== 'delete') continue;
    faults.push(`${name} still has a ${state} ${type} of ${entity}: ${lastError?.message}`);
  }
  const { sentCount } = await readStatus(db);
  if (sentCount > 0) faults.push(`${name} still counts ${sentCount} sent ops`);
  faults.push(...(await untoldConflicts(world, name, db)));
  return faults;
}

async function untoldConflicts(
  { ledger }: World,
  name: string,
  db: ModelDevice['db'],
): Promise<string[]> {
  const told = (await db.conflicts.toArray()).map(
    ({ id, mine, theirs }) => `${name}|${id} ${JSON.stringify({ mine, theirs })}`,
  );
  const real = [...ledger.overwritten]
    .filter(([id]) => id.startsWith(`${name}|`))
    .map(([id, conflict]) => `${id} ${JSON.stringify(conflict)}`);
  return [
    ...notIn(told, real).map((one) => `overwrote and did not tell: ${one}`),
    ...notIn(real, told).map((one) => `tells of what never was: ${one}`),
  ];
}

function notIn(known: readonly string[], all: readonly string[]): string[] {
  return all.filter((one) => !known.includes(one));
}

/** The server's own tables say the same as the book of effects. */
async function serverFaults(world: World, devices: readonly ModelDevice[]): Promise<string[]> {
  const accounts = new Set(devices.map(({ account }) => account));
  const rows = (
    await Promise.all([...accounts].map((account) => world.lane.wateringsOf(account)))
  ).flat();
  const stored = rows.map(({ plantId, moment }) => `${plantId} ${moment}`).sort();
  const booked = [...world.ledger.plants.values()]
    .filter(({ isDeleted }) => !isDeleted)
    .flatMap(({ id, waterings }) => [...waterings.keys()].map((moment) => `${id} ${moment}`))
    .sort();
  return stored.join() === booked.join() ? [] : [`the server has waterings ${stored.join(', ')}`];
}
