import type { Op, Overwritten } from '#client/store/outbox/op.ts';
import {
  type FieldGroup,
  fieldGroups,
  type PlantFields,
  wireFields,
} from '#domain/plant/fields.ts';
import { haveEqualFields, type PlantRecord } from '#domain/plant/plant.ts';

export interface MergeResult {
  /**
   * The payload to send: the fields of the current record, overwritten with the edits. A field that was added after 0.1
   * is left out unless it was edited, so that the server keeps its value.
   */
  payload: PlantFields;
  /** Changes from elsewhere that this edit overwrites. */
  overwritten: Overwritten[];
  /** Whether the current record already contains every edit. */
  isUpToDate: boolean;
}

/**
 * Applies an edit to the record that the server has now. Other fields are unchanged; a field changed on both sides gets
 * this device's value and is reported as overwritten. The fields of a group count as one, so that e.g. two valid ranges
 * never merge into one whose minimum exceeds its maximum. Pure.
 */
export function merge(
  current: PlantRecord,
  { edits, base }: Pick<Op, 'edits' | 'base'>,
): MergeResult {
  const edited = fieldGroups
    .map((group) => group.filter((name) => name in edits))
    .filter((group) => group.length > 0);
  const differing = edited.filter((group) => !haveEqualFields(group, current, edits));
  const overwritten = differing
    .filter((group) =>
      group.some((name) => name in base && !haveEqualFields([name], current, base)),
    )
    .map((group) => ({ mine: pick(group, edits), theirs: pick(group, current) }));
  return {
    payload: payloadOf({ ...pick(originalFields, current), ...edits }),
    overwritten,
    isUpToDate: differing.length === 0,
  };
}

/** The fields of version 0.1, which every version sends. */
const originalFields = wireFields
  .filter(({ spec }) => spec.since === undefined)
  .map(({ name }) => name);

/**
 * Picks the payload's fields from a record with any other fields. A field that was added after 0.1 is left out if the
 * record lacks it, so that the server keeps its value.
 */
export function payloadOf(source: Partial<PlantRecord>): PlantFields {
  const names = wireFields
    .filter(({ name, spec }) => name in source || spec.since === undefined)
    .map(({ name }) => name);
  return pick(names, source) as PlantFields;
}

function pick(group: FieldGroup, source: Partial<PlantRecord>): Partial<PlantFields> {
  return Object.fromEntries(group.map((name) => [name, source[name] ?? null]));
}
