import { jsonSchemaOf, schemaOf } from './json-schema.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { answersOf, sharedAnswers } from './responses.ts';
import { namedSchemas, schemaNotes } from './schemas.ts';

const about = `Plants, their readings and their water. Times are ISO 8601 in UTC, amounts millilitres.

Refusals are answered as \`{code, message}\`, wrong input also with \`detail\`; fields that the server does not know are
ignored. A call with an Idempotency-Key takes effect once: sent again, it gets the first answer. A client may meet
fields and codes that are not listed here, and passes over them. Every GET also answers HEAD, but the link in a mail.`;

/** OpenAPI 3.1, made of the contract's own schemas. */
export function openapiDocument() {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sprig',
      version: '1',
      description: about,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: paths(),
    components: {
      securitySchemes: {
        person: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'What POST /auth/login answers as `access_token`',
        },
        device: {
          type: 'http',
          scheme: 'bearer',
          description: 'What POST /api/device-tokens answers as `token`',
        },
      },
      headers: answerHeaders,
      parameters: requestHeaders,
      responses: sharedAnswers(),
      schemas: Object.fromEntries(
        Object.entries(namedSchemas).map(([name, schema]) => [
          name,
          { ...jsonSchemaOf(schema), ...(schemaNotes[name] && { description: schemaNotes[name] }) },
        ]),
      ),
    },
  };
}

const text = { type: 'string' };

const answerHeaders = {
  ETag: { description: 'The version of what is answered', schema: text },
  'Idempotent-Replayed': {
    description: '`true` if an earlier call with this key had the effect',
    schema: { const: 'true' },
  },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
  Location: { description: 'Where to go on', schema: text },
};

const requestHeaders = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Any text that names this one call, such as a UUID; remembered for 90 days',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'Only if the plant still has this ETag; without it, whatever is there',
    schema: text,
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of the copy at hand: 304 if it is still right',
    schema: text,
  },
};

function paths() {
  const found: Record<string, Record<string, ReturnType<typeof described>>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    found[path] = { ...found[path], [operation.method]: described(operation) };
  }
  return found;
}

function described(operation: Operation) {
  const { id, tag, summary, description, body, example } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(body), example } },
      },
    }),
    responses: answersOf(operation),
  };
}

function securityOf({ caller }: Operation): object[] {
  if (caller === 'anybody') return [];
  return caller === 'person' ? [{ person: [] }] : [{ person: [] }, { device: [] }];
}

function parametersOf({ names, query, condition, isIdempotent }: Operation): object[] {
  const refer = (name: keyof typeof requestHeaders) => ({
    $ref: `#/components/parameters/${name}`,
  });
  return [
    ...(names
      ? [{ name: 'id', in: 'path', required: true, description: `The ${names}’s id`, schema: text }]
      : []),
    ...(query ? queryParameters(query) : []),
    ...(isIdempotent ? [refer('Idempotency-Key')] : []),
    ...(condition === 'if-match' ? [refer('If-Match')] : []),
    ...(condition === 'if-none-match' ? [refer('If-None-Match')] : []),
  ];
}

function queryParameters(query: NonNullable<Operation['query']>): object[] {
  return Object.entries(jsonSchemaOf(query).properties ?? {}).map(([name, field]) => {
    if (typeof field === 'boolean') throw new Error(`${name} has no schema`);
    const { description, ...schema } = field;
    return { name, in: 'query', ...(description && { description }), schema };
  });
}
