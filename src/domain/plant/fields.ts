import type { FieldSpec } from './field-spec.ts';
import { categories, fertilizers, sunlights } from './options.ts';

/**
 * Every field that a person sets on a plant, under its name on the wire; a range has one entry for its two names.
 * Types, schemas, form defaults and rules, API descriptions and the column names of queries are derived from this
 * table. src/README.md has the recipe for adding a field.
 */
export const plantFields = {
  nickname: {
    type: 'name',
    step: 'basics',
    words: 'nickname',
    missing: 'Nickname is required',
    note: 'What the person calls the plant',
  },
  plant_name: {
    type: 'name',
    step: 'basics',
    words: 'plant name',
    missing: 'Plant name is required',
    note: 'The common name',
  },
  category: {
    type: 'choice',
    step: 'basics',
    words: 'category',
    choices: categories,
    default: 'Indoor',
  },
  species: { type: 'name', step: 'basics', words: 'species', missing: 'Species is required' },
  location: { type: 'text', step: 'basics', words: 'location', maxLength: 500 },
  description: { type: 'text', step: 'basics', words: 'description', maxLength: 20_000 },
  watering_frequency: {
    type: 'number',
    step: 'care',
    words: 'watering frequency',
    required: 'Must be a positive number',
    limits: { above: 0, max: 3650 },
    input: { min: 1 },
    formDefault: 3,
    viewDefault: 7,
    unit: 'days',
    note: 'Days between waterings',
  },
  sunlight_requirements: {
    type: 'choice',
    step: 'care',
    words: 'sunlight',
    choices: sunlights,
    default: 'Medium',
  },
  fertilizer_schedule: {
    type: 'choice',
    step: 'care',
    words: 'fertilizer',
    choices: fertilizers,
    default: 'Monthly',
  },
  ideal_temperature: {
    type: 'range',
    step: 'care',
    words: 'ideal temperature',
    limits: { min: -100, max: 100 },
    formDefault: { min: 18, max: 25 },
    viewDefault: { min: 18, max: 30 },
    unit: '°C',
  },
  soil_humidity_threshold: {
    type: 'range',
    step: 'care',
    words: 'soil humidity',
    limits: { min: 0, max: 100 },
    inputs: { min: { min: 0, max: 100 }, max: { min: 0, max: 100 } },
    formDefault: { min: 30, max: 70 },
    viewDefault: { min: 30, max: 70 },
    unit: '%',
    notes: { min: 'below it the plant is too dry', max: 'above it the plant is too wet' },
  },
  air_humidity_threshold: {
    type: 'range',
    step: 'care',
    words: 'air humidity',
    limits: { min: 0, max: 100 },
    inputs: { min: { min: 0, max: 100 }, max: { min: 0, max: 100 } },
    formDefault: { min: 40, max: 60 },
    viewDefault: { min: 40, max: 80 },
    unit: '%',
  },
  temperature_threshold: {
    type: 'range',
    step: 'care',
    words: 'temperature limits',
    limits: { min: -100, max: 100 },
    formDefault: { min: 15, max: 30 },
    viewDefault: { min: 18, max: 30 },
    unit: '°C',
  },
  luminance_threshold: {
    type: 'range',
    step: 'care',
    words: 'light',
    limits: { min: 0, max: 1_000_000 },
    inputs: { min: { min: 0 } },
    formDefault: { min: 1000, max: 10_000 },
    viewDefault: { min: 1000, max: 15_000 },
    unit: 'lux',
  },
  device_id: {
    type: 'text',
    step: 'smart',
    words: 'device',
    maxLength: 200,
    isId: true,
    note: 'The sensor device, by the name it gives itself',
  },
  auto_watering_enabled: {
    type: 'flag',
    step: 'smart',
    words: 'automatic watering',
    default: false,
    note: 'Let the device water when the soil is too dry; needs a `device_id`',
  },
  photo_id: {
    type: 'text',
    step: null,
    words: 'picture',
    maxLength: 200,
    isId: true,
    since: '0.2',
    note: 'The photo that is shown as its picture; null: a picture of its species. If the photo was deleted, null is stored',
  },
  reminder_enabled: {
    type: 'flag',
    step: null,
    words: 'reminders',
    default: true,
    since: '0.2',
    note: 'Whether the person is reminded of the plant',
  },
  reminder_days_before: {
    type: 'number',
    step: null,
    words: 'reminder (days before)',
    limits: { min: 0, max: 30 },
    formDefault: 0,
    nullMeans: 0,
    unit: 'days',
    since: '0.2',
    note: 'How many days before it is due the reminder comes',
  },
} as const satisfies Record<string, FieldSpec>;

