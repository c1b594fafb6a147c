import type { Op, Overwritten } from '#client/store/outbox/op.ts';
import {
  type FieldGroup,
  fieldGroups,
  type PlantFields,
  plantFieldNames,
} from '#domain/plant/fields.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';

export interface Merged {
  /** What to send: the fresh record's own fields, with the edited ones laid over. */
  payload: PlantFields;
  /** What others wrote meanwhile and this edit replaces. */
  overwritten: Overwritten[];
  /** The fresh record already holds every edit. */
  isThere: boolean;
}

/**
 * Lays an edit over the record as the server has it now. What was not edited stays as it is; what was changed on both
 * sides gets this device's value and is reported as overwritten. The two bounds of a range count as one field, so that
 * two valid ranges never merge into a crossed one. Pure.
 */
export function merge(fresh: PlantRecord, { edits, base }: Pick<Op, 'edits' | 'base'>): Merged {
  const edited = fieldGroups
    .map((group) => group.filter((name) => name in edits))
    .filter((group) => group.length > 0);
  const differing = edited.filter((group) => differs(group, fresh, edits));
  const overwritten = differing
    .filter((group) => group.some((name) => name in base && differs([name], fresh, base)))
    .map((group) => ({ mine: pick(group, edits), theirs: pick(group, fresh) }));
  return {
    payload: payloadOf({ ...fresh, ...edits }),
    overwritten,
    isThere: differing.length === 0,
  };
}

/** Exactly the payload's fields of whatever carries them. */
export function payloadOf(source: Partial<PlantRecord>): PlantFields {
  return pick(plantFieldNames, source) as PlantFields;
}

/** Whether two records have the same of all that a person may set. */
export function sameFields(a: Partial<PlantRecord>, b: Partial<PlantRecord>): boolean {
  return !differs(plantFieldNames, a, b);
}

/** A field that is missing is blank. */
function differs(group: FieldGroup, a: Partial<PlantRecord>, b: Partial<PlantRecord>): boolean {
  return group.some((name) => (a[name] ?? null) !== (b[name] ?? null));
}

function pick(group: FieldGroup, source: Partial<PlantRecord>): Partial<PlantFields> {
  return Object.fromEntries(group.map((name) => [name, source[name] ?? null]));
}
