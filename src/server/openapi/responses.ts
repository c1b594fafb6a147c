import { type ErrorCode, errorBodySchema } from '#contract/errors.ts';
import { plantRecordSchema } from '#contract/plants.ts';
import { invalidInput } from '../http/api-error.ts';
import { schemaOf } from './json-schema.ts';
import type { Operation } from './operation.ts';

interface Refusal {
  status: number;
  codes: readonly ErrorCode[];
  description: string;
  /** Seconds to wait, in Retry-After. */
  says?: 'Retry-After';
}

/** Refusals that read the same wherever they occur. */
const refusals = {
  Malformed: { status: 400, codes: ['invalid'], description: 'The address or the JSON is broken' },
  Unauthorized: {
    status: 401,
    codes: ['unauthorized'],
    description: 'No token, or one that is not valid (any more)',
  },
  Forbidden: {
    status: 403,
    codes: ['forbidden'],
    description: 'A device token may only post the readings of its device',
  },
  TooLarge: { status: 413, codes: ['body_too_large'], description: 'The body is over 64 KiB' },
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
    description: 'Too many attempts',
    says: 'Retry-After',
  },
  Internal: { status: 500, codes: ['internal'], description: 'Something went wrong' },
  Unavailable: {
    status: 503,
    codes: ['unavailable'],
    description: 'The database is not reachable',
    says: 'Retry-After',
  },
} as const satisfies Record<string, Refusal>;

type RefusalName = keyof typeof refusals;
type Answers = Record<number, object>;

const json = (schema: object, more: object = {}) => ({
  'application/json': { schema, ...more },
});
const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });

/** The answers that operations refer to by name. */
export function sharedAnswers(): Record<string, object> {
  return Object.fromEntries(
    Object.entries<Refusal>(refusals).map(([name, refusal]) => [name, answerOf(refusal)]),
  );
}

/** Every status that a call can be answered with. */
export function answersOf(operation: Operation): Answers {
  const { success, condition } = operation;
  const stated = success.hasEtag === true || condition === 'if-none-match';
  const headers = {
    ...(stated && header('ETag')),
    ...(operation.isIdempotent && header('Idempotent-Replayed')),
    ...(success.status === 302 && header('Location')),
  };
  return {
    [success.status]: {
      description: success.description,
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(success.schema && { content: json(schemaOf(success.schema)) }),
    },
    ...(condition === 'if-none-match' && { 304: notModified() }),
    ...Object.fromEntries(
      refusalsOf(operation).map((name) => [
        refusals[name].status,
        { $ref: `#/components/responses/${name}` },
      ]),
    ),
    ...(operation.names && { 404: named404(operation.names) }),
    ...(condition === 'if-match' && { 412: otherVersion() }),
    ...(operation.badInput && { 422: badInputAnswer(operation, operation.badInput) }),
    ...ownRefusals(operation),
  };
}

function refusalsOf(operation: Operation): RefusalName[] {
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

function answerOf({ description, codes, says }: Refusal): object {
  return {
    description: `${description} (${codes.map((code) => `\`${code}\``).join(', ')})`,
    ...(says && { headers: header(says) }),
    content: json(schemaOf(errorBodySchema)),
  };
}

function notModified(): object {
  return {
    description: 'The copy that If-None-Match names is still right',
    headers: header('ETag'),
  };
}

function named404(what: string): object {
  return {
    description: `The account has no such ${what} (\`not_found\`)`,
    content: json(schemaOf(errorBodySchema)),
  };
}

/** The one refusal whose body is no error: what the edit has to be merged with. */
function otherVersion(): object {
  return {
    description: 'If-Match names another version; the plant as it is now',
    headers: header('ETag'),
    content: json(schemaOf(plantRecordSchema)),
  };
}

function badInputAnswer(
  operation: Operation,
  badInput: NonNullable<Operation['badInput']>,
): object {
  const examples = badInput.map(({ summary, body, query, detail }, n) => [
    `refused${n + 1}`,
    { summary, value: invalidInput(detail).body, 'x-request': { body, query } },
  ]);
  const shared = refusals[operation.isIdempotent ? 'InvalidOrKeyReused' : 'Invalid'];
  const { description } = answerOf(shared) as { description: string };
  return {
    description,
    content: json(schemaOf(errorBodySchema), { examples: Object.fromEntries(examples) }),
  };
}

function ownRefusals({ refuses = {} }: Operation): Answers {
  const content = json(schemaOf(errorBodySchema));
  return Object.fromEntries(
    Object.entries(refuses).map(([status, description]) => [status, { description, content }]),
  );
}
