import { type PlantFields, plantFieldNames } from './plant.ts';

export const pairNames = [
  'ideal_temperature',
  'soil_humidity_threshold',
  'air_humidity_threshold',
  'temperature_threshold',
  'luminance_threshold',
] as const;

export type PairName = (typeof pairNames)[number];

export type FieldGroup = readonly (keyof PlantFields)[];

/** Fields that only make sense together: changing one is changing all. */
const inseparable: readonly FieldGroup[] = [
  ...pairNames.map((name) => [`${name}_min`, `${name}_max`] as const),
  ['device_id', 'auto_watering_enabled'],
];

/** Every field once, alone or with those that it cannot be told apart from. */
export const fieldGroups: readonly FieldGroup[] = [
  ...inseparable,
  ...plantFieldNames.filter((name) => !inseparable.flat().includes(name)).map((name) => [name]),
];
