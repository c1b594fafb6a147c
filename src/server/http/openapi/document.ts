import { jsonSchemaOf, namedSchemas, schemaNotes, schemaOf } from './json-schema.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { responsesOf, sharedResponses } from './responses.ts';

const about = `Plants, sensor readings and watering. Times are ISO 8601 in UTC, amounts are in millilitres.

Errors have the body \`{code, message}\`. If fields or parameters are invalid, \`detail\` lists them. Lengths of texts are counted in UTF-16 code units. Unknown request fields are ignored. Operations that list the header Idempotency-Key take effect once per key: if the request is repeated, the first response is sent again. Other operations ignore it.
Clients must ignore response fields and codes that are not listed here. Every GET also supports HEAD, except the live
stream and the two links that verify or confirm an email address.`;

/** The OpenAPI 3.1 document, generated from the contract's schemas and `operations`. */
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
          description: 'The `access_token` of POST /auth/login',
        },
        device: {
          type: 'http',
          scheme: 'bearer',
          description: 'The `token` of POST /api/device-tokens',
        },
      },
      headers: responseHeaders,
      parameters: requestHeaders,
      responses: sharedResponses(),
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

const responseHeaders = {
  ETag: { description: 'The version of the returned resource', schema: text },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored response of an earlier request with the same key',
    schema: { const: 'true' },
  },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
  IM: {
    description: '`sprig-delta`: the body is a delta, not the whole list',
    schema: { const: 'sprig-delta' },
  },
  'Delta-Base': { description: 'The ETag that the delta starts from', schema: text },
  Location: { description: 'The URL to redirect to', schema: text },
};

const requestHeaders = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A unique text for this request, such as a UUID. Stored for 90 days',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'Apply the change only if the plant still has the version in this ETag. Without the header it is always applied',
    schema: text,
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of a cached copy. The response is 304 if it is still current',
    schema: text,
  },
  'A-IM': {
    name: 'A-IM',
    in: 'header',
    description:
      '`sprig-delta`: respond with the changes since the ETag in If-None-Match, if they are known',
    schema: text,
  },
};

function paths() {
  const found: Record<string, Record<string, ReturnType<typeof describe>>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    found[path] = { ...found[path], [operation.method]: describe(operation) };
  }
  return found;
}

function describe(operation: Operation) {
  const { id, tag, summary, description, body, files, array, example } = operation;
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
        content: {
          'application/json': {
            schema: array ? { anyOf: [schemaOf(body), schemaOf(array.body)] } : schemaOf(body),
            example,
          },
        },
      },
    }),
    ...(files && { requestBody: formBody(files) }),
    responses: responsesOf(operation),
  };
}

function formBody(files: NonNullable<Operation['files']>) {
  const properties = Object.fromEntries(
    Object.entries(files).map(([name, note]) => [
      name,
      { type: 'string', contentMediaType: 'image/jpeg', description: note },
    ]),
  );
  const schema = { type: 'object', required: Object.keys(files), properties };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

function securityOf({ caller }: Operation): object[] {
  if (caller === 'anybody') return [];
  return caller === 'person' ? [{ person: [] }] : [{ person: [] }, { device: [] }];
}

function parametersOf({ path, names, query, condition, isIdempotent, delta }: Operation): object[] {
  const refer = (name: keyof typeof requestHeaders) => ({
    $ref: `#/components/parameters/${name}`,
  });
  return [
    ...pathParameters(path, names),
    ...(query ? queryParameters(query) : []),
    ...(isIdempotent ? [refer('Idempotency-Key')] : []),
    ...(condition === 'if-match' ? [refer('If-Match')] : []),
    ...(condition === 'if-none-match' ? [refer('If-None-Match')] : []),
    ...(delta ? [refer('A-IM')] : []),
  ];
}

function pathParameters(path: string, names = ''): object[] {
  const described: Record<string, string> = {
    id: `The id of the ${names.split(' or ')[0] ?? ''}`,
    entry: 'The id of the entry',
    secret: 'The secret part of the URL',
  };
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: described[name],
    schema: text,
  }));
}

function queryParameters(query: NonNullable<Operation['query']>): object[] {
  const { properties = {}, required = [] } = jsonSchemaOf(query);
  return Object.entries(properties).map(([name, field]) => {
    if (typeof field === 'boolean') throw new Error(`${name} has no schema`);
    const { description, ...schema } = field;
    const isRequired = required.includes(name);
    return {
      name,
      in: 'query',
      ...(isRequired && { required: true }),
      ...(description && { description }),
      schema,
    };
  });
}
