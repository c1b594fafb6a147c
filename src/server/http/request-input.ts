import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { ErrorDetail } from '#contract/errors.ts';
import { ApiError, invalid, invalidInput } from './api-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's text, '' if there is none. Part of the fingerprint of a request with an Idempotency-Key. */
    rawBody: string;
  }
}

/** Parses JSON bodies, rejects prototype keys and keeps the text. An empty body counts as no body. */
export function parseJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('rawBody', '');
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  const json = 'application/json';
  app.addContentTypeParser<Buffer>(json, { parseAs: 'buffer' }, (request, body, done) => {
    // Other bytes would be stored as U+FFFD without an error.
    if (!isUtf8(body)) return done(new ApiError(400, 'invalid', 'The request is not in UTF-8'));
    request.rawBody = body.toString();
    if (request.rawBody === '') done(null, undefined);
    else parse(request, request.rawBody, done);
  });
  // Some clients send a Content-Type or Transfer-Encoding header without a body, for example `curl -d ''`.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') done(null, undefined);
    else done(new ApiError(415, 'invalid', 'The request must be JSON'));
  });
}

const locationOf: Record<string, string> = {
  body: 'body',
  querystring: 'query',
};

/** Lets routes declare contract schemas; invalid input becomes a 422 that lists every invalid field. */
export function validateByContract(app: FastifyInstance): void {
  app.setValidatorCompiler<v.GenericSchema>(({ schema, httpPart }) => (data) => {
    return validate(schema, data, locationOf[httpPart ?? ''] ?? 'body');
  });
}

/** Validates a part of a body as if it were the whole body. */
export function validateBody<T>(schema: v.GenericSchema<unknown, T>, data: unknown): Validated<T> {
  return validate(schema, data, 'body');
}

type Validated<T> = { value: T; error?: never } | { value?: never; error: ApiError };

function validate<T>(
  schema: v.GenericSchema<unknown, T>,
  data: unknown,
  location: string,
): Validated<T> {
  const parsed = v.safeParse(schema, data ?? {}, { message: defaultMessage });
  if (!parsed.success) return { error: invalidInput(parsed.issues.map(detailIn(location))) };
  // A schema of an object without required fields accepts every array.
  if (Array.isArray(data) && !Array.isArray(parsed.output)) {
    return { error: invalid([location], 'Expected Object') };
  }
  // An array is not searched for U+0000 here: the route of this body checks each item separately.
  const withNul = Array.isArray(parsed.output) ? [] : pathsOfNul(parsed.output, [location]);
  if (withNul.length === 0) return { value: parsed.output };
  return {
    error: invalidInput(withNul.map((loc) => ({ loc, msg: 'Must not contain U+0000' }))),
  };
}

/**
 * Validates a body without rejecting U+0000 in its texts. Use it if the parts of the body are checked for U+0000
 * separately. Throws a 422 if the body does not match the schema.
 */
export function parseBody<T>(schema: v.GenericSchema<unknown, T>, body: unknown): T {
  const parsed = v.safeParse(schema, body ?? {}, { message: defaultMessage });
  if (!parsed.success) throw invalidInput(parsed.issues.map(detailIn('body')));
  return parsed.output;
}

function detailIn(location: string) {
  return (issue: v.BaseIssue<unknown>): ErrorDetail => ({
    loc: [location, ...(issue.path ?? []).map((item) => String(item.key))],
    msg: issue.message,
  });
}

/** The error message for a check without one in the schema. It never contains the input. */
function defaultMessage(issue: v.BaseIssue<unknown>): string {
  const { type, expected, received, requirement, input } = issue;
  if (received === 'undefined') return 'Required';
  if (expected === null) return 'Not valid';
  const unit = Array.isArray(input) ? 'items' : 'characters';
  if (type === 'max_length') return `Must be at most ${requirement} ${unit}`;
  return `Expected ${expected}${type.endsWith('_length') ? ` ${unit}` : ''}`;
}

/** PostgreSQL cannot store NUL in text; without this check it would surface as a database error. */
function pathsOfNul(value: unknown, path: ErrorDetail['loc']): ErrorDetail['loc'][] {
  if (typeof value === 'string') return value.includes('\0') ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => pathsOfNul(inner, [...path, key]));
}

/** Check ids before they reach a query: PostgreSQL rejects the whole statement for a malformed UUID. */
export function isUuid(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
}

const rowParams = v.record(v.string(), v.string());

/** An id in a request's path, `:id` by default; null if it is not a UUID and so cannot match any row. */
export function rowIdOf(request: FastifyRequest, name = 'id'): string | null {
  const params = v.safeParse(rowParams, request.params);
  const id = params.success ? params.output[name] : undefined;
  return id !== undefined && isUuid(id) ? id : null;
}