type Table = typeof plantFields;
type NamesOf<Type extends FieldSpec['type']> = {
  [Name in keyof Table]: Table[Name]['type'] extends Type ? Name : never;
}[keyof Table];

export type RangeFieldName = NamesOf<'range'>;
export type NumberName = NamesOf<'number'> | `${RangeFieldName}_${'min' | 'max'}`;
export type PlantFieldName = Exclude<keyof Table, RangeFieldName> | NumberName;

type FieldValues = {
  [Name in PlantFieldName]: Name extends keyof Table ? ValueOf<Table[Name]> : number | null;
};

type SpecOf<Name> = Name extends keyof Table
  ? Table[Name]
  : Name extends `${infer Range extends RangeFieldName}_${'min' | 'max'}`
    ? Table[Range]
    : never;

type LaterName = {
  [Name in PlantFieldName]: SpecOf<Name> extends { since: string } ? Name : never;
}[PlantFieldName];

/**
 * What a person may set on a plant, under the names on the wire (spec section 3, payload). A field that was added after
 * 0.1 may be absent: a new plant then gets its default, and an existing one keeps its value.
 */
export type PlantFields = Omit<FieldValues, LaterName> & Partial<Pick<FieldValues, LaterName>>;

type ValueOf<Spec> = Spec extends { type: 'flag' }
  ? boolean
  : Spec extends { type: 'number'; required: string } | { type: 'number'; nullMeans: number }
    ? number
    : Spec extends { type: 'number' }
      ? number | null
      : Spec extends { type: 'text' }
        ? string | null
        : string;

/** A name on the wire, its entry in the table, and for a range whether it is the minimum or the maximum. */
export interface NamedField {
  name: PlantFieldName;
  spec: FieldSpec;
  end: 'min' | 'max' | null;
}

/** Every field under its name on the wire, in the order of the table. */
export const wireFields: readonly NamedField[] = (
  Object.keys(plantFields) as (keyof Table)[]
).flatMap((name): NamedField[] => {
  const spec = plantFields[name];
  return spec.type === 'range'
    ? (['min', 'max'] as const).map((end) => ({
        name: `${name}_${end}` as PlantFieldName,
        spec,
        end,
      }))
    : [{ name: name as PlantFieldName, spec, end: null }];
});

export const plantFieldNames: readonly PlantFieldName[] = wireFields.map(({ name }) => name);

export const rangeFieldNames = (Object.keys(plantFields) as (keyof Table)[]).filter(
  (name): name is RangeFieldName => plantFields[name].type === 'range',
);

/** Builds an object with one value per name on the wire. */
export function mapFields<T>(build: (field: NamedField) => T): Record<PlantFieldName, T> {
  const entries = wireFields.map((field) => [field.name, build(field)] as const);
  return Object.fromEntries(entries) as Record<PlantFieldName, T>;
}

export type FieldGroup = readonly PlantFieldName[];

const inseparable: readonly FieldGroup[] = [
  ...rangeFieldNames.map((name) => [`${name}_min`, `${name}_max`] as const),
  ['device_id', 'auto_watering_enabled'],
];

/**
 * Groups of fields that are edited together and conflict together: both ends of a range, and `device_id` with
 * `auto_watering_enabled`. Every other field is a group of its own.
 */
export const fieldGroups: readonly FieldGroup[] = [
  ...inseparable,
  ...plantFieldNames.filter((name) => !inseparable.flat().includes(name)).map((name) => [name]),
];
