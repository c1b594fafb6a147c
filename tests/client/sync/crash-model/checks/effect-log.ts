import { isPhotoOp, type Overwritten } from '#client/store/outbox/op.ts';
import {
  type FieldGroup,
  fieldGroups,
  type PlantFields,
  plantFieldNames,
} from '#domain/plant/fields.ts';
import { JournalLog, type StoredEntry, storedMoment } from './journal-log.ts';
import { PhotoLog, photoIdIn, plantIdOfPhoto } from './photo-log.ts';
import type { SentOp } from './request-checks.ts';

/** A plant as the logged effects have made it. */
export interface ExpectedPlant {
  id: string;
  label: string;
  fields: PlantFields;
  isDeleted: boolean;
  /** Times (ms), each with the device that sent it. */
  waterings: Map<number, string>;
  /** The ids of the ops of these waterings. */
  wateringIds: Set<string>;
  journal: JournalLog;
  photos: PhotoLog;
}

/**
 * Records every effect on the server (a 2xx that is no replay) in the order of execution, and reports at once what must
 * never happen, such as an op that has its effect twice.
 */
export class EffectLog {
  readonly violations: string[] = [];
  /** By server id. */
  readonly plants = new Map<string, ExpectedPlant>();
  /**
   * The conflicts that devices must show while the plant exists, by device and id of the conflict row. Decisions and
   * later edits of a person remove them.
   */
  readonly overwritten = new Map<string, Overwritten & { plantId: string }>();
  /**
   * Ops that a person queued again, each as its device's name, a space and its seq. Their order is not checked: later ops
   * may have been executed.
   */
  readonly queuedAgain = new Set<string>();
  private readonly keys = new Set<string>();
  private readonly lastSeq = new Map<string, number>();
  private readonly maxAheadMs: number;

  /** `maxAheadMs`: how far ahead of the server's clock the times that devices send may be. */
  constructor(maxAheadMs: number) {
    this.maxAheadMs = maxAheadMs;
  }

  get count(): number {
    return this.keys.size;
  }

  /** Whether the account has no plants. Labels begin with the account's email address. */
  isEmpty(email: string): boolean {
    const own = [...this.plants.values()].filter(({ label }) => label.startsWith(email));
    return own.every(({ isDeleted }) => isDeleted);
  }

  plantOf(label: string): ExpectedPlant | undefined {
    return [...this.plants.values()].find((plant) => plant.label === label);
  }

  record(sent: SentOp, responseBody: unknown): void {
    if (this.isStoredPhoto(sent)) return;
    if (this.keys.has(sent.key)) this.report(sent, 'had its effect twice');
    this.keys.add(sent.key);
    const { type } = sent.op;
    const plant = type === 'create' ? this.create(sent, responseBody) : this.plantOfRequest(sent);
    if (!plant) {
      this.report(sent, 'changed a plant that nobody created');
      return;
    }
    this.checkOrder(sent, plant);
    if (type === 'update') this.update(sent, plant);
    if (type === 'water') this.water(sent, plant, responseBody);
    if (type === 'delete') plant.isDeleted = true;
    const isOfEntry = type === 'add_entry' || type === 'edit_entry' || type === 'remove_entry';
    const violation = isOfEntry ? plant.journal.record(sent, entryIn(responseBody)) : null;
    if (violation) this.report(sent, violation);
    const photoViolation = isPhotoOp(sent.op) ? plant.photos.record(sent) : null;
    if (photoViolation) this.report(sent, photoViolation);
  }

  report({ device, op, path }: Pick<SentOp, 'device' | 'op' | 'path'>, violation: string): void {
    this.violations.push(`${device}: ${op.type} #${op.seq} (${path}) ${violation}`);
  }

  /** Whether the request repeats an upload, which has no effect although its response is not marked as a replay. */
  private isStoredPhoto({ op, path }: SentOp): boolean {
    if (op.type !== 'add_photo') return false;
    const plant = this.plants.get(plantIdOfPhoto(path) ?? '');
    return plant?.photos.ids.has(photoIdIn(path)) ?? false;
  }

