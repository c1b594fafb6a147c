import * as v from 'valibot';
import { journalPaths } from './journal.ts';
import { plantPaths } from './plants.ts';
import { type ApiRequest, request } from './request.ts';

export const batchPaths = { batch: '/api/batch' } as const;

export const batchLimits = { operations: 50, bytes: 128 * 1024 } as const;

/** The calls that a batch may contain. The result of any other operation is a 422. */
export const batchCalls = [
  { method: 'POST', path: plantPaths.all },
  { method: 'PUT', path: plantPaths.one },
  { method: 'DELETE', path: plantPaths.one },
  { method: 'POST', path: plantPaths.water },
  { method: 'POST', path: journalPaths.ofPlant },
  { method: 'PUT', path: journalPaths.entry },
  { method: 'DELETE', path: journalPaths.entry },
] as const;

/** One call of a batch. Each of them could also be sent as a separate request. */
export interface BatchOperation {
  /** Its Idempotency-Key. */
  key: string;
  method: string;
  /** Path with query. */
  path: string;
  /** Its If-Match. */
  if_match?: string | null | undefined;
  /** The JSON value of its body; absent for no body. */
  body?: unknown;
}

export interface BatchPayload {
  operations: BatchOperation[];
}

/** Checks only the shape of the batch. An invalid operation is reported in its own result. */
export const batchPayloadSchema: v.GenericSchema<unknown, BatchPayload> = v.object({
  operations: v.pipe(
    v.array(
      v.object({
        key: v.string(),
        method: v.string(),
        path: v.string(),
        if_match: v.optional(v.nullable(v.string())),
        body: v.optional(v.unknown()),
      }),
    ),
    v.minLength(1, 'Must contain an operation'),
    v.maxLength(
      batchLimits.operations,
      `Must contain at most ${batchLimits.operations} operations`,
    ),
  ),
});

/**
 * The response to one operation, the same as to a separate request if the operation was executed. After a 425, 429 or
 * 503 no further operation is started: those of other plants get that response too.
 */
export interface BatchResult {
  /** 424: not executed, because an earlier operation of the same plant failed. */
  status: number;
  /** The headers etag, idempotent-replayed, retry-after and date, if the response has them; names in lower case. */
  headers: Record<string, string>;
  /** The JSON value of the response body. */
  body?: unknown;
}

/** One result per operation, in the order of the operations. */
export interface BatchResponse {
  results: BatchResult[];
}

export const batchResponseSchema: v.GenericSchema<unknown, BatchResponse> = v.looseObject({
  results: v.array(
    v.looseObject({
      status: v.number(),
      headers: v.record(v.string(), v.string()),
      body: v.optional(v.unknown()),
    }),
  ),
});

/** Whether a batch may contain this call. `path` may have a query. */
export function isBatchCall(method: string, path: string): boolean {
  const [pathname = ''] = path.split('?');
  return batchCalls.some((call) => call.method === method && matchesTemplate(pathname, call.path));
}

function matchesTemplate(pathname: string, template: string): boolean {
  const [segments, expected] = [pathname.split('/'), template.split('/')];
  return (
    segments.length === expected.length &&
    expected.every((part, n) => (part.startsWith(':') ? segments[n] !== '' : part === segments[n]))
  );
}

/**
 * A batch of requests and their keys. The server serializes each body as JSON.stringify does, so an operation has the
 * same fingerprint whether it was first sent in a batch or alone.
 */
export function batchRequest(
  operations: readonly { key: string; request: ApiRequest }[],
): ApiRequest {
  const payload: BatchPayload = {
    operations: operations.map(({ key, request: { method, path, ifMatch, body } }) => ({
      key,
      method,
      path,
      ...(ifMatch !== null && { if_match: ifMatch }),
      ...(body !== null && { body: JSON.parse(body) as unknown }),
    })),
  };
  return request('POST', batchPaths.batch, { body: payload });
}
