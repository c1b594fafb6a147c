import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { fieldNotes } from '../plants/field-notes.ts';
import { namedSchemas } from './schemas.ts';

/** A query's numbers come as text; what is meant is a number. */
const numberInText: Readonly<Record<string, JsonSchema>> = {
  digits: { type: 'integer' },
  decimal: { type: 'number' },
};

const config: ConversionConfig = {
  target: 'draft-2020-12',
  // Done to what was accepted already, or beyond JSON Schema and said in words.
  ignoreActions: ['trim', 'transform', 'check', 'raw_check'],
  overrideAction: ({ valibotAction }) => numberInText[valibotAction.type],
};

const names = new Map(Object.entries(namedSchemas).map(([name, schema]) => [schema, name]));

/** A reference to a named schema, or the schema itself. */
export function schemaOf(schema: v.GenericSchema): JsonSchema {
  const name = names.get(schema);
  return name === undefined ? jsonSchemaOf(schema) : { $ref: `#/components/schemas/${name}` };
}

/** What may be sent, in JSON Schema 2020-12. Throws at a rule that it can neither say nor may leave out. */
export function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema, ...converted } = toJsonSchema(schema, config);
  return tidied(converted);
}

function tidied(definition: JsonSchema): JsonSchema {
  const schema = withNullAsType(definition);
  const { items, properties } = schema;
  return {
    ...schema,
    ...(isSchema(items) && { items: tidied(items) }),
    ...(properties && tidiedFields({ ...schema, properties })),
  };
}

function tidiedFields({
  properties,
  required = [],
}: JsonSchema & Required<Pick<JsonSchema, 'properties'>>) {
  const fields = Object.entries(properties ?? {}).filter(hasSchema);
  const needed = fields.filter(([, field]) => refusesItsDefault(field)).map(([name]) => name);
  const all = [...required, ...needed];
  return {
    properties: Object.fromEntries(fields.map(([name, field]) => [name, noted(name, field)])),
    ...(all.length > 0 ? { required: all } : { required: undefined }),
  };
}

function noted(name: string, field: JsonSchema): JsonSchema {
  const { default: fallback, ...rest } = tidied(field);
  return {
    ...rest,
    ...(fallback !== undefined && !refusesItsDefault(field) && { default: fallback }),
    ...(fieldNotes[name] !== undefined && { description: fieldNotes[name] }),
  };
}

/** A fallback that is refused in its turn only words the refusal: such a field must be there. */
function refusesItsDefault({
  default: fallback,
  minLength = 0,
  exclusiveMinimum,
}: JsonSchema): boolean {
  if (typeof fallback === 'string') return fallback.length < minLength;
  return (
    typeof fallback === 'number' && exclusiveMinimum !== undefined && fallback <= exclusiveMinimum
  );
}

/** `anyOf` something or null, in half the words. */
function withNullAsType({ anyOf, ...rest }: JsonSchema): JsonSchema {
  if (anyOf === undefined) return rest;
  const [one, other] = anyOf;
  if (
    anyOf.length !== 2 ||
    !isSchema(one) ||
    !isSchema(other) ||
    other.type !== 'null' ||
    typeof one.type !== 'string'
  ) {
    return { ...rest, anyOf };
  }
  return {
    ...one,
    ...rest,
    type: [one.type, 'null'],
    ...(one.enum && { enum: [...one.enum, null] }),
  };
}

function hasSchema(entry: [string, unknown]): entry is [string, JsonSchema] {
  return isSchema(entry[1]);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
