import { mapFields, type PlantFieldName, type PlantFields } from './fields.ts';

const words: Readonly<Record<PlantFieldName, string>> = mapFields(({ spec }) => spec.words);

/** The names of the given fields as people know them, in the given order; both ends of a range share one name. */
export function fieldsInWords(fields: Partial<PlantFields>): string {
  const names = Object.keys(fields).map((name) => words[name as PlantFieldName] ?? name);
  return [...new Set(names)].join(', ');
}

const longest = 60;

/** The values of the given fields on one line, which is cut after 60 characters. An empty value becomes 'nothing'. */
export function valuesInWords(fields: Partial<PlantFields>): string {
  const line = Object.values(fields).map(inWords).join(' – ');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

function inWords(value: string | number | boolean | null): string {
  if (value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value);
}
