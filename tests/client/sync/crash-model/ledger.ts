import type { Op, Overwritten } from '#client/store/outbox/op.ts';
import {
  type FieldGroup,
  fieldGroups,
  type PlantFields,
  plantFieldNames,
} from '#domain/plant/fields.ts';

/** A change as it left a device, with the op behind it at that moment. */
export interface Wire {
  device: string;
  key: string;
  method: string;
  path: string;
  body: string | null;
  ifMatch: string | null;
  op: Op;
  /** It has been sent before, and nobody knows what became of that. */
  isRepeat: boolean;
}

/** A plant as the effects so far have made it. */
export interface PlantBook {
  id: string;
  mark: string;
  fields: PlantFields;
  isDeleted: boolean;
  /** Moments (ms), and the device that told each. */
  waterings: Map<number, string>;
}

/**
 * The book of effects, kept at the server's door: what the server did (2xx, not replayed), once per key, in order. It
 * writes down at once whatever must never happen.
 */
export class Ledger {
  readonly faults: string[] = [];
  readonly plants = new Map<string, PlantBook>();
  /** By id of the row that has to tell of it, and device. */
  readonly overwritten = new Map<string, Overwritten>();
  private readonly keys = new Set<string>();
  private readonly lastSeq = new Map<string, number>();

  get effects(): number {
    return this.keys.size;
  }

  /** Whether an account has no plants, told by the beginning of their marks. */
  isEmpty(owner: string): boolean {
    const own = [...this.plants.values()].filter(({ mark }) => mark.startsWith(owner));
    return own.every(({ isDeleted }) => isDeleted);
  }

  plantOf(mark: string): PlantBook | undefined {
    return [...this.plants.values()].find((plant) => plant.mark === mark);
  }

  noteEffect(wire: Wire, answer: unknown): void {
    if (this.keys.has(wire.key)) this.fault(wire, 'had its effect twice');
    this.keys.add(wire.key);
    const plant =
      wire.op.type === 'create' ? this.create(wire, answer) : this.plants.get(idIn(wire.path));
    if (!plant) {
      this.fault(wire, 'changed a plant that nobody made');
      return;
    }
    this.checkOrder(wire, plant);
    if (wire.op.type === 'update') this.update(wire, plant);
    if (wire.op.type === 'water') this.water(wire, plant);
    if (wire.op.type === 'delete') plant.isDeleted = true;
  }

  fault({ device, op, path }: Pick<Wire, 'device' | 'op' | 'path'>, what: string): void {
    this.faults.push(`${device}: ${op.type} #${op.seq} (${path}) ${what}`);
  }

  private create(wire: Wire, answer: unknown): PlantBook {
    const fields: PlantFields = JSON.parse(wire.body ?? '{}');
    const mark = fields.description ?? '';
    if (this.plantOf(mark)) this.fault(wire, `made ${mark} twice`);
    const id = String((answer as { id: unknown }).id);
    const plant = { id, mark, fields, isDeleted: false, waterings: new Map() };
    this.plants.set(id, plant);
    return plant;
  }

  private update(wire: Wire, plant: PlantBook): void {
    const { op, device } = wire;
    const next: PlantFields = JSON.parse(wire.body ?? '{}');
    for (const name of plantFieldNames) {
      const isEdited = name in op.edits;
      if (isEdited && next[name] !== op.edits[name]) this.fault(wire, `did not send its ${name}`);
      if (!isEdited && next[name] !== plant.fields[name]) {
        this.fault(wire, `overwrote ${name}, which it did not edit`);
      }
    }
    for (const group of fieldGroups) {
      const names = group.filter((name) => name in op.edits);
      const [first] = names;
      const isChangedHere = names.some((name) => plant.fields[name] !== op.edits[name]);
      const isChangedThere = names.some((name) => plant.fields[name] !== op.base[name]);
      if (first === undefined || !isChangedHere || !isChangedThere) continue;
      const theirs = pick(names, plant.fields);
      this.overwritten.set(`${device}|${op.opId} ${first}`, { mine: pick(names, next), theirs });
    }
    plant.fields = next;
  }

  private water(wire: Wire, plant: PlantBook): void {
    const moment = Date.parse(new URLSearchParams(wire.path.split('?')[1]).get('watered_at') ?? '');
    if (plant.waterings.has(moment)) this.fault(wire, 'watered twice');
    plant.waterings.set(moment, wire.device);
  }

  /** A device's changes of one plant have their effects in the order of intent. */
  private checkOrder(wire: Wire, { mark }: PlantBook): void {
    const lane = `${wire.device}|${mark}`;
    const before = this.lastSeq.get(lane) ?? 0;
    if (wire.op.seq < before) this.fault(wire, `came after #${before}`);
    this.lastSeq.set(lane, wire.op.seq);
  }
}

function idIn(path: string): string {
  return decodeURIComponent(path.split('?')[0]?.split('/')[3] ?? '');
}

function pick(names: FieldGroup, source: Partial<PlantFields>): Partial<PlantFields> {
  return Object.fromEntries(names.map((name) => [name, source[name]]));
}
