import { fieldGroups, type PairName } from './field-groups.ts';
import { type PlantFields, type PlantRecord, plantFieldNames } from './plant.ts';

export type PairEnd = `${PairName}_${'min' | 'max'}`;
export type NumberName = PairEnd | 'watering_frequency';

/** The wizard's inputs, all of them: an emptied text is '', an emptied number null. */
export type PlantFormValues = {
  [K in keyof PlantFields]-?: K extends NumberName
    ? number | null
    : K extends 'auto_watering_enabled'
      ? boolean
      : string;
};

/** What the add form starts with, and what the edit form shows for a blank (spec section 5, Form defaults). */
export const formDefaults: PlantFormValues = {
  nickname: '',
  plant_name: '',
  category: 'Indoor',
  species: '',
  location: '',
  description: '',
  watering_frequency: 3,
  sunlight_requirements: 'Medium',
  fertilizer_schedule: 'Monthly',
  ideal_temperature_min: 18,
  ideal_temperature_max: 25,
  soil_humidity_threshold_min: 30,
  soil_humidity_threshold_max: 70,
  air_humidity_threshold_min: 40,
  air_humidity_threshold_max: 60,
  temperature_threshold_min: 15,
  temperature_threshold_max: 30,
  luminance_threshold_min: 1000,
  luminance_threshold_max: 10_000,
  device_id: '',
  auto_watering_enabled: false,
};

/** The inputs for a raw record. A blank gets its default; a real 0 stays 0. */
export function formValuesOf(record: Partial<PlantRecord>): PlantFormValues {
  const filled = plantFieldNames.map((name) => {
    const value = record[name];
    const isBlank = value === undefined || value === null || value === '';
    return [name, isBlank ? formDefaults[name] : value];
  });
  return Object.fromEntries(filled) as PlantFormValues;
}

/** What the inputs mean on the wire: names trimmed, what may be missing null instead of empty. */
export function fieldsOf(values: PlantFormValues): PlantFields {
  return {
    ...values,
    nickname: values.nickname.trim(),
    plant_name: values.plant_name.trim(),
    species: values.species.trim(),
    location: values.location.trim() || null,
    description: values.description.trim() || null,
    watering_frequency: values.watering_frequency ?? 0,
    device_id: values.device_id.trim() || null,
  };
}

export interface PlantEdit {
  edits: Partial<PlantFields>;
  /** The edited fields as the record had them. */
  base: Partial<PlantFields>;
}

/**
 * What a person changed of a raw record. A default that was shown for a blank is no change; a pair of ends, and a
 * device with its automatic watering, change as one.
 */
export function plantEdit(record: PlantRecord, values: PlantFormValues): PlantEdit {
  const before = fieldsOf(formValuesOf(record));
  const after = fieldsOf(values);
  const changed = new Set(plantFieldNames.filter((name) => before[name] !== after[name]));
  for (const group of fieldGroups) {
    if (group.some((name) => changed.has(name))) for (const name of group) changed.add(name);
  }
  const names = plantFieldNames.filter((name) => changed.has(name));
  const pick = (source: Partial<PlantRecord>) =>
    Object.fromEntries(names.map((name) => [name, source[name] ?? null])) as Partial<PlantFields>;
  return { edits: pick(after), base: pick(record) };
}
