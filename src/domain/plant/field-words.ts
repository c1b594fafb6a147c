import type { PlantFields } from './plant.ts';

type FieldName = keyof PlantFields;

/** What a person reads of a field; both ends of a range are one thing to them, and so is a device. */
const words: Record<FieldName, string> = {
  nickname: 'nickname',
  plant_name: 'plant name',
  category: 'category',
  species: 'species',
  location: 'location',
  description: 'description',
  watering_frequency: 'watering frequency',
  sunlight_requirements: 'sunlight',
  fertilizer_schedule: 'fertilizer',
  ideal_temperature_min: 'ideal temperature',
  ideal_temperature_max: 'ideal temperature',
  soil_humidity_threshold_min: 'soil humidity',
  soil_humidity_threshold_max: 'soil humidity',
  air_humidity_threshold_min: 'air humidity',
  air_humidity_threshold_max: 'air humidity',
  temperature_threshold_min: 'temperature limits',
  temperature_threshold_max: 'temperature limits',
  luminance_threshold_min: 'light',
  luminance_threshold_max: 'light',
  device_id: 'device',
  auto_watering_enabled: 'automatic watering',
};

/** The names of the given fields as a person knows them, each once, in the order given. */
export function fieldsInWords(fields: Partial<PlantFields>): string {
  const names = Object.keys(fields).map((name) => words[name as FieldName] ?? name);
  return [...new Set(names)].join(', ');
}

const longest = 60;

/** The values of the given fields on one line; a blank is said, a long text cut. */
export function valuesInWords(fields: Partial<PlantFields>): string {
  const line = Object.values(fields).map(inWords).join(' – ');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

function inWords(value: string | number | boolean | null): string {
  if (value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value);
}
