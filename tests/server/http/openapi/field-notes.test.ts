import { expect, test } from 'vitest';
import { openapiDocument } from '#server/http/openapi/document.ts';
import { fieldNotes } from '#server/http/openapi/field-notes.ts';

const fields = fieldsIn(openapiDocument());

/** The fields of all objects that a schema describes. */
function fieldsIn(schema: unknown): [name: string, field: { description?: string }][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const properties = 'properties' in schema ? Object.entries(schema.properties ?? {}) : [];
  return [...properties, ...Object.values(schema).flatMap(fieldsIn)];
}

test('each field with a note has it as its description, also in records and arrays', () => {
  const noted = fields.filter(([name]) => name in fieldNotes);
  expect(noted.length).toBeGreaterThan(200);
  const other = noted.filter(([name, { description }]) => description !== fieldNotes[name]);
  expect(other).toEqual([]);
});

/** Fields whose name and type say everything, or that their schema describes. */
const withoutNote =
  `age auth body category changed channel channels description entries fertilizer_schedule full headers
  id if_match journals key keys location mail mail_enabled max mean method min new_password note ntfy ntfy_enabled
  openapi operations p256dh password path photos push push_enabled readings removed results small species start status
  step_seconds sunlight_requirements type url version waterings`.split(/\s+/);

test('every field has a note, except those that need none', () => {
  const names = new Set(fields.map(([name]) => name));
  const unexplained = [...names].filter((name) => !(name in fieldNotes)).sort();
  expect(unexplained, 'describe new fields in field-notes.ts').toEqual(withoutNote);
});
