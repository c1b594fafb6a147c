/**
 * An API request without token and idempotency key. An op stores it at its first send and resends it byte for byte. A
 * new request is made only if the server did not execute it, e.g. because its `If-Match` was out of date.
 */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with query. */
  path: string;
  /** JSON text, or null for no body. */
  body: string | null;
  /** The version an update was merged with. */
  ifMatch: string | null;
}

export function request(
  method: ApiRequest['method'],
  path: string,
  options: {
    query?: Record<string, string | number | null | undefined>;
    body?: unknown;
  } = {},
): ApiRequest {
  return {
    method,
    path: path + queryText(options.query ?? {}),
    body: options.body === undefined ? null : JSON.stringify(options.body),
    ifMatch: null,
  };
}

function queryText(query: Record<string, string | number | null | undefined>): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Inserts the id, URL-encoded, into a path template. */
export function pathFor(template: string, id: string | number): string {
  return template.replace(':id', encodeURIComponent(String(id)));
}
