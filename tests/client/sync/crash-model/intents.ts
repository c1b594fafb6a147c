import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import { addPlant, changePlant, deletePlant } from '#client/store/outbox/plant-changes.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { readPlants } from '#client/store/plants.ts';
import type { PlantFields } from '#domain/plant/fields.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { plantPayload } from '../../../support/factories.ts';
import type { ModelDevice } from './model-device.ts';
import type { World } from './world.ts';

/** What a person did, and the device has taken. */
export interface Intent {
  device: string;
  account: string;
  /** The plant's own words, never edited: who it is wherever it is met. */
  mark: string;
  kind: 'create' | 'update' | 'water' | 'delete';
  fields: Partial<PlantFields>;
  /** ms */
  moment: number;
}

const plantLimit = 3;

/** One thing that a person does on a device; every value is new, so that it can be told where it came from. */
export class People {
  readonly intents: Intent[] = [];
  /** Local id of each plant made, by mark. */
  readonly localIds = new Map<string, string>();
  private readonly world: World;
  private made = 0;

  constructor(world: World) {
    this.world = world;
  }

  async act(device: ModelDevice): Promise<void> {
    const { random } = this.world;
    this.world.pass(1 + random.below(random.chance(0.3) ? 3_600_000 : 20_000));
    const plants = await readPlants(device.db);
    if (plants.length === 0 || (plants.length < plantLimit && random.chance(0.15))) {
      return this.create(device);
    }
    const plant = random.pick(plants);
    const choice = random.below(20);
    if (choice < 11) return this.update(device, plant);
    if (choice < 18) return this.water(device, plant);
    return this.remove(device, plant);
  }

  private note(device: ModelDevice, intent: Omit<Intent, 'device' | 'account'>): void {
    const { name, account } = device;
    this.intents.push({ ...intent, device: name, account: account.email });
  }

  private async create(device: ModelDevice): Promise<void> {
    const n = this.nextNumber();
    const mark = `${device.account.email} plant ${n}`;
    const fields = plantPayload({ nickname: `made ${n}`, description: mark });
    // While it is being kept, a request of the same device may move the clock on.
    const moment = this.world.now;
    const { opId } = await addPlant(device.page, fields, moment);
    this.localIds.set(mark, `local-${opId}`);
    this.note(device, { kind: 'create', mark, fields, moment });
    await this.expectShown(device, mark, fields);
  }

  private async update(device: ModelDevice, { key, record }: PlantWithPending): Promise<void> {
    const mark = markOf(record);
    const edits = this.someEdits();
    const base = Object.fromEntries(
      Object.keys(edits).map((name) => [name, record[name as keyof PlantFields] ?? null]),
    );
    const moment = this.world.now;
    await changePlant(device.page, key, { edits, base }, moment);
    this.note(device, { kind: 'update', mark, fields: edits, moment });
    await this.expectShown(device, mark, edits);
  }

  private async water(device: ModelDevice, { key, record }: PlantWithPending): Promise<void> {
    const moment = this.world.now;
    await addWatering(device.page, key, moment);
    this.note(device, { kind: 'water', mark: markOf(record), fields: {}, moment });
  }

  private async remove(device: ModelDevice, { key, record }: PlantWithPending): Promise<void> {
    const moment = this.world.now;
    await deletePlant(device.page, key, moment);
    this.note(device, { kind: 'delete', mark: markOf(record), fields: {}, moment });
  }

  private someEdits(): Partial<PlantFields> {
    const { random } = this.world;
    const n = this.nextNumber();
    const low = random.below(80) + n / 10_000;
    const all: Partial<PlantFields>[] = [
      { nickname: `name ${n}` },
      { nickname: `name ${n}` },
      { location: `place ${n}` },
      { watering_frequency: n },
      { soil_humidity_threshold_min: low, soil_humidity_threshold_max: low + 5 },
      { device_id: `device ${n}`, auto_watering_enabled: n % 2 === 0 },
    ];
    return random.chance(0.3)
      ? { ...random.pick(all), ...random.pick(all) }
      : { ...random.pick(all) };
  }

  /** What was done is seen at once, whatever else waits. */
  private async expectShown(
    device: ModelDevice,
    mark: string,
    fields: Partial<PlantFields>,
  ): Promise<void> {
    const shown = (await readPlants(device.db)).find(({ record }) => markOf(record) === mark);
    for (const [name, value] of Object.entries(fields)) {
      if (shown?.record[name as keyof PlantRecord] === value) continue;
      this.world.ledger.faults.push(`${device.name}: ${name} of ${mark} is hidden`);
    }
  }

  private nextNumber(): number {
    this.made += 1;
    return this.made;
  }
}

export function markOf(record: PlantRecord): string {
  return record.description ?? '';
}
