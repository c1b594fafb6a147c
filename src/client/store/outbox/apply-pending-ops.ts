import { groupBy } from '#domain/group-by.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { screenIdLookup } from '../ids.ts';
import type { IdMapRow, PlantRow } from '../schema.ts';
import { isRejected, type Op } from './op.ts';
import { withEntryChange, withNextDate, withWatering } from './plant-dates.ts';

/** A plant with the changes that the server has not confirmed yet. */
export interface PlantWithPending {
  /** The id that screens use: the local id for a plant made on this device, else the server's. */
  key: string;
  record: PlantRecord;
  /** Changes whenever anything that screens show of the plant changes; components are memoised by it. */
  stamp: string;
  /** Its waiting ops, oldest first. */
  waiting: Op[];
  /** Its rejected ops, oldest first. */
  rejected: Op[];
}

/**
 * The view that every screen reads: server rows with the pending ops applied. A rejected create or update is applied
 * too, so that typed text is not lost. Other rejected ops are not applied, because the server does not have their
 * effect.
 */
export function applyPendingOps(
  rows: readonly PlantRow[],
  ops: readonly Op[],
  idmap: readonly IdMapRow[],
): PlantWithPending[] {
  const keyOf = screenIdLookup(idmap);
  const opsByKey = groupByKey(ops, keyOf);
  const known = rows.map((row) => {
    const key = keyOf(row.id);
    return applyToPlant(key, row.record, `r${row.rev}`, opsByKey.get(key) ?? []);
  });
  const keys = new Set(known.map((plant) => plant?.key));
  const created = [...opsByKey]
    .filter(([key, plantOps]) => !keys.has(key) && plantOps[0]?.type === 'create')
    .map(([key, plantOps]) => applyToPlant(key, { id: key }, 'new', plantOps));
  return [...known, ...created].filter((plant) => plant !== null);
}

/** The ops of each plant, oldest first, by the id that screens use. */
export function groupByKey(
  ops: readonly Op[],
  keyOf: (id: string) => string,
): ReadonlyMap<string, Op[]> {
  const oldestFirst = [...ops].sort((a, b) => a.seq - b.seq);
  return groupBy(oldestFirst, ({ entity }) => keyOf(entity));
}

function applyToPlant(
  key: string,
  record: PlantRecord,
  rowStamp: string,
  ops: readonly Op[],
): PlantWithPending | null {
  const rejected = ops.filter(isRejected);
  const waiting = ops.filter((op) => !isRejected(op));
  if (waiting.some((op) => op.type === 'delete')) return null;
  const opsStamp = ops.map(opStamp).join(',');
  return {
    key,
    record: ops.reduce(applyOp, record),
    stamp: `${rowStamp}|${opsStamp}`,
    waiting,
    rejected,
  };
}

/** Includes the entry or the edits, because coalescing another op changes them but not the op's seq. */
function opStamp({ seq, type, state, attempts, edits, entry }: Op): string {
  const content = entry ? JSON.stringify([type, entry]) : JSON.stringify(edits);
  return `${seq}:${state}:${attempts}:${content}`;
}

function applyOp(record: PlantRecord, op: Op): PlantRecord {
  switch (op.type) {
    case 'create':
      return withNextDate({
        date_added: new Date(op.occurredAt).toISOString(),
        ...op.edits,
        id: record.id,
      });
    case 'update':
      return 'watering_frequency' in op.edits
        ? withNextDate({ ...record, ...op.edits })
        : { ...record, ...op.edits };
    case 'water':
      return isRejected(op) ? record : withWatering(record, op.occurredAt);
    case 'add_entry':
    case 'edit_entry':
    case 'remove_entry':
      return isRejected(op) ? record : withEntryChange(record, op);
    case 'delete':
    case 'add_photo':
    case 'remove_photo':
      return record;
  }
}
