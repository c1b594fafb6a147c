import type { FastifyRequest } from 'fastify';
import {
  type BatchOperation,
  batchLimits,
  batchPaths,
  batchPayloadSchema,
  isBatchCall,
} from '#contract/batch.ts';
import { headers } from '#contract/headers.ts';
import { type ApiError, invalid, unauthorized, unavailable } from '../api-error.ts';
import type { App } from '../app-deps.ts';
import { sendResponse } from '../idempotency.ts';
import { parseBody } from '../request-input.ts';
import { type OperationResult, runOperations } from './run-operations.ts';

/**
 * POST /api/batch. Every operation is executed by its own route, with the caller's token and IP address and with its
 * own key, transaction and result. The batch itself stores nothing, so it can be sent again after a lost response.
 */
export function batchRoutes(app: App): void {
  app.post(batchPaths.batch, { bodyLimit: batchLimits.bytes }, async (request, reply) => {
    // Not declared as the route's schema, which would reject the whole batch for a NUL character in one operation.
    const { operations } = parseBody(batchPayloadSchema, request.body);
    const results = await runOperations(operations, (operation) =>
      execute(app, request, operation),
    );
    // The session has ended. After the next sign-in the client sends the batch again, and operations that are done get
    // their stored responses.
    if (results.some(({ status }) => status === 401)) throw unauthorized();
    return sendResponse(reply, {
      status: 200,
      json: `{"results":[${results.map(resultJson).join(',')}]}`,
    });
  });
}

async function execute(
  app: App,
  { ip, headers: { authorization } }: FastifyRequest,
  operation: BatchOperation,
): Promise<OperationResult> {
  const invalidOperation = errorOf(operation);
  if (invalidOperation) return errorResult(invalidOperation);
  const { key, path, if_match: ifMatch } = operation;
  const payload = jsonText(operation.body);
  if (payload === null) {
    const msg = 'Is nested too deeply or has a number that is too large';
    return errorResult(invalid(['body', 'body'], msg));
  }
  try {
    const response = await app.inject({
      // errorOf has checked the method.
      method: operation.method as 'POST' | 'PUT' | 'DELETE',
      url: path,
      remoteAddress: ip,
      headers: {
        ...(authorization !== undefined && { authorization }),
        [headers.idempotencyKey]: key,
        ...(typeof ifMatch === 'string' && { [headers.ifMatch]: ifMatch }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
      },
      ...(payload !== undefined && { payload }),
    });
    return {
      status: response.statusCode,
      headers: passedHeaders(response.headers),
      json: response.payload || 'null',
    };
  } catch (error) {
    // Fastify accepts no injected request once closing has begun.
    if (isClosed(error)) return errorResult(unavailable('The server is stopping'));
    throw error;
  }
}

/**
 * The value as JSON; undefined without a value; null if it is nested too deeply to be serialized, or has a number like
 * 1e999.
 */
function jsonText(value: unknown): string | undefined | null {
  try {
    return JSON.stringify(value, (_, inner: unknown) => {
      // JSON.parse reads such a number as Infinity. JSON.stringify would write null, which is not what was sent.
      if (inner === Number.POSITIVE_INFINITY || inner === Number.NEGATIVE_INFINITY) {
        throw new RangeError('not a number of JSON');
      }
      return inner;
    });
  } catch {
    return null;
  }
}

/** The error of an operation whose call, key or If-Match is not allowed in a batch; null if there is none. */
function errorOf({ key, method, path, if_match: ifMatch }: BatchOperation): ApiError | null {
  if (!isBatchCall(method, path) || !isNormalized(path)) {
    return invalid(['body', 'path'], 'This call cannot be part of a batch');
  }
  if (!isHeaderValue(key)) {
    return invalid(['body', 'key'], 'Must be 1 to 200 visible ASCII characters without spaces');
  }
  if (typeof ifMatch === 'string' && !isHeaderValue(ifMatch)) {
    return invalid(['body', 'if_match'], 'Must be an ETag');
  }
  return null;
}

/** Whether the path reaches the router unchanged, unlike `/api/plants/../batch`. */
function isNormalized(path: string): boolean {
  const { pathname, search } = new URL(path, 'http://localhost');
  return pathname + search === path;
}

function isHeaderValue(text: string): boolean {
  return /^[!-~]{1,202}$/.test(text);
}

const passedNames = [headers.etag, headers.idempotentReplayed, 'retry-after', 'date'];

function passedHeaders(all: Record<string, unknown>): Record<string, string> {
  const found = passedNames.filter((name) => all[name] !== undefined);
  return Object.fromEntries(found.map((name) => [name, String(all[name])]));
}

function errorResult(error: ApiError): OperationResult {
  return { status: error.status, headers: error.headers, json: JSON.stringify(error.body) };
}

function isClosed(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && error.code === 'FST_ERR_REOPENED_CLOSE_SERVER'
  );
}

/** Serializes a result. Its body is JSON text already. */
function resultJson({ status, headers: passed, json }: OperationResult): string {
  return `{"status":${status},"headers":${JSON.stringify(passed)},"body":${json}}`;
}
