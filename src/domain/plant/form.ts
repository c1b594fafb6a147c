import {
  fieldGroups,
  mapFields,
  type NamedField,
  type NumberName,
  type PlantFieldName,
  type PlantFields,
  plantFieldNames,
  type plantFields,
} from './fields.ts';
import type { PlantRecord } from './plant.ts';

/** The values of all inputs of the form. An empty text is '', an empty number null. */
export type PlantFormValues = {
  [Name in PlantFieldName]: Name extends NumberName
    ? number | null
    : Name extends keyof typeof plantFields
      ? (typeof plantFields)[Name]['type'] extends 'flag'
        ? boolean
        : string
      : never;
};

/** What the add form starts with, and what the edit form shows for an empty field (spec section 5, Form defaults). */
export const formDefaults = mapFields(formDefaultOf) as PlantFormValues;

function formDefaultOf({ spec, end }: NamedField): string | number | boolean | null {
  switch (spec.type) {
    case 'choice':
      return spec.default;
    case 'number':
      return spec.formDefault;
    case 'range':
      return spec.formDefault[end ?? 'min'];
    case 'flag':
      return spec.default;
    default:
      return '';
  }
}

/** The form values for a raw record. A missing or empty value becomes its default; 0 stays 0. */
export function formValuesOf(record: Partial<PlantRecord>): PlantFormValues {
  const filled = plantFieldNames.map((name) => {
    const value = record[name];
    const isEmpty = value === undefined || value === null || value === '';
    return [name, isEmpty ? formDefaults[name] : value];
  });
  return Object.fromEntries(filled) as PlantFormValues;
}

/** Converts form values to the fields on the wire: texts are trimmed, an empty optional text becomes null. */
export function fieldsOf(values: PlantFormValues): PlantFields {
  return mapFields(({ name, spec }) => {
    const value = values[name];
    if (typeof value === 'string' && spec.type === 'name') return value.trim();
    if (typeof value === 'string' && spec.type === 'text') return value.trim() || null;
    // The form does not submit an empty required number; if it did, the server would reject 0.
    if (value === null && spec.type === 'number' && spec.required) return 0;
    return value;
  }) as PlantFields;
}

export interface PlantEdit {
  edits: Partial<PlantFields>;
  /** The values that the edited fields have in the record. */
  base: Partial<PlantFields>;
}

/**
 * What a person changed in a raw record. A default that was displayed for an empty field is not a change, except the
 * range of soil humidity if automatic watering is on: it waters only with a stored minimum. The fields of a group change
 * together.
 */
export function plantEdit(record: PlantRecord, values: PlantFormValues): PlantEdit {
  const before = fieldsOf(formValuesOf(record));
  const after = fieldsOf(values);
  const changed = new Set(plantFieldNames.filter((name) => before[name] !== after[name]));
  const hasMinimum = typeof record.soil_humidity_threshold_min === 'number';
  if (after.auto_watering_enabled && !hasMinimum) changed.add('soil_humidity_threshold_min');
  for (const group of fieldGroups) {
    if (group.some((name) => changed.has(name))) for (const name of group) changed.add(name);
  }
  const names = plantFieldNames.filter((name) => changed.has(name));
  const pick = (source: Partial<PlantRecord>) =>
    Object.fromEntries(names.map((name) => [name, source[name] ?? null])) as Partial<PlantFields>;
  return { edits: pick(after), base: pick(record) };
}
