import type { PlantFields } from '#domain/plant/fields.ts';
import { unnamedPlant } from '#domain/plant/plant.ts';
import { screenIdLookup } from '../ids.ts';
import { sharedLiveStore } from '../live-store.ts';
import type { ConflictRow, DeviceDb, IdMapRow, PlantRow } from '../schema.ts';
import { groupByKey } from './apply-pending-ops.ts';
import { isBlocked } from './blocking.ts';
import { isNotFound, type Op, type OpEntry, type OpPhoto, type OpType } from './op.ts';

/** A change that the server has not confirmed or has rejected, as the list of changes shows it. */
export interface Change {
  opId: string;
  type: OpType;
  /** The plant's id on the screens. */
  plantKey: string;
  nickname: string;
  /** update: what was edited. */
  edits: Partial<PlantFields>;
  /** add_entry, edit_entry, remove_entry: the entry; otherwise null. */
  entry: OpEntry | null;
  /** add_photo, remove_photo: the photo; otherwise null. */
  photo: OpPhoto | null;
  /** When the person made the change (device's clock, ms). */
  occurredAt: number;
  /**
   * waiting: it will be sent · rejected: the server rejected it · gone: rejected because the server no longer has the
   * plant · entry-gone: rejected because the server no longer has the edited entry.
   */
  state: 'waiting' | 'rejected' | 'gone' | 'entry-gone';
  /** What a waiting change waits for: its turn, the response, the next attempt, or an earlier change of its plant. */
  waitsFor: 'turn' | 'response' | 'retry' | 'plant';
  /** The message of its last error. */
  message: string | null;
  /** The person has dismissed its notice. */
  isDismissed: boolean;
  /** create: how many later changes of the plant would be discarded with it. */
  dependents: number;
}

/** A field (or both ends of a range) that was changed both here and elsewhere; this device's value won. */
export interface Conflict extends Omit<ConflictRow, 'entity'> {
  plantKey: string;
  nickname: string;
}

export interface ChangeList {
  /** In the order in which they were made. */
  changes: Change[];
  /** Newest first. */
  conflicts: Conflict[];
}

/** All pending changes and conflicts, live. */
export const watchChanges = sharedLiveStore(readChanges);

export function readChanges(db: DeviceDb): Promise<ChangeList> {
  return db.transaction('r', db.plants, db.outbox, db.idmap, db.conflicts, async () => {
    const [ops, conflicts, idmap] = await Promise.all([
      db.outbox.orderBy('seq').toArray(),
      db.conflicts.orderBy('at').reverse().toArray(),
      db.idmap.toArray(),
    ]);
    return listChanges(ops, conflicts, idmap, await db.plants.toArray());
  });
}

function listChanges(
  ops: readonly Op[],
  conflicts: readonly ConflictRow[],
  idmap: readonly IdMapRow[],
  rows: readonly PlantRow[],
): ChangeList {
  const keyOf = screenIdLookup(idmap);
  const rowOf = new Map(rows.map((row) => [keyOf(row.id), row]));
  const opsOf = groupByKey(ops, keyOf);
  const plantOf = (entity: string) => {
    const plantKey = keyOf(entity);
    const plantOps = opsOf.get(plantKey) ?? [];
    const row = rowOf.get(plantKey);
    return { plantKey, plantOps, row, nickname: nicknameOf(row, plantOps) };
  };
  return {
    changes: ops.map((op) => {
      const { plantKey, plantOps, row, nickname } = plantOf(op.entity);
      return { ...describeOp(op, plantOps, row !== undefined), plantKey, nickname };
    }),
    conflicts: conflicts.map(({ entity, ...conflict }) => {
      const { plantKey, nickname } = plantOf(entity);
      return { ...conflict, plantKey, nickname };
    }),
  };
}

function describeOp(op: Op, plantOps: readonly Op[], isKnown: boolean) {
  const { opId, type, edits, entry = null, photo = null, occurredAt, isNoticed, lastError } = op;
  const hasCreate = plantOps.some((one) => one.type === 'create');
  return {
    opId,
    type,
    edits,
    entry,
    photo,
    occurredAt,
    isDismissed: isNoticed,
    state: stateOf(op, isKnown || hasCreate),
    waitsFor: waitsFor(op, plantOps),
    message: lastError?.message ?? null,
    dependents: type === 'create' ? plantOps.filter((one) => one.seq > op.seq).length : 0,
  };
}

function stateOf(op: Op, hasPlant: boolean): Change['state'] {
  if (op.state !== 'rejected') return 'waiting';
  if (!isAboutPlant(op)) return 'rejected';
  if (!hasPlant) return 'gone';
  if (!isNotFound(op)) return 'rejected';
  return op.type === 'edit_entry' ? 'entry-gone' : 'gone';
}

/** Whether the op changes an existing plant: any type except create and delete. */
function isAboutPlant({ type }: Op): boolean {
  return type !== 'create' && type !== 'delete';
}

function waitsFor(op: Op, plantOps: readonly Op[]): Change['waitsFor'] {
  if (isBlocked(op, plantOps)) return 'plant';
  if (op.state === 'inflight') return 'response';
  return op.attempts > 0 ? 'retry' : 'turn';
}

/** The name last set on this device, else the server's, else the last known name of a deleted plant. */
function nicknameOf(row: PlantRow | undefined, ops: readonly Op[]): string {
  const edited = ops.map(({ edits }) => edits.nickname).filter(Boolean);
  const known = ops.map(({ base }) => base.nickname).filter(Boolean);
  return edited.at(-1) || row?.record.nickname || known.at(-1) || unnamedPlant;
}
