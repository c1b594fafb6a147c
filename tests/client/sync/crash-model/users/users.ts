import { readJournal } from '#client/store/journal/journal.ts';
import { isOwnEntry } from '#client/store/journal/shown-entries.ts';
import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import type { Op } from '#client/store/outbox/op.ts';
import { addPlant, deletePlant } from '#client/store/outbox/plant-changes.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { readPlants } from '#client/store/plants.ts';
import type { PlantFields } from '#domain/plant/fields.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { plantPayload } from '../../../../support/factories.ts';
import type { ModelDevice } from '../model-device.ts';
import type { Simulation } from '../simulation.ts';
import { changeWithConflicts, decideOne } from './decision-intents.ts';
import { type Intent, labelOf } from './intent.ts';
import { changeJournal, editShown, ownEntries, removeShown } from './journal-intents.ts';
import { changePhotos } from './photo-intents.ts';

const plantLimit = 3;

/**
 * Makes the random changes of the people who use the devices. Every value is used once, so that its origin is known,
 * unless its field has few values.
 */
export class Users {
  readonly intents: Intent[] = [];
  /** Local id of each created plant, by label. */
  readonly localIds = new Map<string, string>();
  private readonly sim: Simulation;
  private lastNumber = 0;

  constructor(sim: Simulation) {
    this.sim = sim;
  }

  /** A random change on this device. */
  async change(device: ModelDevice): Promise<void> {
    const { random } = this.sim;
    this.sim.advance(1 + random.below(random.chance(0.3) ? 3_600_000 : 20_000));
    const plants = (await readPlants(device.db)).sort(byLabel);
    if (plants.length === 0 || (plants.length < plantLimit && random.chance(0.15))) {
      return this.create(device);
    }
    return this.changeOne(device, random.pick(plants));
  }

  /** A random change of this plant, if the device shows it. Unlike `change`, it advances the clock by only 1 ms. */
  async changePlant(device: ModelDevice, label: string): Promise<void> {
    // No two changes have the same moment.
    this.sim.advance(1);
    const plants = await readPlants(device.db);
    const plant = plants.find(({ record }) => labelOf(record) === label);
    if (plant) await this.changeOne(device, plant);
  }

  /** The label of a plant that has an op in this state; null if there is none. */
  async labelOfOp({ db }: ModelDevice, state: Op['state']): Promise<string | null> {
    const plants = (await readPlants(db)).sort(byLabel);
    const found = plants.find(({ waiting }) => waiting.some((op) => op.state === state));
    return found ? labelOf(found.record) : null;
  }

  /**
   * Picks a waiting change of `device`, sometimes after editing an entry there. On `other`, edits or deletes the plant
   * of that change, or removes its entry. False if nothing waits, or `other` does not show that plant or entry.
   */
  async changeWaitingElsewhere(device: ModelDevice, other: ModelDevice): Promise<boolean> {
    const { random } = this.sim;
    this.sim.advance(1);
    if (random.chance(0.4)) await this.editSavedEntry(device);
    const waiting = (await readPlants(device.db))
      .sort(byLabel)
      .flatMap(({ record, waiting }) => waiting.map((op) => ({ op, label: labelOf(record) })));
    if (waiting.length === 0) return false;
    const edited = waiting.find(({ op }) => op.type === 'edit_entry');
    const { op, label } = edited ?? random.pick(waiting);
    const plants = await readPlants(other.db);
    const plant = plants.find(({ record }) => labelOf(record) === label);
    if (!plant) return false;
    if (op.type === 'edit_entry') return this.removeEntry(other, plant, op.entry?.id);
    if (op.type === 'update' && random.chance(0.5)) await this.update(other, plant, op.edits);
    else await this.remove(other, plant);
    return true;
  }

  /** A decision about a change that was rejected, or about a conflict, if the device shows one. */
  async decide(device: ModelDevice): Promise<void> {
    this.sim.advance(1);
    const newLabel = `${device.account.email} plant ${this.nextNumber()}`;
    const { intents, added } = await decideOne(this.sim, device, newLabel);
    if (added) this.localIds.set(added.label, added.localId);
    for (const intent of intents) this.record(device, intent);
  }

  private async changeOne(device: ModelDevice, plant: PlantWithPending): Promise<void> {
    const choice = this.sim.random.below(22);
    if (choice < 9) return this.update(device, plant);
    if (choice < 13) return this.water(device, plant);
    if (choice < 18) return this.changeJournal(device, plant);
    if (choice < 20) return this.remove(device, plant);
    return this.changePhotos(device, plant);
  }

  private record(device: ModelDevice, intent: Omit<Intent, 'device' | 'account'>): void {
    const { name, account } = device;
    this.intents.push({ ...intent, device: name, account: account.email });
  }

  private async create(device: ModelDevice): Promise<void> {
    const n = this.nextNumber();
    const label = `${device.account.email} plant ${n}`;
    const reminders = { reminder_enabled: true, reminder_days_before: 0 };
    const fields = plantPayload({ nickname: `new ${n}`, description: label, ...reminders });
    // An engine of the same device may advance the clock while the plant is stored.
    const moment = this.sim.timeOf(device);
    const { opId } = await addPlant(device.page, fields, moment);
    this.localIds.set(label, `local-${opId}`);
    this.record(device, { kind: 'create', label, fields, moment });
    await this.expectShown(device, label, fields);
  }

