import type { PlantRecord } from '#domain/plant/plant.ts';
import { nextWateringMoment } from '#domain/watering/schedule.ts';
import { screenIdLookup } from '../ids.ts';
import type { IdMapRow, PlantRow } from '../schema.ts';
import { isRejected, type Op } from './op.ts';

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
 * too, so that typed text is not lost; a rejected watering or delete is not, because it did not happen.
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
  const byKey = new Map<string, Op[]>();
  for (const op of [...ops].sort((a, b) => a.seq - b.seq)) {
    const key = keyOf(op.entity);
    byKey.set(key, [...(byKey.get(key) ?? []), op]);
  }
  return byKey;
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

/** Includes the edits, because merging another op changes them but not the op's seq. */
function opStamp({ seq, state, attempts, edits }: Op): string {
  return `${seq}:${state}:${attempts}:${JSON.stringify(edits)}`;
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
      return isRejected(op) ? record : watered(record, op.occurredAt);
    case 'delete':
      return record;
  }
}

function watered(record: PlantRecord, occurredAt: number): PlantRecord {
  const lastWatered = Date.parse(record.last_watered ?? '');
  if (lastWatered >= occurredAt) return record;
  return withNextDate({ ...record, last_watered: new Date(occurredAt).toISOString() });
}

/** Computes the next date as the server will; without a valid date the record is unchanged. */
function withNextDate(record: PlantRecord): PlantRecord {
  const { last_watered = null, date_added, watering_frequency } = record;
  if (!watering_frequency) return record;
  const due = nextWateringMoment({
    last_watered,
    date_added: date_added ?? '',
    watering_frequency,
  });
  if (Number.isNaN(due)) return record;
  return { ...record, next_watering_date: new Date(due).toISOString() };
}
