import { type ErrorCode, errorBodySchema } from '#contract/errors.ts';
import { plantRecordSchema } from '#contract/plants.ts';
import { invalidInput } from '../api-error.ts';
import { schemaOf } from './json-schema.ts';
import type { Operation, Success } from './operation.ts';

interface ErrorResponse {
  status: number;
  codes: readonly ErrorCode[];
  description: string;
  /** Sends Retry-After with the seconds to wait. */
  header?: 'Retry-After';
}

/** Error responses that are the same for several operations. */
const sharedErrors = {
  Malformed: { status: 400, codes: ['invalid'], description: 'The URL or the JSON is malformed' },
  Unauthorized: {
    status: 401,
    codes: ['unauthorized'],
    description: 'Missing, invalid or expired token',
  },
  Forbidden: {
    status: 403,
    codes: ['forbidden'],
    description: 'A device token can only post the readings of its device',
  },
  TooLarge: {
    status: 413,
    codes: ['body_too_large'],
    description: 'The body is larger than 64 KiB',
  },
  NotJson: { status: 415, codes: ['invalid'], description: 'The body is not JSON' },
  Invalid: { status: 422, codes: ['invalid'], description: 'The input is not valid' },
  InvalidOrKeyReused: {
    status: 422,
    codes: ['invalid', 'idempotency_mismatch'],
    description: 'The input is not valid, or the Idempotency-Key was used for another request',
  },
  TooMany: {
    status: 429,
    codes: ['too_many_requests'],
    description: 'Too many attempts, or too many open streams',
    header: 'Retry-After',
  },
  Internal: { status: 500, codes: ['internal'], description: 'An unexpected error of the server' },
  Unavailable: {
    status: 503,
    codes: ['unavailable'],
    description: 'The database is not available, or the server is busy',
    header: 'Retry-After',
  },
} as const satisfies Record<string, ErrorResponse>;

type SharedErrorName = keyof typeof sharedErrors;
type Responses = Record<number, object>;

const json = (schema: object, more: object = {}) => ({
  'application/json': { schema, ...more },
});
const text = { type: 'string' };
const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });

/** The responses that operations refer to by name. */
export function sharedResponses(): Record<string, object> {
  return Object.fromEntries(
    Object.entries<ErrorResponse>(sharedErrors).map(([name, error]) => [name, responseOf(error)]),
  );
}

/** All responses of an operation, by status. */
export function responsesOf(operation: Operation): Responses {
  const { success, alternative, array, condition } = operation;
  return {
    [success.status]: successResponse(operation, success),
    ...(alternative && { [alternative.status]: successResponse(operation, alternative) }),
    ...(array && { [array.success.status]: successResponse(operation, array.success) }),
    ...(operation.delta && { 226: deltaResponse(operation.delta) }),
    ...(condition === 'if-none-match' && { 304: notModified() }),
    ...Object.fromEntries(
      sharedErrorsOf(operation).map((name) => [
        sharedErrors[name].status,
        { $ref: `#/components/responses/${name}` },
      ]),
    ),
    ...(operation.names && { 404: notFoundResponse(operation.names) }),
    ...(condition === 'if-match' && { 412: versionMismatch() }),
    ...(operation.badInput && { 422: invalidInputResponse(operation, operation.badInput) }),
    ...ownErrors(operation),
  };
}

function successResponse({ condition, isIdempotent }: Operation, success: Success): object {
  const hasEtag = success.hasEtag === true || condition === 'if-none-match';
  const headers = {
    ...(hasEtag && header('ETag')),
    ...(isIdempotent && header('Idempotent-Replayed')),
    ...(success.status === 302 && header('Location')),
  };
  return {
    description: success.description,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(success.schema && { content: json(schemaOf(success.schema)) }),
    ...(success.contentType && { content: bodyOfType(success.contentType) }),
  };
}

/** The schema of text; bytes have none. */
function bodyOfType(type: string): object {
  return { [type]: type.startsWith('text/') ? { schema: text } : {} };
}

function sharedErrorsOf(operation: Operation): SharedErrorName[] {
  const { method, caller, body, query, isIdempotent } = operation;
  const takesInput =
    body !== undefined || (query !== undefined && operation.success.status !== 302);
  return [
    'Malformed',
    ...(caller === 'anybody' ? [] : (['Unauthorized', 'Forbidden'] as const)),
    ...(method === 'get' ? [] : (['TooLarge', 'NotJson'] as const)),
    ...(takesInput ? (['Invalid'] as const) : []),
    ...(isIdempotent ? (['InvalidOrKeyReused'] as const) : []),
    ...(operation.isLimited ? (['TooMany'] as const) : []),
    'Internal',
    'Unavailable',
  ];
}

function responseOf({ description, codes, header: name }: ErrorResponse): object {
  return {
    description: `${description} (${codes.map((code) => `\`${code}\``).join(', ')})`,
    ...(name && { headers: header(name) }),
    content: json(schemaOf(errorBodySchema)),
  };
}

function deltaResponse(schema: NonNullable<Operation['delta']>): object {
  return {
    description: 'With A-IM: what has changed since the ETag in If-None-Match',
    headers: { ...header('ETag'), ...header('IM'), ...header('Delta-Base') },
    content: json(schemaOf(schema)),
  };
}

function notModified(): object {
  return {
    description: 'The ETag in If-None-Match is current',
    headers: header('ETag'),
  };
}

function notFoundResponse(what: string): object {
  return {
    description: `The account has no ${what} with this id (\`not_found\`)`,
    content: json(schemaOf(errorBodySchema)),
  };
}

/** The only error whose body is a record. The client merges its edit with that record. */
function versionMismatch(): object {
  return {
    description: 'The plant’s version differs from If-Match; the body is its current state',
    headers: header('ETag'),
    content: json(schemaOf(plantRecordSchema)),
  };
}

function invalidInputResponse(
  operation: Operation,
  badInput: NonNullable<Operation['badInput']>,
): object {
  const examples = badInput.map(({ summary, body, query, detail }, n) => [
    `invalid${n + 1}`,
    { summary, value: invalidInput(detail).body, 'x-request': { body, query } },
  ]);
  const shared = sharedErrors[operation.isIdempotent ? 'InvalidOrKeyReused' : 'Invalid'];
  const { description } = responseOf(shared) as { description: string };
  return {
    description,
    content: json(schemaOf(errorBodySchema), { examples: Object.fromEntries(examples) }),
  };
}

function ownErrors({ errors = {} }: Operation): Responses {
  const content = json(schemaOf(errorBodySchema));
  return Object.fromEntries(
    Object.entries(errors).map(([status, description]) => [status, { description, content }]),
  );
}
