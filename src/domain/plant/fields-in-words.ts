import { exactText, plural } from '../text.ts';
import { mapFields, type NamedField, type PlantFieldName, type PlantFields } from './fields.ts';
import { fertilizerLabels, sunlightLabels } from './options.ts';

const named: Readonly<Record<PlantFieldName, NamedField>> = mapFields((field) => field);

/** The names of the given fields as people know them, in the given order; both ends of a range share one name. */
export function fieldsInWords(fields: Partial<PlantFields>): string {
  const names = Object.keys(fields).map(
    (name) => named[name as PlantFieldName]?.spec.words ?? name,
  );
  return [...new Set(names)].join(', ');
}

const longest = 60;

/**
 * The values of the given fields on one line, which is cut after 60 characters. An empty value becomes 'nothing'. Null
 * for a picture, whose value is an id.
 */
export function valuesInWords(fields: Partial<PlantFields>): string | null {
  if ('photo_id' in fields) return null;
  const line = Object.entries(fields).map(inWords).join(' – ');
  // Not the code units of the string, because an emoji consists of two.
  const characters = [...line];
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : line;
}

/** Of the choices that screens show by a label. */
const labels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sunlight_requirements: sunlightLabels,
  fertilizer_schedule: fertilizerLabels,
};

function inWords([name, value]: [name: string, value: string | number | boolean | null]): string {
  if (value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return numberInWords(name, value);
  return labels[name]?.[value] ?? value;
}

/** '3 days' or '30 °C'. The lower end of a range has no unit, because the upper end follows it: '15 – 30 °C'. */
function numberInWords(name: string, value: number): string {
  const { spec, end } = named[name as PlantFieldName] ?? {};
  const unit = spec && 'unit' in spec && end !== 'min' ? spec.unit : undefined;
  if (unit === 'days') return plural(value, 'day');
  return unit ? `${exactText(value)} ${unit}` : exactText(value);
}
