import { mapFields, type PlantFieldName, type PlantFields } from './fields.ts';

const words: Readonly<Record<PlantFieldName, string>> = mapFields(({ spec }) => spec.words);

/** The given fields in the words a person knows them by, in the order given; both ends of a range are one word. */
export function fieldsInWords(fields: Partial<PlantFields>): string {
  const names = Object.keys(fields).map((name) => words[name as PlantFieldName] ?? name);
  return [...new Set(names)].join(', ');
}

const longest = 60;

/** The values of the given fields on one line. An empty value reads 'nothing'; a long line is cut at 60 characters. */
export function valuesInWords(fields: Partial<PlantFields>): string {
  const line = Object.values(fields).map(inWords).join(' – ');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

function inWords(value: string | number | boolean | null): string {
  if (value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value);
}
