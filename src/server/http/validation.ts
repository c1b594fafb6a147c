import type { FastifyInstance, FastifyTypeProvider } from 'fastify';
import * as v from 'valibot';
import type { ErrorDetail } from '#contract/errors.ts';
import { invalidInput } from './api-error.ts';

/** Types a route's body, query and params by the contract's schemas. */
export interface ContractTypes extends FastifyTypeProvider {
  validator: this['schema'] extends v.GenericSchema ? v.InferOutput<this['schema']> : unknown;
}

export type App = FastifyInstance<
  import('node:http').Server,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  import('fastify').FastifyBaseLogger,
  ContractTypes
>;

const locationOf: Record<string, string> = {
  body: 'body',
  querystring: 'query',
};

/** Lets routes declare contract schemas; a mismatch becomes a 422 that names every wrong place. */
export function validateByContract(app: FastifyInstance): void {
  app.setValidatorCompiler<v.GenericSchema>(({ schema, httpPart }) => (data) => {
    const location = locationOf[httpPart ?? ''] ?? 'body';
    const parsed = v.safeParse(schema, data ?? {}, { message: complaint });
    if (!parsed.success) return { error: invalidInput(parsed.issues.map(detailIn(location))) };
    const unstorable = placesOfNul(parsed.output, [location]);
    if (unstorable.length === 0) return { value: parsed.output };
    return {
      error: invalidInput(unstorable.map((loc) => ({ loc, msg: 'Must not contain U+0000' }))),
    };
  });
}

function detailIn(location: string) {
  return (issue: v.BaseIssue<unknown>): ErrorDetail => ({
    loc: [location, ...(issue.path ?? []).map((item) => String(item.key))],
    msg: issue.message,
  });
}

/** What is wrong where the schema has no words of its own. Never repeats what was sent. */
function complaint({ type, expected, received, requirement }: v.BaseIssue<unknown>): string {
  if (received === 'undefined') return 'Required';
  if (expected === null) return 'Not valid';
  if (type === 'max_length') return `Must be at most ${requirement} characters`;
  return `Expected ${expected}${type.endsWith('_length') ? ' characters' : ''}`;
}

/** PostgreSQL's text cannot hold it: without this a NUL would surface as a database error. */
function placesOfNul(value: unknown, path: ErrorDetail['loc']): ErrorDetail['loc'][] {
  if (typeof value === 'string') return value.includes('\0') ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => placesOfNul(inner, [...path, key]));
}