  private plantOfRequest({ op, path }: SentOp): ExpectedPlant | undefined {
    if (!isPhotoOp(op)) return this.plants.get(plantIdIn(path));
    const plantId = plantIdOfPhoto(path);
    if (plantId !== null) return this.plants.get(plantId);
    return [...this.plants.values()].find(
      // A plant that is restored gets the photos of the deleted one.
      ({ photos, isDeleted }) => !isDeleted && photos.added.has(photoIdIn(path)),
    );
  }

  private create(sent: SentOp, responseBody: unknown): ExpectedPlant {
    const fields: PlantFields = JSON.parse(sent.body ?? '{}');
    const label = fields.description ?? '';
    if (this.plantOf(label)) this.report(sent, `created ${label} twice`);
    const id = String((responseBody as { id: unknown }).id);
    const plant: ExpectedPlant = {
      id,
      label,
      fields,
      isDeleted: false,
      waterings: new Map(),
      wateringIds: new Set(),
      journal: new JournalLog(this.maxAheadMs),
      photos: new PhotoLog(),
    };
    this.plants.set(id, plant);
    return plant;
  }

  private update(sent: SentOp, plant: ExpectedPlant): void {
    const { op, device } = sent;
    // A field that was added after 0.1 is sent only if it was edited; otherwise the server keeps its value.
    const next: PlantFields = { ...plant.fields, ...JSON.parse(sent.body ?? '{}') };
    for (const name of plantFieldNames) {
      const isEdited = name in op.edits;
      if (isEdited && next[name] !== op.edits[name]) this.report(sent, `did not send its ${name}`);
      if (!isEdited && next[name] !== plant.fields[name]) {
        this.report(sent, `overwrote ${name}, which it did not edit`);
      }
    }
    for (const group of fieldGroups) {
      const names = group.filter((name) => name in op.edits);
      const [first] = names;
      const isChangedHere = names.some((name) => plant.fields[name] !== op.edits[name]);
      const isChangedElsewhere = names.some((name) => plant.fields[name] !== op.base[name]);
      if (first === undefined || !isChangedHere || !isChangedElsewhere) continue;
      const theirs = pick(names, plant.fields);
      this.overwritten.set(`${device}|${op.opId} ${first}`, {
        plantId: plant.id,
        mine: pick(names, next),
        theirs,
      });
    }
    plant.fields = next;
  }

  private water(sent: SentOp, plant: ExpectedPlant, responseBody: unknown): void {
    // A request has no time if the tap is in the future, or over 60 days ago, by the device's clock.
    const requested = new URLSearchParams(sent.path.split('?')[1]).get('watered_at');
    const moment = storedMoment(requested, entryIn(responseBody), this.maxAheadMs);
    if (moment === null) {
      this.report(sent, 'was stored with another time');
      return;
    }
    // If the server stores its own time, two waterings of a batch have the same moment. Two devices may water at the same
    // moment too.
    const isAsRequested = requested !== null && Date.parse(requested) === moment;
    const isRepeated = plant.waterings.get(moment) === sent.device;
    if (isAsRequested && isRepeated) this.report(sent, 'watered twice');
    plant.waterings.set(moment, sent.device);
    plant.wateringIds.add(sent.key);
    plant.journal.water(sent.key, moment);
  }

  /**
   * A device's ops of one plant are executed in the order in which they were made, except those that a person queued
   * again. Ops of a photo are ordered only among themselves.
   */
  private checkOrder(sent: SentOp, { label }: ExpectedPlant): void {
    if (this.queuedAgain.has(`${sent.device} ${sent.op.seq}`)) return;
    const queue = `${sent.device}|${label}|${sent.op.photo?.id ?? ''}`;
    const before = this.lastSeq.get(queue) ?? 0;
    if (sent.op.seq < before) this.report(sent, `was executed after #${before}`);
    this.lastSeq.set(queue, sent.op.seq);
  }
}

function entryIn(responseBody: unknown): StoredEntry | null {
  return (responseBody as { journal_entry: StoredEntry | null }).journal_entry;
}

function plantIdIn(path: string): string {
  return decodeURIComponent(path.split('?')[0]?.split('/')[3] ?? '');
}

function pick(names: FieldGroup, source: Partial<PlantFields>): Partial<PlantFields> {
  return Object.fromEntries(names.map((name) => [name, source[name]]));
}
