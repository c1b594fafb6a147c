import type { BatchPayload, BatchResponse } from '#contract/batch.ts';
import { batchPaths } from '#contract/batch.ts';

/** One operation that a request asks the server to execute. */
export interface Operation {
  /** The idempotency key, which is the op's id. */
  key: string;
  method: string;
  path: string;
  body: string | null;
  ifMatch: string | null;
}

/** The server's response to one operation. */
export interface OperationResult {
  status: number;
  /** The server repeated an earlier response and executed nothing. */
  isReplay: boolean;
  /** JSON text, or the error page of a gateway. */
  body: string;
}

/**
 * The operations of a request in order; none for a request that only reads. This file is the only one that knows how
 * operations are put into a request and their results into a response.
 */
export function operationsOf(url: string, init: RequestInit): Operation[] {
  const method = init.method ?? 'GET';
  if (method === 'GET') return [];
  if (isBatch(url)) {
    return payloadOf(init).operations.map((operation) => ({
      key: operation.key,
      method: operation.method,
      path: operation.path,
      body: operation.body === undefined ? null : JSON.stringify(operation.body),
      ifMatch: operation.if_match ?? null,
    }));
  }
  const headers = new Headers(init.headers);
  return [
    {
      key: (headers.get('idempotency-key') ?? '').replaceAll('"', ''),
      method,
      path: url,
      body: typeof init.body === 'string' ? init.body : null,
      ifMatch: headers.get('if-match'),
    },
  ];
}

/** The same request with only its first operations; null when none is left. */
export function withFirstOperations(
  url: string,
  init: RequestInit,
  count: number,
): RequestInit | null {
  if (count === 0) return null;
  if (!isBatch(url)) return init;
  const operations = payloadOf(init).operations.slice(0, count);
  return { ...init, body: JSON.stringify({ operations }) };
}

/**
 * The results of a request with `count` operations, in their order; none for a batch that was rejected as a whole. The
 * body of a response to a request that only reads is left alone, because copying it costs more than the request.
 */
export async function resultsOf(
  url: string,
  response: Response,
  count: number,
): Promise<OperationResult[]> {
  if (count === 0) return [];
  const body = await response.clone().text();
  if (isBatch(url)) {
    if (response.status !== 200 || !body.startsWith('{')) return [];
    const { results } = JSON.parse(body) as BatchResponse;
    return results.map((result) => ({
      status: result.status,
      isReplay: result.headers['idempotent-replayed'] !== undefined,
      body: JSON.stringify(result.body),
    }));
  }
  const isReplay = response.headers.get('idempotent-replayed') !== null;
  return [{ status: response.status, isReplay, body }];
}

function isBatch(url: string): boolean {
  return url === batchPaths.batch;
}

function payloadOf({ body }: RequestInit): BatchPayload {
  return JSON.parse(String(body)) as BatchPayload;
}