  /** `same`: at least one of these fields is edited. */
  private async update(
    device: ModelDevice,
    { key, record }: PlantWithPending,
    same?: Partial<PlantFields>,
  ): Promise<void> {
    const label = labelOf(record);
    let edits = this.randomEdits();
    while (same && !Object.keys(edits).some((name) => name in same)) edits = this.randomEdits();
    const base = Object.fromEntries(
      Object.keys(edits).map((name) => [name, record[name as keyof PlantFields] ?? null]),
    );
    const moment = this.sim.timeOf(device);
    await changeWithConflicts(this.sim, device, key, { edits, base }, moment);
    this.record(device, { kind: 'update', label, fields: edits, moment });
    await this.expectShown(device, label, edits);
  }

  private async water(device: ModelDevice, { key, record }: PlantWithPending): Promise<void> {
    const moment = this.sim.timeOf(device);
    const opId = await addWatering(device.page, key, moment);
    this.record(device, { kind: 'water', label: labelOf(record), fields: {}, moment, opId });
  }

  private async changeJournal(
    device: ModelDevice,
    { key, record }: PlantWithPending,
  ): Promise<void> {
    const moment = this.sim.timeOf(device);
    const note = `note ${this.nextNumber()}`;
    const entry = await changeJournal(this.sim, device, key, note);
    this.record(device, { kind: 'journal', label: labelOf(record), fields: {}, moment, entry });
  }

  /** Edits an entry that the server has. Usually it also adds a photo, perhaps to that entry, or removes a photo. */
  private async editSavedEntry(device: ModelDevice): Promise<void> {
    const { random } = this.sim;
    const plants = await readPlants(device.db);
    if (plants.length === 0) return;
    const plant = random.pick(plants.sort(byLabel));
    const saved = (await ownEntries(device, plant.key)).filter(({ state }) => state === 'saved');
    if (saved.length === 0) return;
    const moment = this.sim.timeOf(device);
    const note = `note ${this.nextNumber()}`;
    const entry = await editShown(this.sim, device, plant.key, random.pick(saved), note);
    const label = labelOf(plant.record);
    this.record(device, { kind: 'journal', label, fields: {}, moment, entry });
    if (random.chance(0.7)) await this.changePhotos(device, plant);
  }

  private async removeEntry(
    device: ModelDevice,
    { key, record }: PlantWithPending,
    entryId: string | undefined,
  ): Promise<boolean> {
    const { entries } = await readJournal(device.db, key);
    const shown = entries.find(({ id }) => id === entryId);
    if (!shown || !isOwnEntry(shown)) return false;
    const moment = this.sim.timeOf(device);
    const entry = await removeShown(this.sim, device, key, shown);
    this.record(device, { kind: 'journal', label: labelOf(record), fields: {}, moment, entry });
    return true;
  }

  private async changePhotos(
    device: ModelDevice,
    { key, record }: PlantWithPending,
  ): Promise<void> {
    const moment = this.sim.timeOf(device);
    const photo = await changePhotos(this.sim, device, key);
    this.record(device, { kind: 'photo', label: labelOf(record), fields: {}, moment, photo });
  }

  private async remove(device: ModelDevice, { key, record }: PlantWithPending): Promise<void> {
    const moment = this.sim.timeOf(device);
    await deletePlant(device.page, key, moment);
    this.record(device, { kind: 'delete', label: labelOf(record), fields: {}, moment });
  }

  private randomEdits(): Partial<PlantFields> {
    const { random } = this.sim;
    const n = this.nextNumber();
    const low = random.below(80) + n / 10_000;
    const all: Partial<PlantFields>[] = [
      { nickname: `name ${n}` },
      { nickname: `name ${n}` },
      { location: `place ${n}` },
      { watering_frequency: n },
      { soil_humidity_threshold_min: low, soil_humidity_threshold_max: low + 5 },
      { device_id: `device ${n}`, auto_watering_enabled: n % 2 === 0 },
      { reminder_enabled: n % 2 === 0, reminder_days_before: n % 31 },
    ];
    return random.chance(0.3)
      ? { ...random.pick(all), ...random.pick(all) }
      : { ...random.pick(all) };
  }

  /** A change is shown at once, even if other ops wait in the outbox, and no plant is shown twice. */
  private async expectShown(
    device: ModelDevice,
    label: string,
    fields: Partial<PlantFields>,
  ): Promise<void> {
    const shown = (await readPlants(device.db)).filter(({ record }) => labelOf(record) === label);
    const { violations } = this.sim.effects;
    if (shown.length > 1)
      violations.push(`${device.name}: ${label} is shown ${shown.length} times`);
    for (const [name, value] of Object.entries(fields)) {
      if (shown[0]?.record[name as keyof PlantRecord] === value) continue;
      violations.push(`${device.name}: ${name} of ${label} is not shown`);
    }
  }

  private nextNumber(): number {
    this.lastNumber += 1;
    return this.lastNumber;
  }
}

/** An order that is the same when a run is repeated, unlike that of the ids. */
function byLabel({ record: a }: PlantWithPending, { record: b }: PlantWithPending): number {
  return labelOf(a) < labelOf(b) ? -1 : 1;
}
