import { type PlantFields, plantFieldNames } from '#domain/plant/fields.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { plantRowOf } from '../ids.ts';
import type { DeviceDb } from '../schema.ts';
import type { NewOp } from './op.ts';

/** What a person may set of a plant, as a record has it. */
export function fieldsOfRecord(record: PlantRecord): Partial<PlantFields> {
  return Object.fromEntries(
    plantFieldNames.map((name) => [name, record[name] ?? null]),
  ) as Partial<PlantFields>;
}

/**
 * Gives an edit or a watering its whole plant as a base: should the server have lost the plant when it arrives, it can
 * be named and made anew. Within the caller's transaction on plants and idmap.
 */
export async function withLastKnown(db: DeviceDb, op: NewOp): Promise<NewOp> {
  if (op.type !== 'update' && op.type !== 'water') return op;
  const row = await plantRowOf(db, op.entity);
  return row ? { ...op, base: { ...fieldsOfRecord(row.record), ...op.base } } : op;
}
